// Were the dice fair? Commitment, key and every draw, computed here with the browser's own HMAC (PL-611 to PL-622).

const encoder = new TextEncoder();
const SPAN = 2n ** 64n;

export async function begin(element) {
  const verdict = element.querySelector("[data-verdict]");
  if (!globalThis.crypto?.subtle) return;
  verdict.textContent = "Computing …";
  try {
    const proof = await (await fetch(element.dataset.proof)).json();
    const difference = await firstDifference(proof, (name, right) => tick(element, name, right));
    verdict.textContent = difference ?? "Everything agrees. These dice were sealed before anybody sat down.";
    verdict.className = difference ? "message bad" : "message good";
  } catch (error) {
    verdict.textContent = `The proof could not be read: ${error.message}`;
  }
}

function tick(element, name, right) {
  const place = element.querySelector(`[data-check="${name}"] span`);
  place.textContent = right ? "✓" : "✗";
  place.removeAttribute("aria-hidden");
  place.setAttribute("role", "img");
  place.setAttribute("aria-label", right ? "agrees" : "differs");
}

/** Names the first difference, or nothing where all agrees. */
export async function firstDifference(proof, tell = () => {}) {
  const seed = bytes(proof.seed);
  const sealed = await hash(joined(encoder.encode(`league-seed-v1|${proof.seed_number}|`), seed));
  tell("commitment", sealed === proof.commitment);
  if (sealed !== proof.commitment) return "The seed is not the one that was sealed.";
  const parts = proof.contributions.map((part) => part || "-").join(",");
  const key = await hmac(seed, `match|${proof.deal_group ?? proof.match}|${proof.game}|${proof.version}|${proof.pack}|${parts}`);
  tell("key", hex(key) === proof.key);
  if (hex(key) !== proof.key) return "The key is not made of seed, match and parts.";
  const wrong = await wrongDraw(key, proof.steps);
  tell("draws", !wrong);
  return wrong;
}

async function wrongDraw(raw, steps) {
  const key = await imported(raw);
  for (const { step, draws } of steps) {
    let counter = 0;
    for (const [n, drawn] of draws) {
      let found;
      [found, counter] = await below(key, step, counter, BigInt(n));
      if (found !== BigInt(drawn)) return `In step ${step} a draw below ${n} gave ${drawn} and should have given ${found}.`;
    }
  }
  return null;
}

/** PL-617 A number below n without bias, and the counter after it. */
async function below(key, step, counter, n) {
  const limit = SPAN - (SPAN % n);
  for (let used = counter; ; used += 1) {
    const block = new DataView(await crypto.subtle.sign("HMAC", key, encoder.encode(`draw|${step}|${used}`)));
    const number = block.getBigUint64(0);
    if (number < limit) return [number % n, used + 1];
  }
}

function imported(raw) {
  return crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

async function hmac(raw, words) {
  return new Uint8Array(await crypto.subtle.sign("HMAC", await imported(raw), encoder.encode(words)));
}

async function hash(whole) {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", whole)));
}

function joined(first, second) {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

function bytes(written) {
  return Uint8Array.from(written.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function hex(raw) {
  return [...raw].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
