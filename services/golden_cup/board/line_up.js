// How is a team lined up on the picture? Press one place and then another: the champions there change places; then confirm.

import { make } from "/static/js/draw.js";

const SLOTS = ["1", "2", "3", "4"];
const plans = new WeakMap(); // a plan belongs to its board and is forgotten with it

/** The own slots and bench as pressable places, while a line-up is asked for; `again` draws the board anew. */
export function lineUp(table, element, again) {
  const asked = ["line_up", "final", "penalties"].includes(table.view.stage) && table.offers("line_up");
  if (!asked) {
    plans.delete(element);
    return null;
  }
  const plan = planFor(table, element);
  const press = (place) => {
    if (plan.held === null) plan.held = place;
    else {
      [plan.places[plan.held], plan.places[place]] = [plan.places[place], plan.places[plan.held]];
      plan.held = null;
    }
    again();
  };
  const places = plan.places.map((name, place) => spot(table, plan, name, place, press));
  const complete = plan.places.slice(0, SLOTS.length).filter(Boolean).length === Math.min(SLOTS.length, plan.champions.length);
  const slots = Object.fromEntries(SLOTS.map((slot, index) => [slot, plan.places[index]]).filter(([, name]) => name));
  return make("section", { class: "gc-plan" },
    make("h4", {}, table.say("choose")), make("p", {}, make("small", {}, table.say("exchange"))),
    make("div", { class: "gc-places" }, places),
    make("button", { type: "button", class: "gc-line-up", "data-key": "line-up", disabled: !complete, click: () => table.choose("line_up", { slots }) }, table.say("choose")));
}

/** The plan so far; a new one begins with the last line-up, free slots from 4+ down with the newest others. */
function planFor(table, element) {
  const { view } = table;
  const seat = view.seats[view.you];
  const key = `${view.stage}/${view.round}/${seat.champions.join()}`;
  const before = plans.get(element);
  if (before?.key === key) return before;
  const slots = seat.line_up.map((name) => (seat.champions.includes(name) ? name : ""));
  const others = seat.champions.filter((name) => !slots.includes(name));
  for (let index = SLOTS.length - 1; index >= 0; index -= 1) slots[index] ||= others.pop() ?? "";
  const plan = { key, champions: seat.champions, places: [...slots, ...others], held: null };
  plans.set(element, plan);
  return plan;
}

function spot(table, plan, name, place, press) {
  const where = place < SLOTS.length ? table.say("slot", { n: place === 3 ? "4+" : place + 1 }) : table.say("bench");
  const said = name ? table.name(name) : table.say("base");
  return make("button", { type: "button", class: `gc-place ${name ? table.deck(name) : "base"}`, "aria-pressed": String(plan.held === place), "data-key": `place-${place}`, "aria-label": `${where}: ${said}`, title: name ? table.about(name) : "", click: () => press(place) },
    make("small", {}, where), make("strong", { class: "gc-name" }, said), name ? make("span", { class: "gc-icons" }, table.icons(name)) : null);
}
