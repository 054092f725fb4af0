// Pages with places in papers: one opens on its page at the side.

import { changeZoom, hide, show } from "./pane.js";
import { focusSearch, isTyping } from "./parts.js";

document.addEventListener("click", (event) => {
  const link = event.target.closest("a.place");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  show(link);
});

function next(selector, here, by) {
  const all = [...document.querySelectorAll(selector)].filter((each) => each.offsetParent !== null);
  const at = all.findIndex(here);
  const found = all[at < 0 ? 0 : Math.min(Math.max(at + by, 0), all.length - 1)];
  found?.focus();
  (found?.closest("li") ?? found)?.scrollIntoView({ block: "nearest" });
  return found;
}

function place(by) {
  const found = next("a.place", (each) => each.hasAttribute("aria-current"), by);
  if (found) show(found);
}

// Lines that open are moved through; where there are none, the places themselves.
const LINES = ".pairing > summary";
const line = (by) => {
  if (document.querySelector(LINES)) next(LINES, (each) => each === document.activeElement, by);
  else place(by);
};
const KEYS = {
  j: () => line(1), k: () => line(-1), n: () => place(1), p: () => place(-1),
  "/": focusSearch, "+": () => changeZoom(1), "-": () => changeZoom(-1), Escape: hide,
};

document.addEventListener("keydown", (event) => {
  if (isTyping(event) || !(event.key in KEYS)) return;
  event.preventDefault();
  KEYS[event.key]();
});
