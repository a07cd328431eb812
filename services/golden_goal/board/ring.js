// Which square lies where, whose is it, and who stands on it? A ring on a wide screen, one column for each side on a narrow one.

import { draw as svg, make, mark, seatClass } from "/static/js/draw.js";

const ROLE = { defence: "defence", midfield: "midfield", attack: "attack" };
const CORNERS = {
  start_end: "M4 9h9l3-3h5v5h-4a6.5 6.5 0 1 1-13 2z",
  match_takings: "M3 6h18v12H3zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  capital_increase: "M4 19h16v2H4zM5 17V11h3v6zm5 0V7h3v10zm5 0V3h3v14z",
  goalmouth_scramble: "M3 5h18v14h-2V7H5v12H3zM8 10h2v2H8zm3 3h2v2h-2zm3-3h2v2h-2z",
};

/** The squares in their order, clockwise from the whistle, around what happens now. */
export function ring(table, middle) {
  const size = table.view.squares.length / 4;
  const squares = table.view.squares.map((square) => place(table, square, size));
  return make("section", { class: "gg-ring", "aria-label": table.say("ring"), style: null, "data-side": size },
    make("ol", { class: "gg-squares" }, squares), make("div", { class: "gg-middle" }, middle));
}

function place(table, square, size) {
  const side = Math.floor(square.index / size);
  const step = square.index % size;
  const pawns = table.view.seats.filter((seat) => !seat.left && seat.square === square.index).map((seat) => seat.seat);
  const inside = square.kind === "team" ? team(table, square) : special(table, square);
  const shown = make("div", { class: "gg-pawns" }, pawns.map((seat) => make("span", { class: `gg-pawn ${seat === table.view.turn ? "turn" : ""}` }, mark(seat, table.say("here", { who: table.who(seat) })))));
  const classes = `gg-square ${square.kind} side-${side} step-${step} ${square.owner === null ? "" : `owned ${seatClass(square.owner)}`} ${square.suspended ? "suspended" : ""} ${square.complete ? "complete" : ""}`;
  const act = square.kind === "team" ? table.press(square.what) : null;
  if (!act) return make("li", { class: classes, title: told(table, square) }, inside, shown);
  const press = () => table.choose(act.kind, { tile: square.what });
  const label = table.say(act.caption, { name: table.name(square.what) });
  return make("li", { class: `${classes} open`, title: told(table, square) },
    make("button", { type: "button", class: "gg-press", click: press, "data-key": `tile-${square.what}`, "aria-label": label }, inside, shown));
}

function team(table, square) {
  const word = table.name(square.nation);
  const owner = square.owner === null ? null : make("span", { class: "gg-owner" }, mark(square.owner, table.say("owner", { who: table.who(square.owner) })));
  const worth = square.owner === null ? table.money(square.price) : square.suspended ? "×" : `+${square.value}`;
  return [
    make("span", { class: "gg-nation" }, make("span", { class: "gg-flag", "aria-hidden": "true" }), make("span", { class: "gg-short" }, word.slice(0, 3)), make("span", { class: "gg-long" }, word)),
    make("span", { class: "gg-role" }, table.say(ROLE[square.role])),
    make("span", { class: "gg-worth" }, owner, worth, square.cups.map((cup) => cupSign(cup, table.name(cup)))),
    make("span", { class: "hidden-but-said" }, told(table, square)),
  ];
}

function special(table, square) {
  const name = table.name(square.what);
  const picture = square.kind === "corner" ? svg("svg", { viewBox: "0 0 24 24", class: "gg-sign", "aria-hidden": "true", focusable: "false" }, svg("path", { d: CORNERS[square.what] }))
    : make("span", { class: `gg-card-sign ${square.what}`, "aria-hidden": "true" }, "?");
  return [picture, make("span", { class: "gg-what" }, name)];
}

/** The square in one sentence, for the title and for those who do not see it. */
export function told(table, square) {
  if (square.kind !== "team") return table.name(square.what);
  const facts = [table.name(square.what), table.say("price", { n: table.money(square.price) }), table.say("goals", { n: square.goals })];
  if (square.owner !== null) facts.push(table.say("owner", { who: table.who(square.owner) }), square.suspended ? table.say("suspended") : table.say("visit", { n: square.value }));
  if (square.complete) facts.push(table.say("complete"));
  return facts.join(", ");
}

export function cupSign(cup, label) {
  return svg("svg", { viewBox: "0 0 24 24", class: `gg-cup ${cup}`, role: "img", "aria-label": label, focusable: "false" }, svg("title", {}, label),
    svg("path", { d: "M7 2.5h10v2h4.5c0 4.5-1.5 6.9-4.9 7.6A5.2 5.2 0 0 1 13.2 15v2.5H17v3.7H7v-3.7h3.8V15a5.2 5.2 0 0 1-3.4-2.9C4 11.4 2.5 9 2.5 4.5H7z" }));
}
