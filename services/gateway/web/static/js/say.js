// How is something said aloud? Politely, once, in the live region that every page has (PL-719).

const region = document.getElementById("announcements");
let waiting = [];
let last = "";

/** Says a sentence; several within a moment are said together. */
export function say(sentence) {
  if (!sentence || sentence === last) return;
  last = sentence;
  if (!waiting.length) setTimeout(speak, 300);
  waiting.push(sentence);
}

function speak() {
  region.textContent = waiting.slice(-6).join(" ");
  waiting = [];
}
