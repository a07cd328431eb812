// What stands on the score boards? Per seat the seven spaces, the bonus and the rounds, as circled and crossed-out points.

import { draw as svg, make, mark } from "/static/js/draw.js";

/** The score boards of all seats, as one table. */
export function scores(table) {
  const { view } = table;
  if (!view.seats.length) return null;
  const heads = view.duels.map((duel) => make("th", { scope: "col", title: table.name(duel.id) }, make("span", { "aria-hidden": "true" }, short(duel)),
    make("span", { class: "hidden-but-said" }, table.name(duel.id))));
  return make("section", { class: "ch-scores" },
    make("h4", {}, table.say("scores")),
    make("table", {},
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, table.say("player")), heads,
        make("th", { scope: "col", title: table.say("bonus") }, table.say("bonusShort")), rounds(table).map((round) => make("th", { scope: "col" }, table.say("roundShort", { round }))),
        make("th", { scope: "col" }, table.say("total")))),
      make("tbody", {}, view.seats.map((seat) => line(table, seat)))));
}

function rounds(table) {
  return Array.from({ length: table.view.rounds }, (_, index) => index + 1);
}

function line(table, seat) {
  const { view } = table;
  const spaces = view.duels.map((duel, index) => cell(table, table.name(duel.id), duel.points, seat.spaces[index]));
  return make("tr", { class: seat.seat === view.you ? "mine" : "" },
    make("th", { scope: "row" }, make("div", {}, make("span", { class: "who" }, mark(seat.seat), make("span", { class: "name" }, table.who(seat.seat))), state(table, seat))),
    spaces, cell(table, table.say("bonus"), view.bonus, seat.bonus),
    rounds(table).map((round) => make("td", { class: "ch-sum", "data-name": table.say("roundShort", { round }) }, seat.rounds[round - 1] ?? "–")),
    make("td", { class: "ch-sum total", "data-name": table.say("total") }, make("strong", {}, seat.score)));
}

function state(table, seat) {
  const { view } = table;
  const words = seat.place ? table.say("place", seat) : seat.left ? table.say("left") : seat.absent ? table.say("absent") : seat.ready && view.stage !== "over" ? table.say("ready") : "";
  const predicted = seat.prediction ? table.say("predictions", { name: table.called(seat.prediction) }) : "";
  const told = [words, predicted].filter(Boolean).join(" · ");
  return told ? make("small", {}, told) : null;
}

/** One points space: the number, circled or crossed out as with a pen. */
function cell(table, name, points, space) {
  const pen = {
    circled: svg("path", { class: "ch-pen good", d: "M27 8C20 4 8 5 5 14c-3 9 5 17 14 17 10 0 16-8 14-16C31 8 23 4 16 6" }),
    crossed: svg("path", { class: "ch-pen bad", d: "M9 9c6 6 13 13 19 19M28 8C22 15 15 22 8 29" }),
  }[space];
  const number = svg("text", { x: 18, y: 23, "text-anchor": "middle" }, String(points));
  const picture = svg("svg", { viewBox: "0 0 36 36", class: `ch-space ${space}`, role: "img", "aria-label": `${name}: ${points}, ${table.say(space)}`, focusable: "false" }, number, pen);
  return make("td", { "data-name": name }, picture);
}

function short(duel) {
  return { quarter_final: "¼", semi_final: "½", final: "1" }[duel.stage];
}
