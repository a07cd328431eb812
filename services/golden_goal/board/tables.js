// How do the players stand? The goal-action track with the result table, the league table, and the cups.

import { make, mark } from "/static/js/draw.js";
import { cupSign } from "./ring.js";

const COLOURS = ["green", "yellow", "red"];
const MODIFIERS = ["defence", "midfield", "attack", "visit", "result", "takings", "halved", "buying_ban", "token_ban", "missing"];

/** One column for each number of the track: the box of each colour, and the markers that stand there. */
export function pitch(table) {
  const { view } = table;
  const columns = view.columns.map((column) => {
    const there = view.seats.filter((seat) => !seat.left && seat.marker === column.number).map((seat) => seat.seat);
    return make("li", { class: `gg-column ${there.length ? "taken" : ""} ${column.number % view.x === 0 ? "landmark" : ""}` },
      make("span", { class: "gg-markers" }, there.map((seat) => mark(seat, table.who(seat)))),
      make("span", { class: "gg-number" }, signed(column.number)),
      COLOURS.map((colour) => make("span", { class: `gg-box ${column[colour]}` }, make("span", { "aria-hidden": "true" }, table.say(column[colour])),
        make("span", { class: "hidden-but-said" }, `${table.name(colour)}: ${table.say(`${column[colour]}Long`)}`))));
  });
  return make("section", { class: "gg-pitch" }, make("h4", {}, table.say("pitch")), make("p", {}, make("small", {}, table.say("results"))),
    make("div", { class: "gg-track" }, make("div", { class: "gg-colours", "aria-hidden": "true" }, COLOURS.map((colour) => make("span", { class: `gg-key ${colour}` }))),
      make("ol", { class: "gg-columns", "aria-label": table.say("track", { low: -view.x, high: `+${view.x}` }) }, columns)));
}

function signed(number) {
  return number > 0 ? `+${number}` : `${number}`.replace("-", "−");
}

export function league(table) {
  const { view } = table;
  const order = [...view.seats].sort((one, other) => (one.place ?? 0) - (other.place ?? 0) || one.left - other.left || other.points - one.points || one.seat - other.seat);
  const heads = ["points", "marker", "matches", "cash"].map((key) => make("th", { scope: "col" }, table.say(key)));
  return make("section", { class: "gg-league" }, make("h4", {}, table.say("table")),
    make("table", {}, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, ""), heads, make("th", { scope: "col" }, table.say("goods")))),
      make("tbody", {}, order.map((seat) => line(table, seat)))));
}

function line(table, seat) {
  const { view } = table;
  const state = seat.place ? table.say("place", { n: seat.place, wealth: table.money(seat.wealth) }) : seat.left ? table.say("left") : seat.leaving ? table.say("leaving") : "";
  const cell = (key, inside) => make("td", { "data-name": table.say(key), class: `gg-${key}` }, inside);
  return make("tr", { class: `${seat.seat === view.you ? "mine" : ""} ${seat.left ? "gone" : ""}` },
    make("th", { scope: "row" }, target(table, seat), make("small", {}, state)),
    cell("points", make("strong", {}, seat.points)), cell("marker", signed(seat.marker)), cell("matches", table.say("count", { n: seat.matches })), cell("cash", table.money(seat.cash)),
    cell("goods", [make("span", { class: "gg-goods-row" }, goods(table, seat)), teams(table, seat), penalties(table, seat)]));
}

/** The name of a player; a button where an opponent is to be chosen. */
function target(table, seat) {
  const inside = [mark(seat.seat), make("span", { class: "name" }, table.who(seat.seat))];
  if (!table.offers("choose_target", "seat", seat.seat)) return make("span", { class: "who" }, inside);
  const label = table.say("chooseThis", { name: table.who(seat.seat) });
  return make("button", { type: "button", class: "who", "aria-label": label, "data-key": `target-${seat.seat}`, click: () => table.choose("choose_target", { seat: seat.seat }) }, inside);
}

function goods(table, seat) {
  const tokens = [["die", seat.die_tokens], ["event", seat.event_tokens]].flatMap(([kind, count]) => (count ? [make("span", { class: `gg-token ${kind}` }, `${count} ${table.say(kind)}`)] : []));
  const kept = seat.kept.map((id) => make("span", { class: "gg-kept", title: table.words.labels?.[`about_${id}`] ?? "" }, table.name(id)));
  return [seat.cups.map((cup) => cupSign(cup, table.name(cup))), tokens, kept];
}

/** The nations of which a player has tiles, with how many of the three; complete teams stand out. */
function teams(table, seat) {
  const counts = new Map();
  for (const square of table.view.squares) if (square.owner === seat.seat) counts.set(square.nation, (counts.get(square.nation) ?? 0) + 1);
  return counts.size ? make("span", { class: "gg-teams" }, [...counts].map(([nation, count]) => make("span", { class: `gg-team ${count === 3 ? "complete" : ""}` }, `${table.name(nation)} ${count}/3`))) : null;
}

function penalties(table, seat) {
  const found = MODIFIERS.filter((name) => seat.modifiers[name]);
  const told = found.map((name) => (table.words.labels?.[`modifier_${name}`] ?? name).replace("{n}", Number(seat.modifiers[name])));
  return told.length ? make("small", { title: table.say("until") }, told.join(" · ")) : null;
}

export function cups(table) {
  const { view } = table;
  const bank = view.bank === null ? [] : [table.say("bankHolds", { amount: table.money(view.bank) })];
  return make("section", { class: "gg-cups" }, make("h4", {}, table.say("cups")),
    make("ul", {}, view.cups.map((cup) => make("li", {}, cupSign(cup.cup, ""), make("span", {}, make("strong", {}, table.name(cup.cup)), make("small", {}, ` ${table.say("at", { n: cup.threshold })}`), make("br"),
      cup.holder === null ? table.say("bank") : [mark(cup.holder), ` ${table.who(cup.holder)}`, cup.ceded ? `, ${table.say("ceded")}` : cup.team ? `, ${table.name(cup.team)}` : ""])))),
    make("p", {}, make("small", {}, [...view.decks.map((deck) => `${table.name(deck.deck)}: ${table.say("deck", { n: deck.cards })}`), table.say("supply", view.supply), ...bank].join(" · "))));
}
