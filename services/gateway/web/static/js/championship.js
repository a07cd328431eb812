// How does the championship stand now? Its page is asked again while tables are playing.

import { refresh, remember } from "./parts.js";

const PERIOD = 3_000;

export function begin(element) {
  remember(element);
  const lost = document.getElementById("connection");
  const renew = async () => {
    if (document.hidden) return;
    const well = await refresh(element, `/championships/${element.dataset.championship}/parts`).catch(() => false);
    lost.hidden = well;
    lost.textContent = well ? "" : "The connection is lost. This page tries again by itself.";
  };
  if (element.dataset.state !== "finished") setInterval(renew, PERIOD);
  document.addEventListener("visibilitychange", renew);
}
