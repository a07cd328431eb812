// What keeps the page of a match alive? The stream tells of each step; the parts are put in anew, the board draws the view, commands go out.

import { commandOf, send } from "./forms.js";
import { refresh, remember } from "./parts.js";
import { say } from "./say.js";
import { follow } from "./stream.js";
import { setNow } from "./times.js";
import { make } from "./draw.js";

const SOON = 80; // letters that come within this many milliseconds are shown together
const PAUSE = 600; // and when they keep coming, the page is not asked for more often than this

export function begin(container) {
  new MatchPage(container).begin();
}

class MatchPage {
  constructor(container) {
    this.container = container;
    this.id = container.dataset.match;
    this.reader = container.dataset.reader;
    this.step = Number(container.dataset.step);
    this.state = container.dataset.state;
    this.first = document.getElementById("view") ? JSON.parse(document.getElementById("view").textContent) : null;
    this.view = this.first?.view ?? null;
  }

  async begin() {
    remember(this.container);
    this.container.addEventListener("submit", (event) => this.submit(event));
    if (this.container.dataset.board && this.first) {
      this.board = await import(this.container.dataset.board);
      this.draw();
    }
    follow(`/api/v1/matches/${this.id}/stream?seat=${this.reader}&views=1`, {
      heard: (kind, message) => this.heard(kind, message),
      after: () => (this.step ? this.step : null),
      lost: (yes) => this.tellLost(yes),
    });
  }

  heard(kind, message) {
    if (message.now) setNow(message.now);
    if (kind === "hello" || kind === "letter") this.step = message.step;
    if (message.view) this.show(message.view);
    for (const event of message.events ?? []) say(this.byName(event.words));
    if (kind === "audience") this.tellAnswered(message);
    else if (kind === "presence") this.showPresence(message);
    else if (kind !== "view") this.soon();
    if (kind === "talk") this.talked = true;
  }

  /** A sentence of the log with the people in it, as the page writes it. */
  byName(sentence) {
    return sentence?.replace(/\b(?:[Ss]eat|[Pp]layer) (\d+)\b/g, (words, number) => this.name(number - 1) ?? words);
  }

  name(number) {
    const seat = this.first?.seats[number];
    return seat?.account?.name ?? (seat?.kind === "bot" ? `bot ${number + 1}` : undefined);
  }

  tellAnswered(message) {
    const place = this.container.querySelector("[data-answered]");
    if (place) {
      place.hidden = false;
      place.textContent = `${message.answered} have answered.`;
    }
  }

  showPresence(message) {
    this.here = message.here;
    for (const badge of this.container.querySelectorAll("[data-presence]")) badge.hidden = !message.here.includes(Number(badge.dataset.presence));
  }

  /** The newest text of somebody else, said aloud once. */
  tellTalk() {
    this.talked = false;
    const newest = this.container.querySelector("[data-text]:not([data-own])");
    if (newest && newest.dataset.text !== this.said) say(newest.querySelector("p").textContent);
    this.said = newest?.dataset.text;
  }

  show(view) {
    this.view = view;
    this.draw();
  }

  soon() {
    const rest = PAUSE - (performance.now() - (this.renewed ?? -PAUSE));
    this.timer ??= setTimeout(() => this.renew(), Math.max(SOON, rest));
  }

  async renew() {
    this.timer = null;
    if (this.renewing) return this.soon();
    this.renewing = true;
    this.renewed = performance.now();
    try {
      await refresh(this.container, `/matches/${this.id}/parts?seat=${this.reader}`);
      if (this.container.querySelector('[data-part="lobby"]') === null && !this.first) return location.reload();
      if (this.talked) this.tellTalk();
      if (this.here) this.showPresence({ here: this.here });
      this.draw();
    } catch {
      this.tellLost(true);
    } finally {
      this.renewing = false;
    }
    return undefined;
  }

  /** What is on offer, for the picture: the same choices that stand in the list. */
  choices() {
    const told = this.container.querySelector("[data-choices]");
    return told ? JSON.parse(told.textContent) : [];
  }

  draw() {
    const element = this.container.querySelector("#board");
    if (!this.board || !element || !this.view) return;
    const seats = this.first.seats.map((seat) => ({ seat: seat.seat, kind: seat.kind, name: this.name(seat.seat) ?? `seat ${seat.seat + 1}` }));
    this.board.draw(element, this.view, { seats, words: this.first.words, language: this.first.words.language, choices: this.choices(), choose: (kind, fields) => this.choose(kind, fields) });
  }

  /** A press on the picture fills the form in the list; with everything given it is sent. */
  choose(kind, fields) {
    const card = this.container.querySelector(`[data-do="${CSS.escape(kind)}"]`);
    const form = card?.querySelector("form");
    if (!form) return;
    const press = pressFor(form, fields);
    if (press) return form.requestSubmit(press);
    const filled = Object.entries(fields).every(([field, wanted]) => fill(form, field, wanted));
    const asked = form.querySelectorAll("[data-shape]").length;
    if (filled && asked <= Object.keys(fields).length && !form.querySelector('[data-shape="some"]')) return form.requestSubmit();
    this.container.querySelectorAll(".from-board").forEach((other) => other.classList.remove("from-board"));
    card.classList.add("from-board");
    const folded = card.querySelector("details");
    if (folded) folded.open = true;
    card.querySelector("input:not([type=hidden]), select, button")?.focus();
    card.scrollIntoView({ block: "nearest" });
  }

  async submit(event) {
    const form = event.target;
    if (form.matches("[data-talk]")) return this.talk(event, form);
    if (!form.matches("[data-command]")) return;
    event.preventDefault();
    if (form.dataset.busy) return;
    form.dataset.busy = "yes";
    const buttons = [...form.querySelectorAll("button")];
    buttons.forEach((button) => button.setAttribute("aria-disabled", "true"));
    const answer = await this.send(form, event.submitter);
    delete form.dataset.busy;
    buttons.forEach((button) => button.removeAttribute("aria-disabled"));
    this.answered(form, answer);
  }

  /** What is said goes out without leaving the page; what was refused stays in its field. */
  async talk(event, form) {
    event.preventDefault();
    if (form.dataset.busy) return;
    form.dataset.busy = "yes";
    const { text, phrase, key } = form.elements;
    const said = text ? { text: text.value } : { phrase: phrase.value };
    const { status, body } = await send(`/api/v1/matches/${this.id}/talk`, { room: form.dataset.talk, ...said }, key.value);
    delete form.dataset.busy;
    if (status < 400 && text) text.value = "";
    key.value = crypto.randomUUID?.() ?? String(Math.random()).slice(2);
    this.tell(status < 400 ? "" : body.title, body.detail ?? "");
    this.soon();
  }

  send(form, submitter) {
    const command = commandOf(form, submitter);
    const key = form.elements.key.value;
    if (form.action.endsWith("/host-commands")) return send(`/api/v1/matches/${this.id}/orders`, { kind: "game", command }, key);
    return send(`/api/v1/matches/${this.id}/commands`, { seat: Number(form.elements.seat.value), ask: Number(form.elements.ask.value), command }, key);
  }

  /** EX-40: whatever became of it is said in words, and the page shows the present table. */
  answered(form, { status, body }) {
    const refused = status >= 400 || body.state === "refused" || body.state === "failed";
    if (refused) {
      const title = status >= 400 ? body.title : "This was not carried out";
      const detail = status >= 400 ? body.detail ?? "" : "The rules do not allow it as things are now.";
      this.tell(title, detail);
      if (body.state === "refused") form.elements.key.value = crypto.randomUUID?.() ?? String(Math.random()).slice(2);
    } else this.tell("", "");
    this.soon();
  }

  tell(title, detail) {
    document.getElementById("answer")?.remove();
    if (!title) return;
    const message = make("div", { id: "answer", class: "message bad", role: "alert" }, make("p", {}, make("strong", {}, title)), make("p", {}, detail));
    this.container.before(message);
    message.scrollIntoView({ block: "nearest" });
  }

  tellLost(yes) {
    const place = document.getElementById("connection");
    if (place.hidden === !yes) return;
    place.hidden = !yes;
    place.textContent = yes ? "The connection is lost. This page tries again and catches up by itself." : "";
    if (!yes) this.soon();
  }
}

/** The button that says all of it with one press, if the form has one. */
function pressFor(form, fields) {
  if (Object.keys(fields).length !== 1) return null;
  const [[field, wanted]] = Object.entries(fields);
  return [...form.querySelectorAll(`button[name="one:${field}"]`)].find((button) => button.value === JSON.stringify(wanted)) ?? null;
}

/** Puts a value into a field of a form; members of a set are switched. False if the form has no such field. */
function fill(form, field, wanted) {
  if (wanted !== null && typeof wanted === "object" && !Array.isArray(wanted)) return arrange(form, field, wanted);
  const values = (Array.isArray(wanted) ? wanted : [wanted]).map((one) => JSON.stringify(one));
  const inputs = [...form.querySelectorAll(`[name="one:${field}"], [name="some:${field}"]`)].filter((input) => input.type !== "hidden");
  if (inputs[0]?.tagName === "SELECT") {
    [inputs[0].value] = values;
    return inputs[0].value === values[0];
  }
  const found = inputs.filter((input) => values.includes(input.value));
  for (const input of found) input.checked = input.type === "radio" || !input.checked;
  found[0]?.dispatchEvent(new Event("change", { bubbles: true }));
  return found.length > 0;
}

/** Puts the members on the named slots of an arrangement and leaves the others empty. */
function arrange(form, field, wanted) {
  const slots = [...form.querySelectorAll(`select[name^="arrange:${field}:"]`)];
  if (!slots.length) return false;
  for (const select of slots) {
    const member = wanted[select.name.split(":").at(-1)];
    select.value = member === undefined ? "" : JSON.stringify(member);
  }
  slots[0].dispatchEvent(new Event("change", { bubbles: true }));
  return slots.filter((select) => select.value).length === Object.keys(wanted).length;
}
