// How do suits, card types, items and dice look? Small pictures, drawn as SVG paths.

import { draw as svg } from "/static/js/draw.js";

const SUITS = {
  clubs: "M12 3a4.2 4.2 0 0 0-3.7 6.2A4.2 4.2 0 1 0 10.8 15c-.2 2.6-1 4.3-2.8 6h8c-1.8-1.7-2.6-3.4-2.8-6a4.2 4.2 0 1 0 2.5-5.8A4.2 4.2 0 0 0 12 3z",
  diamonds: "M12 2 20 12 12 22 4 12z",
  hearts: "M12 21C4.5 15 2.5 11.6 2.5 8.2A4.9 4.9 0 0 1 12 6.6a4.9 4.9 0 0 1 9.5 1.6c0 3.4-2 6.8-9.5 12.8z",
  spades: "M12 2c5.4 4.8 8.5 7.8 8.5 11.3a4.3 4.3 0 0 1-7.3 3.1c.2 2 1 3.5 2.8 5.1H8c1.8-1.6 2.6-3.1 2.8-5.1a4.3 4.3 0 0 1-7.3-3.1C3.5 9.8 6.6 6.8 12 2z",
};
const TYPES = {
  monster: "M4 4c1.5 2.2 3 3.3 4.5 3.5A9 9 0 0 1 12 7c1.2 0 2.4.2 3.5.5C17 7.3 18.5 6.2 20 4c.7 3 .4 5.3-.6 7a7.5 7.5 0 0 1 .6 3c0 4.5-3.6 7-8 7s-8-2.5-8-7c0-1.1.2-2.1.6-3C3.6 9.3 3.3 7 4 4zm4.7 7.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zm6.6 0a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zM8 17c2.5 1.7 5.5 1.7 8 0l-1.3 2.3-1.2-1-1.5 1.2-1.5-1.2-1.2 1z",
  merchant: "M3 9 5 3h14l2 6a2.6 2.6 0 0 1-4.5 1.5A2.9 2.9 0 0 1 12 10.6 2.9 2.9 0 0 1 7.5 10.5 2.6 2.6 0 0 1 3 9zm2 4h14v8h-5v-5h-4v5H5z",
  temple: "M12 2 22 8v2H2V8zM4 11.5h3V18H4zm6.5 0h3V18h-3zm6.5 0h3V18h-3zM2 19.5h20V22H2z",
  gateway: "M3 22V12a9 9 0 0 1 18 0v10h-5V12a4 4 0 0 0-8 0v10zM12 11.5l2.6 4.5-2.6 4.5-2.6-4.5z",
  fortress: "M3 3h4v3h3V3h4v3h3V3h4v7l-2 2v10h-5v-5a2 2 0 0 0-4 0v5H5V12l-2-2z",
  elves: "M12 2c2.5 2 4 4 4.5 6.5 1.8-.9 3.7-1.2 5.5-1-.7 2.6-2.2 4.6-4.5 5.7C17 18.5 15 22 12 22s-5-3.5-5.5-8.8C4.2 12.1 2.7 10.1 2 7.5c1.8-.2 3.7.1 5.5 1C8 6 9.5 4 12 2zM9.7 12a1.2 1.2 0 1 0 0 2.4 1.2 1.2 0 0 0 0-2.4zm4.6 0a1.2 1.2 0 1 0 0 2.4 1.2 1.2 0 0 0 0-2.4zM9 17c2 1.5 4 1.5 6 0v.8c-2 1.9-4 1.9-6 0z",
};
const ITEMS = {
  horse: "M5 22c-.5-6 1-9.5 4.5-11.5L6 12 3.5 9.5 9 4l.500-2.5L12 4c5 .5 8 4.5 8 10.5V22h-4.5v-5c-2 1.3-4 1.8-6 1.5V22z",
  sword: "M19 2.5 21.5 5 11 15.5l1.5 1.5-1.5 1.5-2-2L5 20.5 3.5 19l4-4-2-2L7 11.5 8.5 13z",
  shield: "M12 2l8.5 3c0 8-2.5 13-8.5 17C6 18 3.5 13 3.5 5zm0 3v13.5c3.4-2.7 5.2-6.2 5.6-11.5z",
  amulet: "M6 2c0 5 2 8 5 8.8a5.8 5.8 0 1 0 2 0c3-.8 5-3.8 5-8.8h-1.8c0 4-1.4 6.5-4.2 7-2.8-.5-4.2-3-4.2-7zm6 11.5 1.1 2 2.2.3-1.6 1.6.4 2.2-2.1-1-2.1 1 .4-2.2-1.6-1.6 2.2-.3z",
  coin: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm0 3.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM11 8v8h2V8z",
  standard: "M4 2h2v1.5h14l-3.5 5 3.5 5H6V22H4z",
};
const PIPS = { 1: [[12, 12]], 2: [[7, 7], [17, 17]], 3: [[7, 7], [12, 12], [17, 17]], 4: [[7, 7], [17, 7], [7, 17], [17, 17]], 5: [[7, 7], [17, 7], [12, 12], [7, 17], [17, 17]], 6: [[7, 6], [17, 6], [7, 12], [17, 12], [7, 18], [17, 18]] };

function picture(path, kind, label) {
  const named = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  return svg("svg", { viewBox: "0 0 24 24", class: `kc-sign ${kind}`, focusable: "false", ...named }, label ? svg("title", {}, label) : null, svg("path", { d: path, "fill-rule": "evenodd" }));
}

export const suitSign = (suit, label = "") => picture(SUITS[suit], `suit ${suit}`, label);
export const typeSign = (type, label = "") => picture(TYPES[type], `type ${type}`, label);
export const itemSign = (item, label = "", kind = "") => picture(ITEMS[item], `item ${kind}`, label);
export const typePath = (type) => TYPES[type];
export const suitPath = (suit) => SUITS[suit];
export const itemPath = (item) => ITEMS[item];

/** A die; those that count are marked. */
export function die(face, counts) {
  return svg("svg", { viewBox: "0 0 24 24", class: `kc-die ${counts ? "" : "idle"}`, "aria-hidden": "true", focusable: "false" },
    svg("rect", { x: 1.5, y: 1.5, width: 21, height: 21, rx: 5 }), PIPS[face].map(([x, y]) => svg("circle", { cx: x, cy: y, r: 2.2 })));
}
