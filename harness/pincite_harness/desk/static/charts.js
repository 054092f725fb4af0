// Charts: the analyses are drawn when they are first asked for.

import { fill, isTyping } from "./parts.js";

const tabs = [...document.querySelectorAll("[data-tab]")];

function choose(name) {
  for (const tab of tabs) {
    const part = document.getElementById(tab.dataset.tab);
    const on = tab.dataset.tab === name;
    part.hidden = !on;
    if (on) tab.setAttribute("aria-current", "true");
    else tab.removeAttribute("aria-current");
    if (on && part.dataset.src) {
      const address = part.dataset.src;
      delete part.dataset.src;
      fill(part, address).then(() => reach(part));
    }
  }
}

// What may be wider than a small screen is scrolled with the keys.
function reach(part) {
  for (const each of part.querySelectorAll("figure, .scroll")) each.tabIndex = 0;
}

for (const tab of tabs) {
  tab.addEventListener("click", (event) => {
    event.preventDefault();
    history.replaceState(null, "", tab.hash);
    choose(tab.dataset.tab);
  });
}

document.addEventListener("keydown", (event) => {
  const tab = tabs[Number(event.key) - 1];
  if (!isTyping(event) && tab) choose(tab.dataset.tab);
});

reach(document);
choose(location.hash === "#analyses" ? "analyses" : "report");
