// How late is it? Moments in the reader's own zone, and clocks that run by the server's time alone (PL-497).

import { say } from "./say.js";

const MARKS = [60, 30, 10];
const written = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
let ahead = 0; // milliseconds that the server's clock is before ours
const told = new Set();

/** What the server's clock says now. */
export function setNow(moment) {
  ahead = Date.parse(moment) - Date.now();
}

/** Writes the moments of a part of the page in the reader's zone, and starts its clocks. */
export function tellTimes(part) {
  for (const time of part.querySelectorAll("time[datetime]")) {
    time.textContent = written.format(new Date(time.dateTime));
  }
  for (const pick of part.querySelectorAll("select[data-own-zone]")) ownZone(pick);
  tick();
}

/** Times are typed by the same clocks by which they are shown. */
function ownZone(pick) {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const known = [...pick.options].find((option) => option.value === own);
  if (!known) pick.prepend(new Option(own, own));
  pick.value = own;
}

function tick() {
  for (const clock of document.querySelectorAll(".clock[data-due]")) {
    if (clock.dataset.due) show(clock, Math.max(0, Math.round((Date.parse(clock.dataset.due) - Date.now() - ahead) / 1000)));
  }
}

function show(clock, seconds) {
  const words = spoken(seconds);
  if (clock.textContent !== words) clock.textContent = words;
  clock.classList.toggle("short", seconds <= 10);
  if (clock.classList.contains("own")) announce(clock.dataset.due, seconds);
}

function announce(due, seconds) {
  const mark = MARKS.find((one) => seconds === one);
  if (mark && !told.has(`${due} ${mark}`)) {
    told.add(`${due} ${mark}`);
    say(`${mark} seconds left.`);
  }
}

function spoken(seconds) {
  if (seconds >= 172_800) return `${Math.floor(seconds / 86_400)} days`;
  if (seconds >= 7_200) return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

setInterval(tick, 500);
