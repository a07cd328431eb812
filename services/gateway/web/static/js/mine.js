// What waits for me? The list of open asks stays up to date by the account's stream (PL-704).

import { refresh, remember } from "./parts.js";
import { say } from "./say.js";
import { follow } from "./stream.js";
import { setNow } from "./times.js";

export function begin(element) {
  remember(element);
  let known = null;
  follow("/api/v1/me/stream", {
    heard(kind, message) {
      setNow(message.now);
      if (kind !== "asks") return;
      const needed = message.asks.filter((ask) => ask.needed).length;
      document.title = document.title.replace(/^(\(\d+\) )?/, needed ? `(${needed}) ` : "");
      if (known !== null) {
        refresh(element, "/my");
        if (needed > known) say("You are asked.");
      }
      known = needed;
    },
  });
}
