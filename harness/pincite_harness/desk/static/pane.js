// The pane at the right: the paper's page with the cited characters marked.

import { fill, notice } from "./parts.js";

const pane = document.getElementById("pane");
const ZOOMS = [60, 80, 100, 130, 160, 200, 260];
let zoom = 2;
let chosen = null;

export async function show(link) {
  chosen?.removeAttribute("aria-current");
  chosen = link;
  link.setAttribute("aria-current", "true");
  pane.classList.add("open");
  await fill(pane, link.href);
  if (chosen !== link) return;
  if (link.dataset.note) pane.prepend(notice(link.dataset.note));
  pane.prepend(bar());
  apply();
  bringToMark();
}

export function hide() {
  pane.classList.remove("open");
  chosen?.focus();
}

export function changeZoom(by) {
  zoom = Math.min(Math.max(zoom + by, 0), ZOOMS.length - 1);
  apply();
  bringToMark();
}

function apply() {
  for (const print of pane.querySelectorAll(".print")) print.style.width = `${ZOOMS[zoom]}%`;
}

function bringToMark() {
  const mark = pane.querySelector(".mark, mark");
  if (!mark) {
    pane.scrollTo(0, 0);
    return;
  }
  const box = mark.getBoundingClientRect();
  const frame = pane.getBoundingClientRect();
  pane.scrollBy(box.left - frame.left - frame.width / 3, box.top - frame.top - frame.height / 3);
}

function bar() {
  const made = document.createElement("div");
  made.className = "bar";
  made.append(button("−", "Smaller", () => changeZoom(-1)), button("+", "Larger", () => changeZoom(1)));
  made.append(button("×", "Close", hide));
  return made;
}

function button(text, name, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.setAttribute("aria-label", name);
  made.addEventListener("click", act);
  return made;
}
