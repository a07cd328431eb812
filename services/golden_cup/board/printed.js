// What can be looked up? Who met whom and who will, the decks, what is printed on the boards, and what every champion in play does.

import { make, mark } from "/static/js/draw.js";

const ROUNDS = [1, 2, 3, 4, 5, 6];
const LEVELS = ["bronze", "silver", "gold"];

export function printed(table) {
  return make("section", { class: "gc-printed" }, calendar(table), inPlay(table), onBoards(table));
}

/** Every match of the six rounds: with its result, or still to come (the schedule is open), and the decks. */
function calendar(table) {
  const { view } = table;
  const done = new Set(view.played.map((outcome) => outcome.round));
  const rows = [...view.played, ...ROUNDS.filter((round) => !done.has(round)).flatMap((round) => toCome(view, round))];
  return table.folded("calendar", table.say("calendar"), make("ul", { class: "gc-lines" }, rows.map((row) => meeting(table, row))),
    make("h4", {}, table.say("decks")), make("ul", { class: "gc-lines" }, view.decks.map((deck) => pile(table, deck))));
}

function toCome(view, round) {
  const seats = view.schedule.map((_, seat) => seat);
  const fields = [...new Set(view.schedule.map((its) => its[round - 1]))];
  return fields.map((field) => ({ round, field, seats: seats.filter((seat) => view.schedule[seat][round - 1] === field), goals: null }));
}

function meeting(table, { round, field, seats: [one, other], goals }) {
  const score = goals ? ` ${goals[0]} : ${goals[1]} ` : ` ${table.say("versus")} `;
  return make("li", {}, make("small", {}, `${round} · ${table.name(field)}`),
    make("span", {}, mark(one, table.who(one)), goals ? make("strong", {}, score) : score, mark(other, table.who(other))));
}

/** How many cards; of those on the pile only the ones that went there openly are known. */
function pile(table, deck) {
  const known = deck.shown.map((id) => table.name(id)).join(", ");
  return make("li", {}, make("small", {}, table.name(deck.level)), make("span", {}, table.say("deck", deck), known ? make("small", {}, ` (${known})`) : null));
}

/** The cards of all teams, and the supporters that are turned over. */
function inPlay(table) {
  const { seats } = table.view;
  const champions = seats.flatMap((seat) => seat.champions);
  const supporters = seats.map((seat) => seat.supporter).filter(Boolean);
  if (!champions.length) return null;
  return table.folded("in-play", table.say("inPlay"), make("ul", { class: "gc-cards" },
    champions.map((id) => table.card(id, table.deck(id), [])), supporters.map((id) => table.card(id, "supporter", []))));
}

function onBoards(table) {
  const boards = table.view.printed;
  if (!boards) return null;
  const byLevel = (numbers) => numbers.map((number, level) => `${table.name(LEVELS[level])} ${number}`).join(", ");
  const line = (caption, told) => make("li", {}, make("small", {}, caption), make("span", {}, told));
  const rounds = (key) => `${table.say(key)} (${table.say("rounds")})`;
  return table.folded("on-boards", table.say("onBoards"), make("ul", { class: "gc-lines" },
    line(table.say("coinsBy"), byLevel(boards.stadium_coins)), line(table.say("winBy"), byLevel(boards.win_bonus)),
    line(rounds("costBy"), boards.stadium_cost.join(", ")), line(rounds("endBy"), boards.end_space.join(", ")),
    line(table.say("fameBy"), boards.finance_fame.map((fame, space) => `${space}: ${fame}`).join(", "))));
}
