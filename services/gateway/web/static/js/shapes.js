// What do the six shapes gain by a script? A count, places that exclude each other, steps, one partner's goods at a time, suggestions to take over.

import { make } from "./draw.js";

/** Makes the fields of a part of the page more comfortable. */
export function enhance(part) {
  for (const field of part.querySelectorAll("[data-shape]")) ENHANCERS[field.dataset.shape]?.(field);
  for (const list of part.querySelectorAll("[data-suggestions]")) takeOver(list);
}

const ENHANCERS = { some: countMembers, arrange: excludeEachOther, number: addSteps, goods: showPartner };

function countMembers(field) {
  const boxes = [...field.querySelectorAll('input[type="checkbox"]')];
  const counter = field.querySelector("[data-counter]");
  const least = Number(field.dataset.least);
  const most = Number(field.dataset.most);
  const recount = () => {
    const taken = boxes.filter((box) => box.checked).length;
    counter.textContent = ` ${taken} chosen`;
    const wrong = taken < least ? `Choose at least ${least}.` : taken > most ? `Choose at most ${most}.` : "";
    boxes[0]?.setCustomValidity(wrong);
  };
  field.addEventListener("change", recount);
  recount();
}

function excludeEachOther(field) {
  const slots = [...field.querySelectorAll("select")];
  const exclude = () => {
    for (const slot of slots) {
      for (const option of slot.options) option.disabled = Boolean(option.value) && slots.some((other) => other !== slot && other.value === option.value);
    }
    const filled = slots.filter((slot) => slot.value).length;
    slots[0]?.setCustomValidity(filled < Number(field.dataset.least) ? `Fill at least ${field.dataset.least}.` : "");
  };
  field.addEventListener("change", exclude);
  exclude();
}

function addSteps(field) {
  const input = field.querySelector("input");
  if (field.querySelector("button")) return;
  const button = (words, label, move) => make("button", { type: "button", "aria-label": label, click: () => { move(); input.dispatchEvent(new Event("input", { bubbles: true })); } }, words);
  input.before(button("−", "less", () => input.stepDown()));
  input.after(button("+", "more", () => input.stepUp()));
}

function showPartner(field) {
  const partner = field.querySelector("select");
  const choose = () => {
    for (const goods of field.querySelectorAll("[data-partner]")) goods.hidden = goods.dataset.partner !== partner.value;
  };
  partner.addEventListener("change", choose);
  choose();
}

/** A suggestion fills the field; without scripts its button sends it. */
function takeOver(list) {
  const input = list.closest("form").querySelector(`[name="text:${CSS.escape(list.dataset.suggestions)}"]`);
  list.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    event.preventDefault();
    input.value = button.value;
    list.open = false;
    input.focus();
  });
}
