// How does a tournament or a championship stand now? Its page takes over what is new as soon as the stream tells of it.

import { refresh, remember } from "./parts.js";
import { follow } from "./stream.js";

const PERIOD = 15_000; // a look without being told, should the stream be silent
const GATHER = 300; // news that come together are one look

export function begin(element) {
  remember(element);
  const line = document.getElementById("connection");
  let waiting = null;
  const renew = async () => {
    waiting = null;
    if (document.hidden) return;
    const well = await refresh(element, element.dataset.refresh).catch(() => false);
    say(!well);
  };
  const soon = () => { waiting ??= setTimeout(renew, GATHER); };
  const say = (lost) => {
    line.hidden = !lost;
    line.textContent = lost ? "The connection is lost. This page tries again by itself." : "";
  };
  document.addEventListener("visibilitychange", soon);
  if (["finished", "cancelled"].includes(element.dataset.state)) return;
  setInterval(soon, PERIOD);
  let after = null;
  follow(element.dataset.stream, {
    heard: (kind, message) => {
      after = message.number ?? message.version ?? after;
      soon();
    },
    after: () => after,
    lost: say,
  });
}
