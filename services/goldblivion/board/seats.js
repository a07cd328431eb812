// What lies before each seat? Bars, nuggets and material, cards in play, Buildings upright or turned, and for the reader the hand.

import { draw as svg, make, mark, seatClass } from "/static/js/draw.js";

const SPACES = ["human", "elf", "dwarf", "building"];

/** The reader's own cards, which may be played, developed or used. */
export function own(table) {
  const { own: mine, you } = table.view;
  if (!mine) return null;
  const hand = mine.hand.map((card, number) => {
    const first = mine.hand.indexOf(card) === number;
    const moves = first ? table.about(["play_card", "develop"], "card", card) : [];
    return table.card(card, moves, { key: `hand-${number}` });
  });
  const tokens = mine.tokens.map((token) => table.card(token, table.about(["use_token"], "token", token), { key: `token-${token}`, kind: "token" }));
  const bar = table.moves.filter((move) => ["buy_bar", "pass", "end_turn", "pay", "decline", "remove_nugget", "take_nothing"].includes(move.do));
  const options = table.moves.filter((move) => ["choose_option", "place_under", "steal"].includes(move.do));
  const buttons = [
    ...bar.map((move) => make("button", { type: "button", "data-key": move.do, click: () => table.take(move) }, move.text)),
    ...options.map((move, number) => make("button", { type: "button", "data-key": `${move.do}-${number}`, click: () => table.take(move), "aria-label": `${move.text}: ${move.members[0]}` }, move.members[0])),
  ];
  return make("section", { class: `gb-part gb-own ${seatClass(you)}`, "aria-label": table.say("hand") },
    buttons.length ? make("div", { class: "gb-buttons" }, buttons) : null,
    make("h4", {}, table.say("hand")),
    make("div", { class: "gb-cards" }, hand.length ? hand : make("p", {}, table.say("none"))),
    tokens.length ? [make("h4", {}, table.say("ownTokens")), make("div", { class: "gb-cards" }, tokens)] : null,
    mine.placing ? make("p", {}, table.say("chosen", { card: table.name(mine.placing), side: table.say(mine.side) })) : null,
    make("p", {}, make("small", {}, table.say("under", { left: table.names(mine.left), right: table.names(mine.right) }), " · ", table.say("ownDeck", { cards: table.names(mine.deck) }))));
}

export function boards(table) {
  return make("div", { class: "gb-seats" }, table.view.seats.map((seat) => board(table, seat)));
}

function board(table, seat) {
  const { view } = table;
  const state = seat.gone ? "gone" : seat.passed ? "passed" : seat.placed ? "placed" : seat.seat === view.turn && !view.over && view.stage !== "development" ? "turn" : "";
  const mine = seat.seat === view.you;
  const buildings = seat.buildings.map((card) => {
    const turned = seat.turned.includes(card);
    const moves = mine ? [...table.about(["turn_building"], "card", card), ...table.about(["reactivate"], "card", card)] : [];
    return table.card(card, moves, { key: `building-${seat.seat}-${card}`, note: table.say(turned ? "turned" : "upright"), kind: turned ? "turned" : "" });
  });
  const seen = new Set();
  const played = seat.played.map((card, number) => {
    const moves = mine && !seen.has(card) ? table.about(["reactivate"], "card", card) : [];
    seen.add(card);
    return moves.length ? table.card(card, moves, { key: `played-${number}` }) : make("span", { class: "gb-chip" }, table.name(card));
  });
  return make("section", { class: `gb-part gb-seat ${seatClass(seat.seat)} ${state}`, "aria-label": table.who(seat.seat) },
    make("h4", {}, mark(seat.seat), make("span", {}, table.who(seat.seat)), state ? make("small", { class: "gb-badge" }, table.say(state)) : null,
      view.first === seat.seat && !view.dummy ? make("small", { class: "gb-badge" }, table.say("first")) : null),
    goods(table, seat, seat.tokens),
    make("p", {}, make("small", {}, table.say("production", seat), " · ", table.say("decks", seat))),
    buildings.length ? make("div", { class: "gb-cards" }, buildings) : null,
    line(table, "inPlay", played),
    line(table, "territories", seat.territories.map((tile) => make("span", { class: "gb-chip" }, table.name(tile)))),
    line(table, "exhausted", seat.exhausted.map((card) => make("span", { class: "gb-chip" }, table.name(card)))),
    make("p", {}, make("small", {}, mine ? null : `${table.say("cards", { cards: table.names(seat.cards) })} · `, table.say("fighters", { cards: table.names(seat.fighters) }))));
}

function line(table, key, things) {
  return things.length ? make("p", { class: "gb-line" }, make("small", {}, `${table.say(key)}: `), things) : null;
}

/** Bars, nuggets and material with their signs; each says its name. */
function goods(table, holder, tokens) {
  const amount = (kind, n) => make("span", { class: `gb-amount ${kind}`, title: table.say(kind) }, sign(kind), make("strong", {}, n), make("span", { class: "gb-said" }, ` ${table.say(kind)}`));
  return make("p", { class: "gb-goods" }, amount("bars", holder.bars), amount("nuggets", holder.nuggets), amount("material", holder.material),
    tokens === null ? null : amount("tokens", tokens));
}

function sign(kind) {
  const shape = {
    bars: svg("path", { d: "M4 15l3-8h10l3 8z" }),
    nuggets: svg("path", { d: "M5 12l3-6 7-1 5 6-3 7-8 1z" }),
    material: svg("path", { d: "M5 8l7-4 7 4v8l-7 4-7-4z" }),
    tokens: svg("circle", { cx: 12, cy: 12, r: 8 }),
  }[kind];
  return svg("svg", { class: "gb-sign", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, shape);
}

export function dummy(table) {
  const noble = table.view.dummy;
  if (!noble) return null;
  return make("section", { class: "gb-part gb-dummy", "aria-label": table.say("dummy", { noble: table.name(noble.noble) }) },
    make("h4", {}, table.say("dummy", { noble: table.name(noble.noble) })),
    goods(table, noble, null),
    make("div", { class: "gb-cards four" }, SPACES.map((space, index) => make("div", { class: `gb-card ${space}` },
      make("strong", { class: "gb-name" }, table.say(space)), make("span", { class: "gb-power" }, row(table, noble.noble, index)), make("small", {}, table.names(noble[space]))))),
    make("p", {}, make("small", {}, table.face(`${noble.noble}_board`).split(" · ").slice(4).join(" · "))),
    line(table, "territories", noble.territories.map((tile) => make("span", { class: "gb-chip" }, table.name(tile)))));
}

function row(table, noble, index) {
  return (table.face(`${noble}_board`).split(" · ")[index] ?? "").split(": ").slice(1).join(": ");
}
