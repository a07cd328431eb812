// What does a team board show? Four slots with their champions and faces, the bench, tokens, Scout and Stadium, coins and Fame.

import { make, mark } from "/static/js/draw.js";
import { cup, faces, token } from "./signs.js";

const TOKENS = ["A1", "A2", "A3", "A4", "D1", "D2", "D3", "D4"];
const LEVELS = ["bronze", "silver", "gold"];

/** The boards of all seats, the reader's own first, and the Automa. */
export function teams(table) {
  const { view } = table;
  const own = view.seats.filter((seat) => seat.seat === view.you);
  return make("div", { class: "gc-teams" }, [...own, ...view.seats.filter((seat) => seat.seat !== view.you)].map((seat) => board(table, seat)), automa(table));
}

function board(table, seat) {
  const { view } = table;
  const mine = seat.seat === view.you;
  const status = seat.left ? "left" : view.stage === "over" ? "" : seat.answered ? "ready" : "deciding";
  return make("section", { class: `gc-team ${mine ? "mine" : ""}`, "aria-label": table.say("team", { who: table.who(seat.seat) }) },
    make("header", {}, make("h4", {}, mark(seat.seat), make("span", {}, table.who(seat.seat))), status ? make("small", { class: `gc-status ${status}` }, table.say(status)) : null,
      make("span", { class: "gc-fame" }, cup(), make("strong", {}, seat.total ? seat.total.total : seat.fame), make("span", { class: "hidden-but-said" }, table.say("fame")))),
    make("ol", { class: "gc-slots" }, seat.line_up.map((name, index) => slot(table, seat, name, index))),
    bench(table, seat),
    make("div", { class: "gc-row" }, level(table, seat, "scout", mine), level(table, seat, "stadium", mine),
      make("span", { class: "gc-chip" }, table.say("coins", { n: seat.coins })), sponsors(table, seat), make("span", { class: "gc-chip" }, table.say("cards", { n: seat.hand }))),
    tokens(table, seat, mine));
}

function slot(table, seat, name, index) {
  const shown = name && seat.champions.includes(name) ? name : "";
  const rolled = table.view.printed?.faces[index] ?? [];
  return make("li", { class: `gc-slot ${shown ? "" : "base"}` },
    make("small", {}, table.say("slot", { n: index === 3 ? "4+" : index + 1 })),
    shown ? champion(table, shown, seat) : make("span", { class: "gc-base" }, table.say("base")),
    faces(rolled, table.say("faces", { faces: rolled.join(", ") })));
}

/** A champion in a team: its name, deck and icons; pressed where it may be discarded. */
function champion(table, name, seat) {
  const about = table.about(name);
  const inside = [make("span", { class: "gc-name" }, table.name(name)), table.icons(name)];
  const classes = `gc-champion ${table.deck(name)}`;
  if (seat.seat === table.view.you && table.offers("discard_champion", "champion", name)) {
    const press = () => table.choose("discard_champion", { champion: name });
    return make("button", { type: "button", class: classes, title: about, click: press, "data-key": `drop-${name}`, "aria-label": table.say("drop", { name: table.name(name) }) }, inside);
  }
  return make("span", { class: classes, title: about }, inside);
}

function bench(table, seat) {
  if (!seat.bench.length) return null;
  return make("div", { class: "gc-bench" }, make("small", {}, table.say("bench")), seat.bench.map((name) => champion(table, name, seat)));
}

function level(table, seat, track, mine) {
  const now = seat[track];
  const next = LEVELS[LEVELS.indexOf(now) + 1];
  const inside = [table.say(track), ": ", make("strong", {}, table.name(now))];
  if (mine && next && table.offers(`develop_${track}`)) {
    const press = () => table.choose(`develop_${track}`, {});
    return make("button", { type: "button", class: `gc-chip ${now}`, click: press, "data-key": track, "aria-label": `${table.say(track)}: ${table.say("develop", { level: table.name(next) })}` }, inside, " ▲");
  }
  return make("span", { class: `gc-chip ${now}` }, inside);
}

function sponsors(table, seat) {
  const [plus, minus] = seat.sponsors;
  return [plus ? `+${plus}` : "", minus ? `−${minus}` : ""].filter(Boolean).map((n) => make("span", { class: "gc-chip" }, table.say("sponsors", { n })));
}

const PRESSES = [["train", "train"], ["improve_token", "better"], ["take_lower", "take"], ["discard_token", "shed"]];

function tokens(table, seat, mine) {
  const team = TOKENS.flatMap((id, index) => Array.from({ length: seat.tokens[index] }, (_, copy) => pressable(table, id, seat, copy, mine)));
  const lower = mine ? TOKENS.filter((id) => table.offers("take_lower", "token", id)).map((id) => pressable(table, id, seat, 0, mine)) : [];
  const rest = TOKENS.map((id, index) => (seat.supply[index] ? make("span", { class: "gc-count" }, token(id, seat.seat, { title: kind(table, id) }), make("small", {}, `×${seat.supply[index]}`)) : null));
  return make("div", { class: "gc-tokens" }, make("div", { class: "gc-row", role: "group", "aria-label": table.say("tokens") }, team),
    lower.length ? make("div", { class: "gc-row" }, lower) : null,
    table.folded(`supply-${seat.seat}`, table.say("supply"), make("div", { class: "gc-row" }, rest)));
}

function kind(table, id) {
  return table.say(id[0] === "A" ? "attack" : "defense", { n: id[1] });
}

function pressable(table, id, seat, copy, mine) {
  const found = mine ? PRESSES.find(([command]) => table.offers(command, "token", id)) : null;
  const picture = token(id, seat.seat, { title: kind(table, id) });
  if (!found) return picture;
  const [command, caption] = found;
  return make("button", { type: "button", class: "gc-press", click: () => table.choose(command, { token: id }), "data-key": `${command}-${id}-${copy}`, "aria-label": table.say(caption, { token: id }) }, picture);
}

function automa(table) {
  const one = table.view.automa;
  if (!one) return null;
  const team = TOKENS.flatMap((id, index) => Array.from({ length: one.tokens[index] }, () => token(id, one.seat, { title: kind(table, id) })));
  const waiting = one.spaces.flatMap((space, index) => space.map((id) => make("span", { class: "gc-count" }, make("small", {}, `${index + 1}:`), token(id, one.seat, { title: kind(table, id) }))));
  const solo = table.view.seats.length === 1;
  return make("section", { class: "gc-team", "aria-label": table.say("automa") },
    make("header", {}, make("h4", {}, mark(one.seat), make("span", {}, table.say("automa"))), solo ? make("span", { class: "gc-fame" }, cup(), make("strong", {}, one.fame), make("span", { class: "hidden-but-said" }, table.say("fame"))) : null),
    solo ? make("div", { class: "gc-row" }, make("span", { class: `gc-chip ${one.scout}` }, table.say("scout"), ": ", make("strong", {}, table.name(one.scout)))) : null,
    make("div", { class: "gc-row" }, team), waiting.length ? make("p", { class: "gc-row" }, make("small", {}, table.say("waiting")), waiting) : null);
}
