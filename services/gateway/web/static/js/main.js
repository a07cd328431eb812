// What do the scripts of this page add? Each part of a page that can do more names itself; without scripts everything still works.

import { tellTimes } from "./times.js";
import { guardForms } from "./forms.js";

const PARTS = { "[data-match]": "./match.js", "[data-live-account]": "./mine.js", "[data-proof]": "./proof.js",
  "[data-refresh]": "./competition.js" };

tellTimes(document);
guardForms(document);
for (const [place, module] of Object.entries(PARTS)) {
  const element = document.querySelector(place);
  if (element) import(module).then(({ begin }) => begin(element));
}
