// What does the table look like? The map as it grows, the knights and what they own, dice, bids and offers; all of it from the view.

import { fill, make, mark, redraw } from "/static/js/draw.js";
import { map } from "./map.js";
import { die, itemSign, suitSign, typeSign } from "./signs.js";
import { WORDS } from "./words.js";

const SUITS = ["clubs", "diamonds", "hearts", "spades"];

/** Draws the view into the element; `choices` are those on offer, `choose(do, fields)` takes one. */
export function draw(element, view, { seats = [], words = {}, choices = [], choose = () => {}, language = "en" } = {}) {
  const table = new Table(element, view, seats, words, choices, choose, WORDS[language] ?? WORDS.en);
  element.classList.add("knightly-cup");
  table.redraw();
  const now = `${view.turn?.seat ?? ""}:${view.knights[view.turn?.seat ?? 0]?.at ?? ""}:${view.spots.length}`;
  if (element.dataset.now !== now) centre(element);
  element.dataset.now = now;
}

/** Brings the knight on turn, or the map's middle, into sight. */
function centre(element) {
  const strip = element.querySelector(".kc-scroll");
  const square = element.querySelector(".kc-square.here") ?? element.querySelector(".kc-map");
  if (!strip || !square) return;
  const [outer, inner] = [strip.getBoundingClientRect(), square.getBoundingClientRect()];
  strip.scrollTo(strip.scrollLeft + inner.left + inner.width / 2 - outer.left - outer.width / 2, strip.scrollTop + inner.top + inner.height / 2 - outer.top - outer.height / 2);
}

class Table {
  constructor(element, view, seats, words, choices, choose, say) {
    Object.assign(this, { element, view, seats, words, choices, choose });
    this.say = (key, facts) => fill(say[key] ?? key, facts);
  }

  redraw() {
    redraw(this.element, this.head(), this.hand(), map(this), this.open(), this.knights(), this.bank());
  }

  name(id) {
    return this.words.names?.[id] ?? id;
  }

  who(seat) {
    if (seat === null || seat < 0) return this.say("guardian");
    const known = this.seats.find((other) => other.seat === seat)?.name ?? `${this.say("player")} ${seat + 1}`;
    return seat === this.view.you ? `${known} (${this.say("you")})` : known;
  }

  list(seats) {
    return seats.map((seat) => this.who(seat)).join(", ");
  }

  /** What a field of a kind of choice may be; nothing where it is not on offer. */
  values(kind, field) {
    return this.choices.filter((choice) => choice.do === kind).flatMap((choice) => choice.fields[field]?.of?.map((member) => member.value) ?? []);
  }

  lay(spot) {
    const card = this.element.dataset.card;
    this.choose("lay_card", card && this.values("lay_card", "card").includes(card) ? { card, spot } : { spot });
  }

  head() {
    const { view } = this;
    const over = view.stage === "over";
    const title = over ? (view.winner === null ? this.say("cap") : this.say("winner", { who: this.who(view.winner) })) : sentence(this.name(view.asked || view.stage));
    const moves = view.turn && view.stage === "walk" && !view.asked ? this.say(view.turn.moves === 1 ? "move" : "moves", { n: view.turn.moves }) : "";
    const facts = [view.round ? this.say("round", view) : "", view.swaps ? this.say("elves", { n: view.swaps }) : ""].filter(Boolean).join(" · ");
    return make("header", { class: "kc-head" },
      facts ? make("p", { class: "kc-round" }, facts) : null,
      make("h3", {}, title),
      view.decides === null ? null : make("p", { class: "kc-turn" }, make("span", { class: "who" }, mark(view.decides), make("span", { class: "name" }, this.who(view.decides))), moves ? make("span", { class: "badge gold" }, moves) : null),
      view.barred_by.length && !view.asked ? make("p", { class: "kc-barred" }, this.say("barred", { who: this.list(view.barred_by) })) : null);
  }

  /** The cards in hand while the map is laid: choose one, then a position. */
  hand() {
    const { view } = this;
    if (!view.hand.length) return null;
    const layable = new Set(this.values("lay_card", "card"));
    const chosen = this.element.dataset.card;
    const pick = (id) => () => { this.element.dataset.card = id; this.redraw(); };
    const card = (one) => {
      const inside = [typeSign(one.type), make("span", {}, one.strength || ""), one.suit ? suitSign(one.suit) : null];
      const label = this.name(one.id) + (chosen === one.id ? `, ${this.say("chosen")}` : "");
      const kind = `kc-hand-card ${one.colour} ${chosen === one.id ? "chosen" : ""}`;
      return make("li", {}, layable.has(one.id)
        ? make("button", { type: "button", class: kind, click: pick(one.id), "data-key": `hand-${one.id}`, "aria-label": label, "aria-pressed": String(chosen === one.id), title: this.name(one.id) }, inside)
        : make("span", { class: kind, role: "img", "aria-label": label, title: this.name(one.id) }, inside));
    };
    return make("section", { class: "kc-hand" }, make("h4", {}, this.say("hand")),
      layable.size ? make("p", {}, make("small", {}, this.say("pickCard"))) : null,
      make("ul", {}, view.hand.map(card)));
  }

  /** What is under way: dice, a combat, a bribe, an offer, the challenge. */
  open() {
    const parts = [this.rolls(), this.bidding(), this.offer(), this.challenge()].filter(Boolean);
    return parts.length ? make("section", { class: "kc-open" }, parts) : null;
  }

  rolls() {
    const { view } = this;
    if (!view.rolls.length) return null;
    const fight = view.combat;
    const title = fight ? make("h4", {}, this.say(fight.guardian ? "storm" : "combat", { n: fight.round })) : null;
    return make("div", { class: "kc-rolls" }, title, make("ul", {}, view.rolls.map((roll) => this.roll(roll))));
  }

  roll(roll) {
    const { kept_dice: kept } = this.view.numbers;
    const order = roll.faces.map((_, index) => index).sort((one, other) => roll.faces[other] - roll.faces[one]);
    const counts = new Set(["movement", "monster"].includes(roll.what) ? order : order.slice(0, kept));
    const who = roll.seat >= 0 ? make("span", { class: "who" }, mark(roll.seat), make("span", { class: "name" }, this.who(roll.seat))) : roll.what === "monster" ? null : make("strong", {}, this.say("guardian"));
    const score = roll.what === "monster" ? this.say("target", { n: roll.score }) : String(roll.score);
    return make("li", { class: `kc-roll ${roll.what}` },
      make("span", { class: "kc-what" }, this.say(roll.what)), who,
      make("span", { class: "kc-dice", role: "img", "aria-label": roll.faces.join(", ") }, roll.faces.map((face, index) => die(face, counts.has(index)))),
      make("strong", { class: "kc-score" }, score), roll.again ? make("span", { class: "badge" }, this.say("again")) : null);
  }

  bidding() {
    const bid = this.view.bidding;
    return bid ? make("div", { class: "kc-deal" }, make("h4", {}, this.say("bidding", { who: this.who(bid.foe) })), make("p", { class: "kc-amount" }, itemSign("coin", "", "gold"), ` ${this.say("bid", { who: this.who(bid.by), n: bid.bid })}`)) : null;
  }

  offer() {
    const { offer } = this.view;
    if (!offer) return null;
    const side = (key, lots) => make("div", {}, make("small", {}, this.say(key)), make("p", { class: "kc-lots" }, Object.keys(lots).length ? Object.entries(lots).map(([lot, n]) => make("span", {}, itemSign(lot === "coins" ? "coin" : lot), ` ${n} ${lot === "coins" ? this.say("coins") : this.name(lot)}`)) : this.say("nothing")));
    return make("div", { class: "kc-deal" }, make("h4", {}, this.say("offer", { who: this.who(offer.by), to: this.who(offer.to) })),
      make("div", { class: "kc-sides" }, side("gives", offer.give), side("takes", offer.take)), offer.promise ? make("blockquote", {}, offer.promise) : null);
  }

  challenge() {
    const { beaten } = this.view;
    return beaten === null ? null : make("div", { class: "kc-deal" }, make("h4", {}, this.say("challenge")), make("p", {}, this.say("beaten", { who: beaten.length ? this.list(beaten) : this.say("none") })));
  }

  knights() {
    return make("section", { class: "kc-knights", "aria-label": this.say("knights") }, this.view.knights.map((knight) => this.knight(knight)));
  }

  knight(knight) {
    const { view } = this;
    const active = view.turn?.seat === knight.seat && view.stage !== "over";
    const sheltered = knight.sheltered ? this.say("sheltered", { type: this.name(knight.sheltered) }) : "";
    const marks = [knight.place ? this.say("place", knight) : "", view.turn ? sheltered || this.say(knight.claims ? "asylum" : "waives") : "", view.turn && knight.wish !== knight.claims ? this.say(knight.wish ? "willClaim" : "willWaive") : "", knight.won ? this.say("won", { n: knight.won }) : "", knight.begged ? this.say("begged") : "", knight.resigned ? this.say("resigned") : "", knight.cards ? this.say("cards", { n: knight.cards }) : ""];
    const standard = (suit) => {
      const held = knight.standards.includes(suit);
      return make("li", { class: held ? `held ${suit}` : "missing" }, itemSign("standard"), suitSign(suit, `${this.name(suit)}: ${this.say(held ? "has" : "lacks")}`));
    };
    return make("article", { class: `kc-person ${active ? "active" : ""} ${knight.resigned ? "gone" : ""}` },
      make("h4", {}, make("span", { class: "who" }, mark(knight.seat), make("span", { class: "name" }, this.who(knight.seat))), knight.suit ? make("span", { class: "kc-home" }, suitSign(knight.suit, `${this.say("home")}: ${this.name(knight.suit)}`)) : null),
      make("p", { class: "kc-purse" }, make("span", {}, itemSign("coin", this.say("coins"), "gold"), make("strong", {}, knight.coins)),
        make("span", { title: this.say("dice", { n: knight.dice }), role: "img", "aria-label": this.say("dice", { n: knight.dice }) }, Array.from({ length: knight.dice }, () => make("i", { class: "kc-die-mark" }))),
        knight.items.map((item) => itemSign(item, this.name(item)))),
      make("ul", { class: "kc-standards", "aria-label": this.say("standards") }, SUITS.map(standard)),
      make("p", {}, make("small", {}, marks.filter(Boolean).join(" · "))));
  }

  /** What everything costs, and what waits in Bank and Fortresses. */
  bank() {
    const { view } = this;
    if (!Object.keys(view.supply).length) return null;
    const goods = Object.entries(view.goods).map(([item, good]) => make("li", {}, itemSign(item), ` ${this.name(item)} `, make("span", {}, itemSign("coin", this.say("coins"), "gold"), make("strong", {}, good.price)), make("small", {}, ` ${this.name(good.sold_at)} · ${this.say("supply", { n: view.supply[item] })}`)));
    const stores = SUITS.map((suit) => make("li", {}, suitSign(suit, this.name(suit)), make("strong", {}, ` × ${view.stores[suit]}`)));
    const gateways = Object.entries(view.pairs).filter(([suit, other]) => suit < other).map((pair) => make("li", {}, pair.map((suit) => suitSign(suit, this.name(suit)))));
    return make("details", { class: "kc-bank" }, make("summary", {}, this.say("legend")), make("ul", {}, goods), make("h4", {}, this.say("stores")), make("ul", { class: "kc-stores" }, stores),
      make("h4", {}, this.say("gateways")), make("ul", { class: "kc-stores" }, gateways),
      view.aside.length ? make("p", {}, this.say("aside", { cards: view.aside.map((card) => this.name(card.id)).join(", ") })) : null);
  }
}

function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
