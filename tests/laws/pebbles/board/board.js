// What does the table look like? One heap per seat around the bag: pebbles, fist, shells and cheers; all of it from the view.

import { draw as svg, fill, make, mark, redraw } from "/static/js/draw.js";

const WORDS = {
  en: { round: "Round {round} of {rounds}", bag: "In the bag: {n}", faces: "Last throw: {faces}", shells: "{n} shells", cheers: "{n} cheers", fist: "A fist, closed", opened: "The fist: {pebbles}",
    lucky: "Lucky number {n}", you: "you", begged: "asked for a pebble", nameless: "a heap without a name", gone: "has left", brook: "In the brook", none: "no pebbles", pick: "Hide {name}" },
  it: { round: "Round {round} di {rounds}", bag: "Nel sacco: {n}", faces: "Ultimo tiro: {faces}", shells: "{n} conchiglie", cheers: "{n} applausi", fist: "Un pugno chiuso", opened: "Nel pugno: {pebbles}",
    lucky: "Numero fortunato {n}", you: "tu", begged: "un sasso, per favore", nameless: "un mucchio senza nome", gone: "ha lasciato", brook: "Nel ruscello", none: "nessun sasso", pick: "Nascondi {name}" },
};

/** Draws the view into the element; a pebble that may be hidden can be pressed. */
export function draw(element, view, { seats = [], words = {}, choices = [], choose = () => {}, language = "en" } = {}) {
  const say = (key, facts) => fill((WORDS[language] ?? WORDS.en)[key], facts);
  const name = (id) => words.names?.[id] ?? id;
  const hideable = new Set(choices.find((choice) => choice.do === "hide")?.fields.pebbles.of.map((member) => member.value));
  const who = (seat) => `${seats.find((other) => other.seat === seat)?.name ?? seat + 1}${seat === view.you ? ` (${say("you")})` : ""}`;

  const pebble = (id, own) => {
    const shape = [stone(id), make("span", {}, name(id))];
    if (!own || !hideable.has(id)) return make("li", { class: "pb-pebble" }, shape);
    const press = () => choose("hide", { pebbles: [id] });
    return make("li", {}, make("button", { type: "button", class: "pb-pebble", click: press, "data-key": id, "aria-label": say("pick", { name: name(id) }) }, shape));
  };
  const fist = (heap) => (heap.fist ? say("opened", { pebbles: heap.fist.map(name).join(", ") || "–" }) : heap.has_hidden ? say("fist") : "");
  const heap = (one, seat) => make("section", { class: `pb-heap ${one.gone ? "gone" : ""} ${view.stage === "throw" && view.turn === seat ? "turn" : ""}`, "aria-label": who(seat) },
    make("h4", {}, mark(seat), ` ${who(seat)}`),
    make("p", {}, make("em", {}, one.name || say("nameless")), one.gone ? `, ${say("gone")}` : ""),
    make("ul", {}, one.pebbles.length ? one.pebbles.map((id) => pebble(id, seat === view.you)) : make("li", {}, say("none"))),
    make("p", {}, [say("shells", { n: one.shells }), say("cheers", { n: one.cheers }), one.lucky === null ? "" : say("lucky", { n: one.lucky }), view.begged === seat ? say("begged") : "", fist(one)].filter(Boolean).join(" · ")));

  element.classList.add("pebbles");
  redraw(element,
    make("header", {}, make("h3", {}, say("round", view)), make("p", {}, [name(view.stage), say("bag", { n: view.bag }), view.faces.length ? say("faces", { faces: view.faces.join(", ") }) : ""].filter(Boolean).join(" · "))),
    make("div", { class: "pb-heaps" }, view.heaps.map(heap)),
    view.brook.length ? make("p", {}, `${say("brook")}: ${view.brook.map(name).join(", ")}`) : null);
}

/** A pebble; its form comes from its name, so that the same one always looks the same. */
function stone(id) {
  const turn = [...id].reduce((sum, letter) => sum + letter.codePointAt(0), 0) % 60;
  return svg("svg", { viewBox: "0 0 24 24", class: "pb-stone", "aria-hidden": "true", focusable: "false" }, svg("ellipse", { cx: 12, cy: 12, rx: 10, ry: 7 + (turn % 3), transform: `rotate(${turn - 30} 12 12)` }));
}
