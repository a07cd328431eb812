// How is a form sent? Once; and a command through the API, again with the same key while no answer comes (PL-707).

const AGAIN_AFTER = 3_000;
const TRIES = 20;

/** Ordinary forms are sent once, however often the button is pressed. */
export function guardForms(part) {
  part.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post") return;
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
  addEventListener("pageshow", () => part.querySelectorAll("form[data-sent]").forEach((form) => delete form.dataset.sent));
}

/** The command that a form of a choice says, as the server would read it. */
export function commandOf(form, button) {
  const filled = new FormData(form);
  if (button?.name) filled.append(button.name, button.value);
  const command = { do: filled.get("do") };
  for (const [name, written] of filled.entries()) {
    const [shape, field, ...path] = name.split(":");
    if (READERS[shape]) command[field] = READERS[shape](written, command[field], path, filled, field);
  }
  return command;
}

const READERS = {
  one: (written) => value(written),
  some: (written, before) => (written ? [...(before ?? []), value(written)] : before ?? []),
  arrange: (written, before, [slot]) => (written ? { ...before, [slot]: value(written) } : before ?? {}),
  number: (written) => Number(written),
  text: (written, before) => before ?? written,
  take: (written) => written,
  goods: (written, before, [side, ...rest], filled, field) => {
    const deal = before ?? { with: filled.get(`goods:${field}:with`), give: {}, take: {} };
    const count = Number(written);
    if (side === "give" && count > 0) deal.give[rest.join(":")] = count;
    if (side === "take" && count > 0 && rest[0] === deal.with) deal.take[rest.slice(1).join(":")] = count;
    return deal;
  },
};

function value(written) {
  try {
    return JSON.parse(written);
  } catch {
    return written;
  }
}

/** Sends to the API under a key; without an answer in three seconds the same is said again. */
export async function send(path, body, key) {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const answer = await once(path, body, key);
    if (answer && ![502, 503, 504].includes(answer.status)) return answer;
    await new Promise((resume) => setTimeout(resume, answer ? 1_000 : 300));
  }
  return { status: 503, body: { title: "There is no connection", detail: "Nothing is lost: the page says it again when you press the button." } };
}

async function once(path, body, key) {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), AGAIN_AFTER);
  try {
    const answer = await fetch(path, {
      method: "POST", signal: giveUp.signal, body: JSON.stringify(body),
      headers: { "Content-Type": "application/json", "Idempotency-Key": key, Prefer: "wait=2" },
    });
    return { status: answer.status, body: await answer.json() };
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}
