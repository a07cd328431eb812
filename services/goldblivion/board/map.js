// What does the map look like? Twelve hexagons with water in the north, what fights on them, and which sides are open.

import { draw as svg } from "/static/js/draw.js";

const RADIUS = 60;
const HALF = (RADIUS * Math.sqrt(3)) / 2;
const MARGIN = 14;
const CORNERS = [-90, -30, 30, 90, 150, 210].map((angle) => (angle * Math.PI) / 180);
const STEPS = [[-1, 1], [0, 2], [1, 1], [1, -1], [0, -2], [-1, -1]]; // row and column of the neighbour behind each side

export function map(table) {
  const { spaces } = table.view;
  const columns = Math.max(...spaces.map((space) => space.column));
  const rows = Math.max(...spaces.map((space) => space.row));
  const width = (columns + 2) * HALF + 2 * MARGIN;
  const height = (1.5 * rows + 2) * RADIUS + 2 * MARGIN;
  return svg("svg", { class: "gb-map", viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": table.say("map") },
    svg("rect", { class: "gb-water", x: 0, y: 0, width, height: MARGIN + RADIUS, rx: 12 }),
    spaces.map((space) => hexagon(table, space)));
}

function centre(space) {
  return [(space.column + 1) * HALF + MARGIN, (1.5 * space.row + 1) * RADIUS + MARGIN];
}

function corner([x, y], number, radius) {
  const angle = CORNERS[(number + 6) % 6];
  return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
}

function hexagon(table, space) {
  const at = centre(space);
  const points = CORNERS.map((_, number) => corner(at, number, RADIUS - 2).map((n) => n.toFixed(1)).join(",")).join(" ");
  const moves = table.about(["choose_enemy", "reveal_territory", "let_conquer"], "space", space.id);
  const fought = table.view.combat?.space === space.id;
  const state = space.enemy === null ? "hidden" : space.enemy ? "open" : "empty";
  const classes = `gb-hex ${space.kind} ${state} ${space.cow && space.enemy === "cow_dragon" ? "dragon" : ""} ${fought ? "fought" : ""} ${moves.length ? "offered" : ""}`;
  const said = describe(table, space);
  const press = moves.length ? {
    role: "button", tabindex: "0", "data-key": `space-${space.id}`, click: () => table.take(moves[0]),
    keydown: (event) => { if (["Enter", " "].includes(event.key)) { event.preventDefault(); table.take(moves[0]); } },
    "aria-label": `${moves[0].text}: ${said}`,
  } : { role: "img", "aria-label": said };
  return svg("g", { class: classes, ...press },
    svg("title", {}, said),
    svg("polygon", { points, class: "gb-ground" }),
    sides(table, space, at),
    inside(table, space, at));
}

/** Water, open land and empty neighbours are drawn along the sides. */
function sides(table, space, at) {
  const bySpot = new Map(table.view.spaces.map((other) => [`${other.row},${other.column}`, other]));
  return STEPS.map(([row, column], side) => {
    const other = bySpot.get(`${space.row + row},${space.column + column}`);
    const water = !other && space.water && row < 0;
    const kind = water ? "water" : !other || (!other.tiles && !other.cow) ? "way" : null;
    if (!kind || (space.enemy === "" && kind === "way")) return null;
    const [x1, y1] = corner(at, side, RADIUS - 7);
    const [x2, y2] = corner(at, side + 1, RADIUS - 7);
    return svg("line", { class: `gb-side ${kind}`, x1, y1, x2, y2 });
  });
}

function inside(table, space, [x, y]) {
  const text = (content, dy, kind) => svg("text", { x, y: y + dy, class: kind, "text-anchor": "middle" }, content);
  const name = text(table.spot(space.id), 34, "gb-spot");
  if (space.enemy === "") return name;
  const stacked = space.tiles > 1 ? text(`×${space.tiles}`, -26, "gb-stack") : null;
  if (space.enemy === null) return [stacked, text("?", 10, "gb-unknown"), name];
  return [stacked, sword(x - 22, y - 8), svg("text", { x: x + 8, y: y + 12, class: "gb-strength", "text-anchor": "middle" }, table.strength(space.enemy)), name];
}

function sword(x, y) {
  return svg("path", { class: "gb-sword", d: `M${x + 10} ${y - 12}l4 4-13 15 3 3-3 2-3-3-4 4-3-3 4-4-3-3 2-3 3 3z` });
}

function describe(table, space) {
  const facts = { space: table.name(space.id), kind: table.name(space.kind), open: space.open_sides, tiles: space.tiles };
  if (space.enemy === null) return table.say("spaceHidden", facts);
  if (!space.enemy) return table.say("spaceEmpty", facts);
  return table.say("spaceOpen", { ...facts, enemy: table.name(space.enemy), face: table.face(space.enemy) });
}
