// What happened on the Fields? Each match with its score and its track, token by token, and the penalty shots.

import { make, mark } from "/static/js/draw.js";
import { faces, token } from "./signs.js";

/** All matches of the round, or the final. */
export function fields(table) {
  const { view } = table;
  if (!view.fixtures.length) return null;
  return make("section", { class: "gc-matches" }, make("h4", {}, table.say("matches")), view.fixtures.map((fixture) => match(table, fixture)), penalties(table));
}

function match(table, fixture) {
  const [one, other] = fixture.seats;
  const spaces = Array.from({ length: Math.max(fixture.end, fixture.track.length) }, (_, index) => space(table, fixture, index));
  return make("article", { class: `gc-match ${fixture.field}` },
    make("header", {}, make("span", { class: "gc-field" }, table.name(fixture.field)),
      make("p", { class: "gc-score" }, side(table, one), make("strong", {}, `${fixture.goals[0]} : ${fixture.goals[1]}`), side(table, other))),
    make("ol", { class: "gc-track", "aria-label": table.say("track", { field: table.name(fixture.field) }) }, spaces));
}

function side(table, seat) {
  return make("span", { class: "gc-side" }, mark(seat), make("span", {}, table.who(seat)));
}

function space(table, fixture, index) {
  const spot = fixture.track[index];
  const last = index + 1 === fixture.end;
  if (!spot) return make("li", { class: `gc-space ${last ? "last" : ""}` }, make("small", { "aria-hidden": "true" }, index + 1));
  const value = spot.outcome ? make("small", { class: `gc-outcome ${spot.outcome}` }, table.say(spot.outcome)) : null;
  const shot = ["missed", "scored"].includes(spot.outcome);
  const dice = shot ? rolled(table, spot.dice, table.say("shot", { ...spot, dice: spot.dice.join(" ") || table.say("nodice") })) : null;
  return make("li", { class: `gc-space ${spot.outcome} ${last ? "last" : ""}` }, token(spot.token, spot.seat, { flipped: spot.flipped, title: told(table, spot) }), value, dice);
}

/** The dice of a shot, or that none were needed. */
function rolled(table, dice, label) {
  return dice.length ? faces(dice, label) : make("small", {}, table.say("nodice"));
}

/** A token in words: whose, what it is, and what came of it. */
function told(table, spot) {
  if (!spot.token) return table.say("pause");
  const kind = table.say(spot.token[0] === "A" ? "attack" : "defense", { n: spot.token[1] });
  const dice = spot.dice.join(" ") || table.say("nodice");
  const came = { blocked: table.say("value", spot), missed: table.say("shot", { ...spot, dice }), scored: table.say("shot", { ...spot, dice }) }[spot.outcome];
  return [table.who(spot.seat), kind, came, spot.outcome ? table.say(spot.outcome) : "", spot.flipped && !spot.outcome ? table.say("flipped") : ""].filter(Boolean).join(", ");
}

function penalties(table) {
  const shots = table.view.penalties;
  if (!shots.length) return null;
  return make("article", { class: "gc-match" }, make("header", {}, make("span", { class: "gc-field" }, table.say("penalties"))),
    make("ol", { class: "gc-shots" }, shots.map((shot) => make("li", { class: shot.scored ? "scored" : "missed" }, mark(shot.seat, table.who(shot.seat)),
      make("span", {}, `${table.say("slot", { n: shot.slot === 4 ? "4+" : shot.slot })}${shot.champion ? `: ${table.name(shot.champion)}` : ""}`), rolled(table, shot.dice, shot.dice.join(" ")), make("strong", {}, table.say(shot.scored ? "scored" : "missed"))))));
}
