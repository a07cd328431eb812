// What does the table look like? The tournament with its duel cards, who votes for whom, and the score boards; all of it from the view.

import { draw as svg, fill, make, mark, redraw } from "/static/js/draw.js";
import { WORDS } from "./words.js";
import { scores } from "./scores.js";

const STAGES = ["quarter_final", "semi_final", "final"];
const SYMBOLS = ["circle", "triangle"];
const FEEDERS = { 4: { circle: 0, triangle: 1 }, 5: { circle: 2, triangle: 3 }, 6: { circle: 4, triangle: 5 } };  // CH-275: whose winner comes to this place

/** Draws the view into the element; `choices` are those on offer, `choose(do, fields)` takes one. */
export function draw(element, view, { seats = [], words = {}, choices = [], choose = () => {}, language = "en" } = {}) {
  const table = new Table(view, seats, words, choices, choose, WORDS[language] ?? WORDS.en);
  element.classList.add("champions");
  const before = element.dataset.column;
  redraw(element, table.head(), table.own(), table.spotlight(), table.bracket(), scores(table), table.authors());
  const now = table.column();
  element.dataset.column = now;
  if (before !== now) show(element.querySelector(`[data-column-of="${now}"]`));
}

/** Brings a column into sight where the columns stand beside each other and must be scrolled. */
function show(column) {
  const strip = column?.parentElement;
  if (strip && strip.scrollWidth > strip.clientWidth) strip.scrollTo({ left: column.offsetLeft - strip.offsetLeft - 12 });
}

class Table {
  constructor(view, seats, words, choices, choose, say) {
    Object.assign(this, { view, seats, words, choices, choose });
    this.say = (key, facts) => fill(say[key] ?? key, facts);
    this.contestants = new Map(view.contestants.map((contestant) => [contestant.number, contestant]));
    this.current = view.duels.find((duel) => duel.id === view.duel) ?? null;
  }

  name(id) {
    return this.words.names?.[id] ?? this.say(id);
  }

  who(seat) {
    const known = this.seats.find((other) => other.seat === seat)?.name ?? `${this.say("player")} ${seat + 1}`;
    return seat === this.view.you ? `${known} (${this.say("you")})` : known;
  }

  called(number) {
    const contestant = this.contestants.get(number);
    return contestant ? contestant.name || this.say("replaced") : this.say("free");
  }

  points(n) {
    return this.say(n === 1 ? "point" : "points", { n });
  }

  /** Whether a choice of this kind offers this value for this field. */
  offers(kind, field, value) {
    const choice = this.choices.find((one) => one.do === kind);
    return Boolean(choice?.fields[field]?.of?.some((member) => member.value === value));
  }

  column() {
    return this.current?.stage ?? (this.view.champion ? "final" : "quarter_final");
  }

  head() {
    const { view } = this;
    const champion = view.champion
      ? make("p", { class: "crowned" }, cup(), make("span", {}, `${this.say("champion", view)}: `, make("strong", {}, this.called(view.champion))))
      : null;
    return make("header", { class: "ch-head" },
      make("p", { class: "ch-round" }, this.say("round", view), steps(view)),
      make("h3", {}, view.stage === "over" ? this.say(view.unfinished ? "unfinished" : "over") : sentence(this.name(view.stage))),
      view.audience ? make("p", { class: "ch-tie" }, this.say(view.audience.crowd ? "crowd" : view.audience.influence)) : null, champion);
  }

  /** The reader's own tiles while names are written, and later which of the contestants they are. */
  own() {
    const { own, stage } = this.view;
    if (!own || !own.tiles.length || !["names", "clash", "replacement"].includes(stage)) return null;
    return make("section", { class: "ch-tiles" },
      make("h4", {}, this.say("tiles"), " ", make("small", {}, this.say("sheet", { sheet: own.sheet }))),
      make("ul", {}, own.tiles.map((tile) => make("li", { class: tile.asked ? "asked" : "" },
        make("small", {}, this.say("tile", { n: tile.tile })),
        make("strong", {}, tile.name || this.say("blank")),
        tile.former && tile.asked ? make("small", {}, this.say("clash", tile)) : null))),
      this.view.used.length ? make("p", {}, make("small", {}, this.say("used", { names: this.view.used.join(", ") }))) : null);
  }

  /** The duel that is talked over, voted on or just decided, large. */
  spotlight() {
    const duel = this.current;
    if (!duel) return null;
    const [first, second] = SYMBOLS.map((symbol) => this.side(duel, symbol));
    return make("section", { class: `ch-spotlight ${duel.winner ? "decided" : ""}`, "aria-label": this.name(duel.id) },
      make("p", { class: "ch-label" }, make("span", {}, this.name(duel.id)), make("span", { class: "ch-points" }, this.points(duel.points))),
      make("p", { class: "ch-question" }, this.say("who", duel)),
      make("div", { class: "ch-sides" }, first, make("span", { class: "ch-versus", "aria-hidden": "true" }, this.say("versus")), second),
      make("p", { class: "ch-tie" }, sign(duel.tie), this.say("tie", { symbol: this.say(duel.tie) }), duel.by_symbol ? ` · ${this.say("byTie")}` : ""),
      this.abstained(duel));
  }

  side(duel, symbol) {
    const number = duel[symbol];
    const name = this.called(number);
    const mine = this.view.own?.vote === symbol && !duel.winner;
    const inside = [
      sign(symbol, "big"), make("span", { class: "ch-name" }, name),
      mine ? make("span", { class: "ch-note" }, this.say("yourVote")) : null,
      number !== null && this.view.own?.champion === number ? make("span", { class: "ch-note" }, this.say("yourChampion")) : null,
      duel.winner === number && number !== null ? make("span", { class: "ch-won" }, cup(), this.say("winner")) : null,
      this.voters(duel, symbol),
    ];
    const classes = `ch-side ${symbol} ${mine ? "mine" : ""} ${duel.winner && duel.winner !== number ? "lost" : ""}`;
    if (!this.offers("vote", "symbol", symbol)) return make("div", { class: classes }, inside);
    const press = () => this.choose("vote", { symbol });
    return make("button", { type: "button", class: classes, click: press, "data-key": `vote-${symbol}`, "aria-pressed": String(mine),
      "aria-label": `${this.say("voteFor", { name, symbol: this.say(symbol) })}${mine ? `, ${this.say("yourVote")}` : ""}` }, inside);
  }

  /** Who laid this symbol, once the cards are turned over. */
  voters(duel, symbol) {
    if (!duel.votes) return null;
    const seats = duel.votes.flatMap((vote, seat) => (vote === symbol ? [seat] : []));
    const audience = duel.audience?.[SYMBOLS.indexOf(symbol)];
    return make("span", { class: "ch-voters" },
      seats.map((seat) => mark(seat, this.who(seat))),
      make("small", {}, this.say(seats.length === 1 ? "vote" : "votes", { n: seats.length })),
      audience === undefined ? null : make("small", {}, this.say("audience", { n: audience })));
  }

  abstained(duel) {
    const space = (seat) => this.view.seats[seat].spaces[this.view.duels.indexOf(duel)];   // open: that seat had left before
    const silent = (duel.votes ?? []).flatMap((vote, seat) => (vote || space(seat) === "open" ? [] : [this.who(seat)]));
    return silent.length ? make("p", { class: "ch-tie" }, this.say("abstained", { who: silent.join(", ") })) : null;
  }

  bracket() {
    const columns = STAGES.map((stage) => make("section", { class: `ch-column ${stage}`, "data-column-of": stage, "aria-label": this.say(stage) },
      make("h4", {}, this.say(stage)), make("div", { class: "ch-cards" }, this.view.duels.filter((duel) => duel.stage === stage).map((duel) => make("div", { class: "ch-cell" }, this.card(duel))))));
    return make("div", { class: "ch-bracket", role: "group", "aria-label": this.say("scroll"), "data-scrolls": "bracket", tabindex: "0", "data-key": "bracket" }, columns);
  }

  card(duel) {
    const now = duel.id === this.view.duel;
    return make("article", { class: `ch-card ${now ? "now" : ""} ${duel.winner ? "decided" : ""}`, "aria-label": this.name(duel.id) },
      make("p", { class: "ch-label" }, make("span", {}, this.name(duel.id)), make("span", { class: "ch-points" }, this.points(duel.points))),
      make("p", { class: "ch-situation" }, make("span", { class: "ch-tie-sign", title: this.say("tie", { symbol: this.say(duel.tie) }) },
        sign(duel.tie, "", this.say("tie", { symbol: this.say(duel.tie) }))), make("span", {}, this.say("who", duel))),
      SYMBOLS.map((symbol) => this.place(duel, symbol)));
  }

  place(duel, symbol) {
    const number = duel[symbol];
    const contestant = this.contestants.get(number);
    const won = number !== null && duel.winner === number;
    const lost = duel.winner !== null && !won;
    const own = this.view.own;
    const inside = [
      sign(symbol, "", this.say(symbol)),
      make("span", { class: `ch-name ${contestant ? "" : "free"} ${contestant?.replacing ? "free" : ""}` }, this.called(number)),
      own?.champion === number && number !== null ? make("span", { class: "ch-star", title: this.say("yourChampion") }, cup(this.say("yourChampion"))) : null,
      won ? make("span", { class: "ch-tick" }, tick(this.say("winner"))) : null,
      lost ? make("span", { class: "hidden-but-said" }, this.say("out")) : null,
      duel.votes ? this.tally(duel, symbol) : this.expected(duel, symbol),
    ];
    return this.pressable(duel, symbol, number, `ch-place ${symbol} ${won ? "won" : ""} ${lost ? "lost" : ""} ${contestant ? "" : "vacant"}`, inside);
  }

  tally(duel, symbol) {
    const seats = duel.votes.flatMap((vote, seat) => (vote === symbol ? [seat] : []));
    return make("span", { class: "ch-marks" }, seats.map((seat) => mark(seat, this.who(seat))));
  }

  /** The reader's private notes: who is expected to win here, and for a place that is still free who is expected to stand there (CH-203). */
  expected(duel, symbol) {
    const notes = this.view.own?.notes ?? [];
    const index = this.view.duels.indexOf(duel);
    const number = duel[symbol] ?? notes[FEEDERS[index]?.[symbol]] ?? null;
    const wins = number !== null && notes[index] === number;
    const key = wins ? "note" : duel[symbol] === null && number !== null ? "noteHere" : null;
    return key ? make("small", { class: "ch-expected" }, this.say(key, { name: this.called(number) })) : null;
  }

  /** What a press on this place would do now: vote, choose a champion, or mark a name; else it is no button. */
  pressable(duel, symbol, number, classes, inside) {
    const name = this.called(number);
    const found = [
      [duel.id === this.view.duel && this.offers("vote", "symbol", symbol), "vote", { symbol }, this.say("voteFor", { name, symbol: this.say(symbol) })],
      [duel.stage === "quarter_final" && this.offers("choose_champion", "contestant", number), "choose_champion", { contestant: number },
        this.say("pickChampion", { name })],
      [this.offers("check_names", "unknown", number), "check_names", { unknown: [number] }, this.say("mark", { name })],
    ].find(([offered]) => offered && number !== null);
    if (!found) return make("div", { class: classes }, inside);
    const [, kind, fields, label] = found;
    return make("button", { type: "button", class: classes, "aria-label": label, "data-key": `${duel.id}-${symbol}`, click: () => this.choose(kind, fields) }, inside);
  }

  authors() {
    if (!this.view.authors.length) return null;
    return make("details", {}, make("summary", {}, this.say("authors")),
      make("ul", {}, this.view.authors.map((author) => make("li", {}, `${author.name} – ${author.seat === null ? this.say("nobody") : this.who(author.seat)}`))));
  }
}

/** Where the round is: names, prediction, tournament. */
function steps(view) {
  const order = [["names", "clash", "check", "replacement", "gathering"], ["prediction"], ["discussion", "vote", "count", "reveal"]];
  const now = view.stage === "over" ? order.length : order.findIndex((stages) => stages.includes(view.stage));
  return make("span", { class: "ch-steps", "aria-hidden": "true" }, order.map((_, index) => make("span", { class: index < now ? "past" : index === now ? "now" : "" })));
}

function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The two symbols: an amber circle and a teal triangle (CH-103). */
export function sign(symbol, size = "", label = "") {
  const shape = symbol === "circle" ? svg("circle", { cx: 12, cy: 12, r: 9.5 }) : svg("path", { d: "M12 2.5 22.5 21h-21z" });
  const named = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  return svg("svg", { viewBox: "0 0 24 24", class: `ch-sign ${symbol} ${size}`, focusable: "false", ...named }, shape);
}

function cup(label = "") {
  const named = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  return svg("svg", { viewBox: "0 0 24 24", class: "ch-cup", focusable: "false", ...named },
    svg("path", { d: "M7 2.5h10v2h4.5c0 4.5-1.5 6.9-4.9 7.6A5.2 5.2 0 0 1 13.2 15v2.5H17v3.7H7v-3.7h3.8V15a5.2 5.2 0 0 1-3.4-2.9C4 11.4 2.5 9 2.5 4.5H7z" }));
}

function tick(label) {
  return svg("svg", { viewBox: "0 0 24 24", class: "ch-cup", role: "img", "aria-label": label, focusable: "false" }, svg("path", { d: "M9.5 19.5 2.8 12.8l2.7-2.7 4 4L18.8 4.7l2.7 2.7z" }));
}
