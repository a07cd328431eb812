// How does the map look? One square per card, drawn as SVG: what lies there, what you remember, who stands on it, and where you may go.

import { draw as svg, make, seatClass } from "/static/js/draw.js";
import { itemPath, suitPath, typePath } from "./signs.js";

const SIZE = 100;
const WAYS = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };

/** The whole map, scrolling where it does not fit; squares that can be chosen are buttons. */
export function map(table) {
  const { view } = table;
  if (!view.spots.length) return null;
  const targets = reachable(table);
  const squares = [...view.spots.map(({ x, y }) => [x, y]), ...targets.free.map(spotOf)];
  const [left, top] = [0, 1].map((axis) => Math.min(...squares.map((square) => square[axis])));
  const [right, bottom] = [0, 1].map((axis) => Math.max(...squares.map((square) => square[axis])));
  const [columns, rows] = [right - left + 1, bottom - top + 1];
  const at = (x, y) => `translate(${(x - left) * SIZE + SIZE / 2} ${(y - top) * SIZE + SIZE / 2})`;
  const drawn = svg("svg", { viewBox: `0 0 ${columns * SIZE} ${rows * SIZE}`, class: "kc-map", role: "group", "aria-label": table.say("map") },
    targets.free.map((spot) => free(table, spot, at(...spotOf(spot)))),
    view.spots.map((spot) => square(table, spot, at(spot.x, spot.y), targets)));
  drawn.style.setProperty("--columns", columns);
  drawn.style.setProperty("--rows", rows);
  return make("div", { class: "kc-scroll", "data-scrolls": "map", tabindex: "0", role: "group", "aria-label": table.say("scroll"), "data-key": "map" }, drawn);
}

export function spotOf(spot) {
  return spot.split(",").map(Number);
}

/** Where a press leads: steps from where the knight stands, free positions for a card, hiding places for elves. */
function reachable(table) {
  const { view } = table;
  const own = view.knights[view.you];
  const here = own && own.at !== null ? view.spots[own.at] : null;
  const steps = new Map();
  for (const way of table.values("step", "direction")) {
    const [right, down] = WAYS[way];
    const near = view.spots.find((spot) => here && spot.x === here.x + right && spot.y === here.y + down);
    if (near) steps.set(near.place, way);
  }
  return { steps, free: table.values("lay_card", "spot"), hiding: new Set(table.values("swap_elves", "spot")) };
}

function press(label, key, act) {
  const byKey = (event) => {
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); act(); }
  };
  return { role: "button", tabindex: "0", "aria-label": label, "data-key": key, click: act, keydown: byKey };
}

function free(table, spot, transform) {
  const [x, y] = spotOf(spot);
  const act = () => table.lay(spot);
  return svg("g", { transform, class: "kc-free", ...press(`${table.say("layHere")}: ${table.say("row", { x, y })}`, `lay-${spot}`, act) },
    svg("rect", { x: -44, y: -44, width: 88, height: 88, rx: 12 }), svg("path", { d: "M0-14V14M-14 0H14" }));
}

function square(table, spot, transform, targets) {
  const { view } = table;
  const face = spot.card ?? spot.known;
  const way = targets.steps.get(spot.place);
  const hides = targets.hiding.has(`${spot.x},${spot.y}`);
  const told = description(table, spot);
  const label = way ? `${table.say("goHere", { way: table.name(way) })}: ${told}` : hides ? `${table.say("hide")}: ${told}` : told;
  const act = way ? () => table.choose("step", { direction: way }) : () => table.choose("swap_elves", { spot: `${spot.x},${spot.y}` });
  const pressed = way || hides ? press(label, `spot-${spot.place}`, act) : { role: "img", "aria-label": label };
  const here = view.turn && view.knights[view.turn.seat].at === spot.place;
  const kind = `kc-square ${spot.card ? `up ${spot.card.colour}` : "down"} ${way || hides ? "open" : ""} ${here ? "here" : ""}`;
  return svg("g", { transform, class: kind, ...pressed },
    svg("title", {}, told),
    svg("rect", { class: "kc-card", x: -46, y: -46, width: 92, height: 92, rx: 10 }),
    spot.card ? faceUp(spot.card, view.knights.some((knight) => knight.at === spot.place)) : faceDown(spot, face),
    goods(spot), knights(table, spot));
}

/** The type stands small at the top where a knight stands before it. */
function faceUp(card, occupied) {
  return [
    card.suit ? svg("path", { class: "kc-suit", d: suitPath(card.suit), transform: "translate(-44 -44) scale(1.05)" }) : null,
    card.type === "monster" ? svg("text", { class: "kc-strength", x: 42, y: -20, "text-anchor": "end" }, String(card.strength)) : null,
    svg("path", { class: `kc-type ${card.type}`, d: typePath(card.type), "fill-rule": "evenodd", transform: occupied ? "translate(-13 -45) scale(1.15)" : "translate(-20 -26) scale(1.65)" }),
  ];
}

function faceDown(spot, face) {
  const layer = spot.layer === null ? null : svg("circle", { class: `kc-layer ${seatClass(spot.layer)}`, cx: 35, cy: -35, r: 6 });
  if (!face) return [svg("path", { class: "kc-back", d: "M-30-30 30 30M30-30-30 30M0-42 42 0 0 42-42 0z" }), layer];
  return svg("g", { class: `kc-memory ${face.colour} ${spot.stale ? "stale" : ""}` },
    face.suit ? svg("path", { class: "kc-suit", d: suitPath(face.suit), transform: "translate(-42 -42) scale(0.95)" }) : null,
    svg("path", { class: "kc-type", d: typePath(face.type), "fill-rule": "evenodd", transform: "translate(-17 -22) scale(1.4)" }),
    face.strength ? svg("text", { class: "kc-strength", x: 24, y: -22, "text-anchor": "end" }, String(face.strength)) : null,
    spot.stale ? svg("text", { class: "kc-doubt", x: 30, y: 40, "text-anchor": "middle" }, "?") : null, layer);
}

/** Stock and hoard along the lower edge. */
function goods(spot) {
  const things = [...spot.stock, ...spot.hoard.items];
  const icons = things.map((item, index) => svg("path", { class: "kc-good", d: itemPath(item), "fill-rule": "evenodd", transform: `translate(${-43 + index * 22} 21) scale(0.9)` }));
  const coins = spot.hoard.coins;
  return [icons, coins ? svg("g", { class: "kc-coins" }, svg("circle", { cx: 32, cy: 32, r: 13 }), svg("text", { x: 32, y: 37, "text-anchor": "middle" }, String(coins))) : null];
}

function knights(table, spot) {
  const here = table.view.knights.filter((knight) => knight.at === spot.place);
  return here.map((knight, index) => {
    const x = here.length === 1 ? 0 : -27 + index * (54 / (here.length - 1));
    return svg("g", { class: `kc-knight ${seatClass(knight.seat)} ${knight.resigned ? "gone" : ""}`, transform: `translate(${x} 14)` },
      svg("path", { d: "M-13 27c-1-13 2-21 9-25l-8 3-5-5 11-12 1-6 5 6c11 1 17 10 17 22v17z", transform: "translate(-2 -4)" }),
      svg("text", { x: 2, y: 18, "text-anchor": "middle" }, String(knight.seat + 1)),
      knight.sheltered ? svg("path", { class: "kc-roof", d: "M-18-14 0-28 18-14" }) : null);
  });
}

/** What a screen reader hears of a square. */
export function description(table, spot) {
  const parts = [table.say("row", spot)];
  if (spot.card) parts.push(table.name(spot.card.id), spot.card.strength ? table.say("strength", { n: spot.card.strength }) : "");
  else parts.push(table.say("faceDown"), spot.known ? table.say(spot.stale ? "stale" : "known", { card: table.name(spot.known.id) }) : "", spot.layer === null ? "" : table.say("laidBy", { who: table.who(spot.layer) }));
  if (spot.stock.length) parts.push(table.say("stock", { items: spot.stock.map((item) => table.name(item)).join(", ") }));
  const hoard = [spot.hoard.coins ? table.say("coin", { n: spot.hoard.coins }) : "", ...spot.hoard.items.map((item) => table.name(item))].filter(Boolean);
  if (hoard.length) parts.push(table.say("hoard", { what: hoard.join(", ") }));
  const standing = table.view.knights.filter((knight) => knight.at === spot.place).map((knight) => table.who(knight.seat));
  if (standing.length) parts.push(table.say("standing", { who: standing.join(", ") }));
  return parts.filter(Boolean).join(", ");
}
