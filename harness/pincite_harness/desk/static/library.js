// A library: a passage opens on its page at the side.

import { changeZoom, hide, show } from "./pane.js";
import { focusSearch, isTyping } from "./parts.js";

document.addEventListener("click", (event) => {
  const link = event.target.closest("a.place");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  show(link);
});

function move(by) {
  const all = [...document.querySelectorAll("a.place")];
  const here = all.findIndex((each) => each.hasAttribute("aria-current"));
  const next = all[here < 0 ? 0 : Math.min(Math.max(here + by, 0), all.length - 1)];
  if (!next) return;
  next.focus();
  next.closest("li").scrollIntoView({ block: "nearest" });
  show(next);
}

const KEYS = {
  j: () => move(1), k: () => move(-1), "/": focusSearch, "+": () => changeZoom(1), "-": () => changeZoom(-1), Escape: hide,
};

document.addEventListener("keydown", (event) => {
  if (isTyping(event) || !(event.key in KEYS)) return;
  event.preventDefault();
  KEYS[event.key]();
});
