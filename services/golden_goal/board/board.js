// What does the table look like? The ring with its pawns and owners, what is resolved now, the goal-action track, the cups and the league table.

import { fill, make, mark, redraw } from "/static/js/draw.js";
import { WORDS } from "./words.js";
import { now } from "./now.js";
import { ring } from "./ring.js";
import { cups, league, pitch } from "./tables.js";

/** Draws the view into the element; `choices` are those on offer, `choose(do, fields)` takes one. */
export function draw(element, view, { seats = [], words = {}, choices = [], choose = () => {}, language = "en" } = {}) {
  const table = new Table(view, seats, words, choices, choose, WORDS[language] ?? WORDS.en);
  element.classList.add("golden-goal");
  redraw(element, head(table), ring(table, [now(table), pitch(table)]), league(table), cups(table));
}

class Table {
  constructor(view, seats, words, choices, choose, say) {
    Object.assign(this, { view, seats, words, choices, choose });
    this.say = (key, facts) => fill(say[key] ?? key, facts);
  }

  name(id) {
    return this.words.names?.[id] ?? id;
  }

  who(seat) {
    const known = this.seats.find((other) => other.seat === seat)?.name ?? this.say("player", { n: seat + 1 });
    return seat === this.view.you ? `${known} (${this.say("you")})` : known;
  }

  names(seats) {
    return seats.map((seat) => this.who(seat)).join(", ") || this.say("none");
  }

  /** Money in millions, as the squares print it. */
  money(amount) {
    return amount === null ? this.say("hidden") : this.say("million", { n: (amount / 1e6).toFixed(1) });
  }

  choice(kind) {
    return this.choices.find((one) => one.do === kind) ?? null;
  }

  /** Whether a choice of this kind offers this value for this field. */
  offers(kind, field, value) {
    return Boolean(this.choice(kind)?.fields[field]?.of?.some((member) => member.value === value));
  }

  /** What a press on a tile would do now, if anything. */
  press(tile) {
    if (this.offers("choose_tile", "tile", tile)) return { kind: "choose_tile", caption: "chooseThis" };
    if (this.offers("buy_scouted", "tile", tile)) return { kind: "buy_scouted", caption: "buyFor" };
    return null;
  }

  /** The signs of some seats in a row. */
  marks(seats) {
    return seats.map((seat) => mark(seat, this.who(seat)));
  }
}

function head(table) {
  const { view } = table;
  const over = view.stage === "over";
  const line = over ? table.say("over") : [mark(view.turn), " ", table.say("turn", { who: table.who(view.turn) })];
  return make("header", { class: "gg-head" },
    make("p", { class: "gg-round" }, table.say("round", view), " · ", view.last_round ? make("strong", {}, table.say("last")) : table.say("target", view)),
    make("h3", {}, line));
}
