// What is new? One stream, resumed where it was after every cut (PL-705), with a word about it when the cut lasts.

const LOST_AFTER = 2_000;
const KINDS = ["hello", "event", "letter", "view", "state", "audience", "presence", "refusal", "talk", "asks", "resync"];

/** Follows an address of the API; `heard(kind, message)` gets each message, `after()` says where to go on, `lost(yes)` tells of cuts. */
export function follow(path, { heard, after = () => null, lost = () => {} }) {
  let source = null;
  let wait = 500;
  let worry = null;

  function open() {
    const place = new URL(path, location.href);
    if (after() !== null) place.searchParams.set("after", after());
    source = new EventSource(place);
    for (const kind of KINDS) source.addEventListener(kind, (event) => receive(kind, event));
    source.addEventListener("bye", (event) => again(JSON.parse(event.data).reconnect_after_ms));
    source.addEventListener("open", well);
    source.addEventListener("error", () => {
      worry ??= setTimeout(() => lost(true), LOST_AFTER);
      again(wait * (0.5 + Math.random()));
      wait = Math.min(wait * 2, 15_000);
    });
  }

  function receive(kind, event) {
    well();
    heard(kind, JSON.parse(event.data));
  }

  function well() {
    clearTimeout(worry);
    worry = null;
    wait = 500;
    lost(false);
  }

  let timer = null;
  function again(milliseconds) {
    source.close();
    clearTimeout(timer);
    timer = setTimeout(open, milliseconds);
  }

  addEventListener("offline", () => lost(true));
  addEventListener("online", () => again(0));
  addEventListener("pagehide", () => source.close());
  addEventListener("pageshow", (event) => event.persisted && again(0));
  open();
}
