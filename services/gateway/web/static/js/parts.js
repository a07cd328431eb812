// How does an open page take over what is new? Part by part, from the server's own page; what is being typed and has focus stays.

import { enhance } from "./shapes.js";
import { tellTimes } from "./times.js";

const KEYS = /name="key" value="[^"]*"/g;

/** Fetches the page's parts again and puts in those that have changed. */
export async function refresh(container, path) {
  const answer = await fetch(path, { headers: { Accept: "text/html" } });
  if (!answer.ok) return false;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const news = new Map([...fresh.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));
  const old = new Map([...container.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));
  if ([...news.keys()].join() !== [...old.keys()].join()) takeAll(container, fresh);
  else for (const [name, part] of news) if (bare(part) !== bare(old.get(name))) take(old.get(name), part);
  return true;
}

function bare(part) {
  return (part.dataset.seen ?? part.outerHTML).replace(KEYS, "");
}

/** Remembers how a part came from the server, before scripts change it. */
export function remember(container) {
  for (const part of container.querySelectorAll("[data-part]")) {
    part.dataset.seen = part.outerHTML;
    enhance(part);
  }
  tellTimes(container);
}

function take(old, part) {
  const place = document.importNode(part, true);
  place.dataset.seen = part.outerHTML;
  if (old.matches("details[data-keep-open]")) place.open = old.open;
  for (const details of old.querySelectorAll("details[open]")) {
    const words = details.querySelector("summary")?.textContent;
    const same = [...place.querySelectorAll("details")].find((one) => one.querySelector("summary")?.textContent === words);
    if (same) same.open = true;
  }
  keepTyped(old, place);
  keepForms(old, place);
  const focus = focusOf(old);
  old.replaceWith(place);
  enhance(place);
  tellTimes(place);
  if (focus) (place.querySelector(focus) ?? place.querySelector('[tabindex="-1"]') ?? place).focus({ preventScroll: true });
}

/** The page has other parts than before: all of it anew, but for the board, which draws itself. */
function takeAll(container, fresh) {
  const board = container.querySelector("[data-draws]");
  const place = fresh.querySelector("[data-draws]");
  if (board && place) place.replaceWith(board);
  container.replaceChildren(...fresh.body.childNodes);
  remember(container);
}

function keepTyped(old, place) {
  for (const question of old.querySelectorAll("[data-ask]")) {
    const again = place.querySelector(`[data-ask="${question.dataset.ask}"]`);
    if (!again) continue;
    for (const input of question.querySelectorAll('input:not([type="hidden"]), select')) {
      const twin = [...again.querySelectorAll(`[name="${CSS.escape(input.name)}"]`)].find((one) => isTwin(one, input));
      if (!twin) continue;
      if (input.type === "radio" || input.type === "checkbox") twin.checked = input.checked;
      else twin.value = input.value;
    }
  }
}

/** What was typed into a form and not sent yet stays, where the same form is there again. */
function keepForms(old, place) {
  for (const form of old.querySelectorAll("form:not([data-command])")) {
    const again = [...place.querySelectorAll("form")].find((one) => one.action === form.action && one.elements.act?.value === form.elements.act?.value);
    if (!again) continue;
    for (const input of [...form.elements].filter(isTyped)) {
      const checked = ["radio", "checkbox"].includes(input.type);
      const twin = [...again.elements].find((one) => one.name === input.name && (!checked || one.value === input.value));
      if (twin && checked) twin.checked = input.checked;
      else if (twin) twin.value = input.value;
    }
  }
}

function isTyped(input) {
  if (!input.name || input.type === "hidden") return false;
  if (["radio", "checkbox"].includes(input.type)) return input.checked !== input.defaultChecked;
  if (input.options) return [...input.options].some((option) => option.selected !== option.defaultSelected);
  return "defaultValue" in input && input.value !== input.defaultValue;
}

function isTwin(one, input) {
  const sameForm = one.closest("[data-do]")?.dataset.do === input.closest("[data-do]")?.dataset.do;
  return sameForm && (["radio", "checkbox"].includes(input.type) ? one.value === input.value : true);
}

function focusOf(old) {
  const active = document.activeElement;
  if (!old.contains(active)) return null;
  return active.id ? `#${CSS.escape(active.id)}` : active.name ? `[name="${CSS.escape(active.name)}"]` : '[tabindex="-1"]';
}
