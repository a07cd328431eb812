// What does the table look like? The map, the Market, the Combat and what lies before each seat; all of it from the view.

import { draw as svg, fill, make, mark, redraw } from "/static/js/draw.js";
import { map } from "./map.js";
import { about, movesOf } from "./moves.js";
import { boards, dummy, own } from "./seats.js";
import { WORDS } from "./words.js";

/** Draws the view into the element; `choices` are those on offer, `choose(do, fields)` takes one. */
export function draw(element, view, { seats = [], words = {}, choices = [], choose = () => {}, language = "en" } = {}) {
  const table = new Table(view, seats, words, choices, choose, WORDS[language] ?? WORDS.en);
  element.classList.add("goldblivion");
  redraw(element, head(table), combat(table), nobles(table), own(table), make("div", { class: "gb-middle" }, mapPart(table), market(table)), dummy(table), boards(table), rest(table));
}

export class Table {
  constructor(view, seats, words, choices, choose, say) {
    Object.assign(this, { view, seats, words, choose, moves: movesOf(choices) });
    this.say = (key, facts) => fill(say[key] ?? key, facts);
  }

  name(id) {
    return this.words.names?.[id] ?? id;
  }

  /** What is printed on a thing, as the words of the pack say it. */
  face(id) {
    return this.words.pages?.[`face_${id}`] ?? "";
  }

  /** What a face of the dice brings. */
  die(face) {
    return this.words.pages?.[`die_${face}`] ?? face;
  }

  strength(id) {
    return this.face(id).split(" · ")[1]?.match(/\d+/)?.[0] ?? "";
  }

  spot(id) {
    return id;
  }

  who(seat) {
    const known = this.seats.find((other) => other.seat === seat)?.name ?? this.say("seat", { n: seat + 1 });
    return seat === this.view.you ? `${known} (${this.say("you")})` : known;
  }

  about(kinds, field, value) {
    return about(this.moves, kinds, field, value);
  }

  take(move) {
    this.choose(move.do, move.fields);
  }

  /** A list of names; equal ones once, with their number. */
  names(ids) {
    const counts = new Map();
    for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
    return ids.length ? [...counts].map(([id, n]) => (n > 1 ? `${n} ${this.name(id)}` : this.name(id))).join(", ") : this.say("none");
  }

  /** A card, tile or token; with one move it is a button, with several each has a button of its own. */
  card(id, moves, { key, note = "", kind = "" } = {}) {
    const parts = this.face(id).split(" · ");
    const power = parts.pop();
    const inside = [
      make("strong", { class: "gb-name" }, this.name(id)), parts.length ? make("small", { class: "gb-printed" }, parts.join(" · ")) : null,
      make("span", { class: "gb-power" }, power), note ? make("em", { class: "gb-note" }, note) : null,
    ];
    const classes = `gb-card ${kind} ${colour(this, id)} ${moves.length ? "offered" : ""}`;
    if (moves.length === 1) {
      const press = () => this.take(moves[0]);
      return make("button", { type: "button", class: classes, "data-key": key, click: press, "aria-label": `${moves[0].text}: ${moves[0].members.join(", ") || this.name(id)}` }, inside);
    }
    const buttons = moves.map((move, number) => make("button", { type: "button", class: "slim", "data-key": `${key}-${number}`, click: () => this.take(move),
      "aria-label": `${move.text}: ${move.members.join(", ")}` }, move.members.at(-1)));
    return make("div", { class: classes }, inside, buttons.length ? make("div", { class: "gb-buttons" }, buttons) : null);
  }

  list(caption, items, kind = "") {
    return make("section", { class: `gb-part ${kind}`, "aria-label": caption }, make("h4", {}, caption), make("div", { class: "gb-cards" }, items));
  }
}

function colour(table, id) {
  const race = table.face(id).split(" · ")[0].split(", ")[0];
  const badges = ["human", "elf", "dwarf", "building"];
  return badges.find((badge) => table.words.labels?.[`badge_${badge}`] === race) ?? "";
}

function head(table) {
  const { view } = table;
  const turn = view.over ? table.say(view.lost ? "defeat" : "over") : view.stage === "development" ? "" : table.say("decides", { who: table.who(view.turn) });
  return make("header", { class: "gb-head" },
    make("p", {}, make("strong", {}, table.say("round", view)), view.last_round && !view.over ? make("span", { class: "gb-badge" }, table.say("lastRound")) : null,
      view.dice.length ? make("span", {}, table.say("dice", { faces: view.dice.map((face) => table.die(face)).join(", ") })) : null),
    make("h3", {}, table.words.labels?.[`stage_${view.stage}`] ?? view.stage),
    view.question ? make("p", { class: "gb-asked" }, `${table.name(view.about)}: ${table.words.labels?.[`asked_${view.question}`] ?? ""}`) : null,
    turn ? make("p", {}, turn, view.stage === "actions" ? ` · ${table.say("actions", { n: view.actions })}` : "") : null);
}

/** The Combat that is fought now: the enemy, the strength so far, and the cards. */
function combat(table) {
  const fight = table.view.combat;
  if (!fight) return null;
  const kinds = ["resolve_card", "copy_card", "lose_card"];
  const seen = new Set();
  const cards = fight.cards.map((card, number) => {
    const open = table.view.question === "lose_card" ? !card.gone : table.view.question === "copy" ? !card.gone : !card.done;
    const moves = open && !seen.has(card.card) ? table.about(kinds, "card", card.card) : [];
    if (moves.length) seen.add(card.card);
    const note = card.gone ? table.say("boxed") : card.done ? table.say("resolved") : "";
    return table.card(card.card, moves, { key: `fight-${number}`, note, kind: card.gone || card.done ? "done" : "" });
  });
  const finish = table.moves.filter((move) => ["finish_combat", "copy_nothing"].includes(move.do));
  return make("section", { class: "gb-part gb-combat", "aria-label": table.say("combat", { space: table.name(fight.space) }) },
    make("h4", {}, table.say("combat", { space: table.name(fight.space) })),
    make("p", { class: "gb-against" }, make("strong", {}, table.name(fight.enemy)), " ", make("small", {}, table.face(fight.enemy))),
    make("p", { class: "gb-sum" }, meter(fight), table.say("strength", fight), fight.lost ? ` · ${table.say("lost")}` : ""),
    make("div", { class: "gb-cards" }, cards),
    finish.length ? make("div", { class: "gb-buttons" }, finish.map((move) => press(table, move))) : null);
}

function meter(fight) {
  const share = Math.min(1, fight.strength / Math.max(1, fight.needs));
  return svg("svg", { class: "gb-meter", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "gb-meter-all", width: 100, height: 10 }), svg("rect", { class: "gb-meter-now", width: 100 * share, height: 10 }));
}

export function press(table, move) {
  return make("button", { type: "button", "data-key": move.do, click: () => table.take(move) }, move.text);
}

function nobles(table) {
  const { nobles: there, stage } = table.view;
  if (stage !== "draft" || !there.length) return null;
  return table.list(table.say("nobles"), there.map((noble) => table.card(noble, table.about(["choose_noble"], "noble", noble), { key: `noble-${noble}` })));
}

function mapPart(table) {
  const sights = table.view.spaces.filter((space) => space.enemy);
  return make("section", { class: "gb-part gb-land", "aria-label": table.say("map") },
    make("h4", {}, table.say("map"), " ", make("small", {}, table.say("legend"))),
    map(table),
    sights.length ? make("details", { class: "gb-sights", open: true }, make("summary", {}, table.say("sights")),
      make("ul", {}, sights.map((space) => make("li", {}, make("strong", {}, `${table.spot(space.id)} ${table.name(space.enemy)}`), " ", make("small", {}, table.face(space.enemy)))))) : null);
}

function market(table) {
  const { view } = table;
  const kinds = ["buy_card", "destroy_card", "take_character", "take_combat_card"];
  const place = (id, at, note) => {
    const moves = table.about(kinds, "place", at);
    return id ? table.card(id, moves, { key: `place-${at}`, note }) : make("div", { class: "gb-card bare" }, note);
  };
  const gold = view.market.map((id, index) => place(id, `gold_${index + 1}`, id ? "" : table.say("empty")));
  const tops = view.tops.map((id, index) => place(id, index ? "pile_right" : "pile_left", id ? table.say("army", { n: view.armies[index] }) : table.say("theft")));
  const villages = ["left", "right"].map((side, index) => {
    const tile = `${side === "left" ? "village_nugget" : "village_material"}_${view.villages[index]}`;
    return table.card(tile, table.about(["use_village"], "place", side), { key: `village-${side}`, kind: "village" });
  });
  return make("div", { class: "gb-wares" },
    make("section", { class: "gb-part", "aria-label": table.say("market") },
      make("h4", {}, table.say("market"), " ", make("small", {}, table.say("pile", { n: view.pile }))), make("div", { class: "gb-cards four" }, gold)),
    make("div", { class: "gb-pair" }, table.list(table.say("armies"), tops, "two"), table.list(table.say("villages"), villages, "two")));
}

function rest(table) {
  const { view } = table;
  const lines = [table.say("bank", { n: view.bank, used: table.names(view.used) }), table.say("box", { cards: table.names(view.box) })];
  if (view.buried.length) lines.push(table.say("buried", { cards: table.names(view.buried) }));
  if (view.revealed.length) lines.push(table.say("revealed", { spaces: table.names(view.revealed) }));
  return make("p", { class: "gb-rest" }, make("small", {}, lines.join(" · ")));
}
