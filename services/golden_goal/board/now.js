// What is going on in the middle of the pitch? The dice, the card, the auction as it runs, the deal on offer, and what the reader may do at once.

import { draw as svg, make, mark } from "/static/js/draw.js";

const DOTS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

export function now(table) {
  const { view } = table;
  return [make("h4", { class: "gg-now-title" }, table.say("now")), dice(table), card(table), [...view.now].reverse().filter((task) => task.task !== "arrival").map((task) => make("div", { class: `gg-task gg-task-${task.task}` }, TOLD[task.task](table, task))), moves(table)];
}

function dice(table) {
  const { view } = table;
  const rolled = view.roll.length ? make("span", { class: "gg-dice", role: "img", "aria-label": table.say("roll", { a: view.roll[0], b: view.roll[1] }) }, view.roll.map(die)) : null;
  const shown = view.now.find((task) => task.face)?.face || view.face;
  const outcome = shown ? make("span", { class: `gg-face ${shown}`, role: "img", "aria-label": table.say("outcome", { face: table.name(shown) }) }, table.name(shown)) : null;
  return rolled || outcome ? make("div", { class: "gg-row" }, rolled, outcome) : null;
}

function die(face) {
  const dots = DOTS[face].map((spot) => svg("circle", { cx: 6 + 6 * (spot % 3), cy: 6 + 6 * Math.floor(spot / 3), r: 2 }));
  return svg("svg", { viewBox: "0 0 24 24", class: "gg-die", "aria-hidden": "true", focusable: "false" }, svg("rect", { x: 1, y: 1, width: 22, height: 22, rx: 4 }), dots);
}

/** The cards of this turn, with what they say. */
function card(table) {
  return table.view.drawn.map((id) => make("article", { class: `gg-card ${id[0] === "F" ? "football" : "non_football"}`, "aria-label": table.say("drawn") },
    make("strong", {}, table.name(id)), make("small", {}, table.words.labels?.[`about_${id}`] ?? "")));
}

const TOLD = {
  purchase: (table, task) => line(table, "purchase", task),
  demand: (table, task) => line(table, "demand", task),
  match_end: (table) => line(table, "match_end", { seat: table.view.turn }),
  outcome: (table, task) => line(table, "outcomeOf", task),
  visit: (table, task) => line(table, "visitTo", task),
  bonus: (table, task) => line(table, "bonus", task),
  pick: (table, task) => line(table, "pick", task),
  scouting: (table) => line(table, "scouting"),
  bet: (table, task) => (task.amount >= 100000 ? line(table, "betMoney", task) : task.amount ? make("p", {}, table.say("betGoals", { n: task.amount })) : line(table, "bet")),
  shortfall: (table, task) => line(table, "shortfall", task),
  place: (table, task) => line(table, "placing", task),
  card: (table, task) => {
    const waiting = task.reactors.filter((seat) => !task.reacted.includes(seat));
    const hits = task.hits.map((hit) => [table.who(hit.seat), hit.tiles.length ? ` (${hit.tiles.map((tile) => table.name(tile)).join(", ")})` : ""].join(""));
    return [task.seat === null ? null : line(table, "chosen", task), hits.length ? make("p", {}, table.say("hits", { who: hits.join(", ") })) : null, waiting.length ? make("p", {}, table.say("reactions", { who: table.names(waiting) }), " ", table.marks(waiting)) : null,
      task.own_reaction ? make("p", {}, table.say("reaction", { by: table.name(task.own_reaction) })) : null];
  },
  auction: (table, task) => [
    make("p", { class: "gg-auction-title" }, table.say("auction", { thing: table.name(task.thing) }), task.seat === null ? "" : `, ${table.say("from", { who: table.who(task.seat) })}`),
    make("p", { class: "gg-bid" }, task.high === null ? table.say("opening", { amount: table.money(task.amount) }) : [mark(task.high), " ", table.say("highest", { amount: table.money(task.amount), who: table.who(task.high) })]),
    make("p", {}, make("small", {}, table.say("bidding", { who: table.names(task.bidders) })), " ", table.marks(task.bidders)),
  ],
  offer: (table, task) => [
    line(table, "offer", task),
    make("dl", { class: "gg-deal" }, make("dt", {}, mark(table.view.turn), ` ${table.who(table.view.turn)} ${table.say("gives")}`), make("dd", {}, lots(table, task.give)),
      make("dt", {}, mark(task.seat), ` ${table.who(task.seat)} ${table.say("gives")}`), make("dd", {}, lots(table, task.take))),
  ],
};

function line(table, key, task = {}) {
  const who = task.seat === null || task.seat === undefined ? "" : table.who(task.seat);
  return make("p", {}, table.say(key, { who, thing: table.name(task.thing ?? ""), amount: table.money(task.amount ?? 0), face: table.name(task.face ?? "") }));
}

function lots(table, side) {
  const told = Object.keys(side).sort().map((item) => (item === "money" ? table.money(side[item] * 100000) : side[item] > 1 ? `${side[item]} ${table.name(item)}` : table.name(item)));
  return told.join(", ") || table.say("none");
}

/** Choices that need no more than a press; the same ones stand in the list. */
function moves(table) {
  const buttons = table.choices.flatMap((choice) => {
    const fields = Object.entries(choice.fields);
    if (!fields.length) return [button(table, choice.label, choice.do, {})];
    const [name, shape] = fields[0];
    if (fields.length > 1 || SLOW.has(choice.do)) return [];
    if (choice.do === "bid") return [button(table, `${choice.label} ${table.money(shape.least)}`, choice.do, { [name]: shape.least })];
    if (shape.type === "number" && shape.most - shape.least < 4 && shape.multiple_of === 1) return counts(shape).map((count) => button(table, `${choice.label}: ${count}`, choice.do, { [name]: count }));
    if (shape.type === "one") return shape.of.map((member) => button(table, `${choice.label}: ${member.label}`, choice.do, { [name]: member.value }));
    return [];
  });
  return buttons.length ? make("div", { class: "gg-moves" }, buttons) : null;
}

function counts(shape) {
  return Array.from({ length: shape.most - shape.least + 1 }, (_, index) => shape.least + index);
}

/** What is taken in the list or on the ring only, lest a slip costs a tile. */
const SLOW = new Set(["sell_tile", "sell_token", "choose_tile", "buy_scouted"]);

function button(table, label, kind, fields) {
  return make("button", { type: "button", class: "gg-move", "data-key": `${kind}-${Object.values(fields).join("-")}`, click: () => table.choose(kind, fields) }, label);
}
