// Which small pictures are there? Ability icons, Action tokens, dice faces, and the cup.

import { draw as svg, make, seatClass } from "/static/js/draw.js";

const PATHS = {
  eye: "M2 12c4-6 16-6 20 0-4 6-16 6-20 0zm10-3.6a3.6 3.6 0 1 0 0 7.2 3.6 3.6 0 0 0 0-7.2z",
  fist: "M5 10V7.5a1.7 1.7 0 0 1 3.4 0V6.6a1.7 1.7 0 0 1 3.4 0v.3a1.7 1.7 0 0 1 3.4 0v.7a1.7 1.7 0 0 1 3.3.4V14c0 4-2.6 6-6.6 6S5 17.6 5 14.5z",
  wing: "M3 4c9 0 17 3 18 15-3-1-5-2-6-4 0 2 0 3-1 4-3-1-5-3-5-6-1 1-1 2-1 3-3-2-5-6-5-12z",
  mind: "M12 3a7 7 0 0 1 4 12.7V19H8v-3.3A7 7 0 0 1 12 3zM8.5 20.2h7V22h-7z",
  flame: "M12 2c1 4 6 6 6 12a6 6 0 0 1-12 0c0-3 2-4 2-7 2 1 3 2 3 4 1-2 1.5-5 1-9z",
};
export const ICONS = Object.keys(PATHS);
const SHIELD = "M20 3 35 8v10c0 9-6 15-15 19C11 33 5 27 5 18V8z";

/** An ability icon with its name. */
export function ability(icon, name) {
  return svg("svg", { viewBox: "0 0 24 24", class: `gc-icon ${icon}`, role: "img", "aria-label": name, focusable: "false" }, svg("title", {}, name), svg("path", { d: PATHS[icon] ?? "M4 4h16v16H4z", "fill-rule": "evenodd" }));
}

/** An Action token: a disc attacks, a shield defends; `seat` gives the colour, none is a Break. */
export function token(id, seat = null, { flipped = false, title = "" } = {}) {
  const kind = id === "" ? "pause" : id[0] === "A" ? "attack" : "defense";
  const shape = kind === "defense" ? svg("path", { d: SHIELD }) : kind === "attack" ? svg("circle", { cx: 20, cy: 20, r: 16 }) : svg("rect", { x: 5, y: 5, width: 30, height: 30, rx: 6 });
  const face = kind === "pause" ? svg("path", { class: "ink", d: "M15 13v14M25 13v14" }) : svg("text", { x: 20, y: kind === "attack" ? 27 : 25, "text-anchor": "middle" }, kind === "attack" ? id[1] : `−${id[1]}`);
  const colour = seat === null || seat < 0 ? "nobody" : seatClass(seat);
  return svg("svg", { viewBox: "0 0 40 40", class: `gc-token ${kind} ${colour} ${flipped ? "flipped" : ""}`, role: "img", "aria-label": title || id, focusable: "false" }, svg("title", {}, title || id), shape, face);
}

/** The faces of a slot, or of a roll. */
export function faces(numbers, label) {
  return make("span", { class: "gc-faces", role: "img", "aria-label": label }, numbers.map((number) => make("span", { class: "gc-die", "aria-hidden": "true" }, number)));
}

export function cup() {
  return svg("svg", { viewBox: "0 0 24 24", class: "gc-cup", "aria-hidden": "true", focusable: "false" },
    svg("path", { d: "M7 3h10v2h4c0 5-2 7-4.6 7.4A5.5 5.5 0 0 1 13 15v3h4v3H7v-3h4v-3a5.5 5.5 0 0 1-3.4-2.6C5 12 3 10 3 5h4zm0 4H5c.2 1.6.9 2.6 2 3zm10 0v3c1.1-.4 1.8-1.4 2-3z" }));
}
