// What do boards draw with? Elements, the marks of seats, and a redraw that keeps focus and scrolling where they were.

const SVG = "http://www.w3.org/2000/svg";
const SEATS_WITH_COLOURS = 8;

/** An element with attributes and children; functions become listeners, `null`, `false` and `undefined` are left out. */
export function make(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function draw(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** The class that gives a seat its colour. */
export function seatClass(seat) {
  return `seat-${(seat % SEATS_WITH_COLOURS) + 1}`;
}

/** A seat's symbol in its colour; say its name beside it or as `title`. */
export function mark(seat, title = "") {
  const use = draw("use", { href: `/static/marks.svg#${seatClass(seat)}` });
  const named = title ? { role: "img", "aria-label": title } : { "aria-hidden": "true" };
  return draw("svg", { class: `mark ${seatClass(seat)}`, focusable: "false", ...named }, title ? draw("title", {}, title) : null, use);
}

/** Replaces what an element shows; whatever had focus or was scrolled, by its `data-key`, has it again afterwards. */
export function redraw(element, ...children) {
  const focused = element.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  const scrolled = [...element.querySelectorAll("[data-scrolls]")].map((part) => [part.dataset.scrolls, part.scrollLeft, part.scrollTop]);
  element.replaceChildren(...children.flat(3).filter(Boolean));
  for (const [key, left, top] of scrolled) {
    const part = element.querySelector(`[data-scrolls="${CSS.escape(key)}"]`);
    if (part) part.scrollTo(left, top);
  }
  if (focused) element.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

/** A sentence with its blanks filled: `fill("{n} points", {n: 3})`. */
export function fill(sentence, facts = {}) {
  return sentence.replace(/\{(\w+)\}/g, (blank, name) => (name in facts ? String(facts[name]) : blank));
}
