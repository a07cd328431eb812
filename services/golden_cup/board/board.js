// What does the table look like? The round, hand and finances, the Fields, the team boards and the standings; all of it from the view.

import { fill, make, mark, redraw } from "/static/js/draw.js";
import { WORDS } from "./words.js";
import { ability, cup, ICONS } from "./signs.js";
import { fields } from "./fields.js";
import { teams } from "./teams.js";
import { lineUp } from "./line_up.js";
import { printed } from "./printed.js";

const DECKS = ["bronze", "silver", "gold"];
const HAND = [["play_champion", "champion", "play"], ["discard", "champions", "drop", "several"], ["scout", "champions", "drop", "several"]];  // what pressing a hand card means

/** Draws the view into the element; `choices` are those on offer, `choose(do, fields)` takes one. */
export function draw(element, view, given = {}) {
  const { seats = [], words = {}, choices = [], choose = () => {}, language = "en" } = given;
  const table = new Table(view, seats, words, choices, choose, WORDS[language] ?? WORDS.en);
  table.unfolded = new Set([...element.querySelectorAll("details[open]")].map((part) => part.dataset.key));
  element.classList.add("golden-cup");
  const matches = `${view.played.length}/${view.fixtures.length}/${view.penalties.length}`;
  const fresh = element.dataset.matches !== undefined && element.dataset.matches !== matches;
  element.dataset.matches = matches;
  element.classList.toggle("fresh", fresh);
  const again = () => draw(element, view, given);
  redraw(element, table.head(), lineUp(table, element, again), table.own(), fields(table), teams(table), table.standings(), printed(table));
}

class Table {
  constructor(view, seats, words, choices, choose, say) {
    Object.assign(this, { view, seats, words, choices, choose });
    this.say = (key, facts) => fill(say[key] ?? key, facts);
  }

  name(id) {
    return this.words.names?.[id] ?? id;
  }

  about(id) {
    return this.words.labels?.[`about_${id}`] ?? "";
  }

  who(seat) {
    if (this.view.automa?.seat === seat) return this.say("automa");
    const known = this.seats.find((other) => other.seat === seat)?.name ?? `${this.say("player")} ${seat + 1}`;
    return seat === this.view.you ? `${known} (${this.say("you")})` : known;
  }

  /** A card's text begins with its deck and its icons: so a board needs no other source than the words. */
  printed(id) {
    const [deck = "", ...icons] = this.about(id).split(". ")[0].split(", ");
    const known = (ids, word) => ids.find((one) => this.name(one) === word) ?? "";
    return { deck: known(DECKS, deck), icons: icons.map((icon) => known(ICONS, icon)) };
  }

  deck(id) {
    return this.printed(id).deck;
  }

  icons(id) {
    return this.printed(id).icons.map((icon) => ability(icon, this.name(icon)));
  }

  /** A part that stays folded or unfolded when the board is drawn anew. */
  folded(key, caption, ...inside) {
    return make("details", { class: "gc-folded", "data-key": key, open: this.unfolded.has(key) }, make("summary", {}, caption), inside);
  }

  /** Whether a choice of this kind is on offer, with this value for this field. */
  offers(kind, field = "", value = "") {
    const choice = this.choices.find((one) => one.do === kind);
    return Boolean(choice && (!field || choice.fields[field]?.of?.some((member) => member.value === value)));
  }

  head() {
    const { view } = this;
    const won = view.winner === null ? null : make("p", { class: "gc-winner" }, cup(), make("strong", {}, this.say("winner", { who: this.who(view.winner) })));
    const stage = this.name(view.stage);
    return make("header", { class: "gc-head" }, make("p", { class: "gc-round" }, this.say("round", view), make("span", { class: "gc-steps", "aria-hidden": "true" },
      [1, 2, 3, 4, 5, 6].map((round) => make("span", { class: round < view.round ? "past" : round === view.round ? "now" : "" })))),
      make("h3", {}, stage[0].toUpperCase() + stage.slice(1)), this.opponent(), won);
  }

  /** Whom the reader meets in this round, and where. */
  opponent() {
    const { view } = this;
    if (view.you === null || !view.schedule.length || ["final", "penalties", "over"].includes(view.stage)) return null;
    const field = view.schedule[view.you][view.round - 1];
    const other = view.schedule.findIndex((fields, seat) => seat !== view.you && fields[view.round - 1] === field);
    return make("p", { class: "gc-opponent" }, `${this.say("opponent")}: ${this.name(field)}, ${this.say("versus")} `, mark(other), ` ${this.who(other)}`);
  }

  own() {
    const { own } = this.view;
    if (!own) return null;
    const seat = this.view.seats[own.seat];
    return make("section", { class: "gc-own" }, this.view.stage === "campaign" ? this.finance(seat.coins) : null, this.supporters(own), this.hand(own), this.answer(own));
  }

  /** The Finance track with the cube on it. */
  finance(coins) {
    const spaces = this.view.printed?.finance_fame.length ?? 13;
    return make("div", { class: "gc-finance", role: "img", "aria-label": `${this.say("finance")}: ${this.say("coins", { n: coins })}` },
      Array.from({ length: spaces }, (_, space) => make("span", { class: space === coins ? "cube" : space < coins ? "below" : "", "aria-hidden": "true" }, space)));
  }

  supporters(own) {
    const shown = own.supporter ? [own.supporter] : own.offered;
    return make("div", {}, make("h4", {}, this.say(own.supporter ? "supporter" : "offered")), make("ul", { class: "gc-cards" }, shown.map((id) => this.card(id, "supporter", [["keep_supporter", "supporter", "keep"]]))));
  }

  hand(own) {
    return make("div", {}, make("h4", {}, this.say("hand")), make("ul", { class: "gc-cards" }, own.hand.length ? own.hand.map((id) => this.card(id, this.deck(id), HAND)) : make("li", {}, this.say("nothing"))));
  }

  /** A card face up: name, icons, what it does; a button where pressing it means something. */
  card(id, kind, presses) {
    const about = this.about(id);
    const icons = kind === "supporter" ? [] : this.icons(id);
    const text = kind === "supporter" ? about : about.slice(about.indexOf(". ") + 2);
    const inside = [make("strong", { class: "gc-name" }, this.name(id)), make("span", { class: "gc-icons" }, icons), make("small", {}, text)];
    const found = presses.find(([command, field]) => this.offers(command, field, id));
    if (!found) return make("li", { class: `gc-card ${kind}` }, inside);
    const [command, field, caption, several] = found;
    const press = () => this.choose(command, { [field]: several ? [id] : id });
    return make("li", {}, make("button", { type: "button", class: `gc-card ${kind}`, click: press, "data-key": `${command}-${id}`, "aria-label": `${this.say(caption, { name: this.name(id) })}: ${text}` }, inside));
  }

  answer(own) {
    if (own.answer === null) return null;
    const given = own.answer.map((id) => (id ? this.name(id) : "–")).join(", ") || this.say("nothing");
    return make("p", { class: "gc-answer" }, this.say("chosen", { answer: given }));
  }

  standings() {
    const { view } = this;
    const order = [...view.seats].sort((one, other) => (other.total?.total ?? other.fame) - (one.total?.total ?? one.fame));
    const parts = order[0].total ? [["held", "fame"], ["endgame", "champions"], ["money", "finance"], ["support", "supporter"]] : [];
    const head = ["won", "drawn", "lost"].map((key) => make("th", { scope: "col", title: this.say(`${key}Long`) }, this.say(key)));
    return make("section", { class: "gc-standings" }, make("h4", {}, this.say("standings")), make("div", { class: "gc-scroll", "data-scrolls": "standings", tabindex: "0", role: "group", "aria-label": this.say("standings") },
      make("table", {}, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, this.say("player")), make("th", { scope: "col" }, this.say(parts.length ? "total" : "fame")), head, make("th", { scope: "col" }, this.say("goals")),
        parts.map(([caption]) => make("th", { scope: "col" }, this.say(caption))))),
      make("tbody", {}, order.map((seat) => make("tr", { class: seat.seat === view.you ? "mine" : "" }, make("th", { scope: "row" }, mark(seat.seat), ` ${this.who(seat.seat)}`,
        view.finalists.includes(seat.seat) ? make("small", {}, ` ${this.say("finalist")}`) : null), make("td", {}, make("strong", {}, seat.total?.total ?? seat.fame)),
        seat.record.map((count) => make("td", {}, count)), parts.map(([caption, part]) => make("td", { title: part === "supporter" ? this.name(seat.supporter) : this.say(caption) }, seat.total[part]))))))));
  }
}
