// The pane at the right: the paper's page with the cited characters marked.

import { fetchPart, notice, SILENT } from "./parts.js";

const pane = document.getElementById("pane");
const ZOOMS = [60, 80, 100, 130, 160, 200, 260];
let zoom = 2;
let chosen = null;

export async function show(link) {
  chosen?.removeAttribute("aria-current");
  chosen = link;
  link.setAttribute("aria-current", "true");
  pane.classList.add("open");
  pane.setAttribute("aria-busy", "true");
  const part = await fetchPart(link.href).catch(() => notice(SILENT));
  if (chosen !== link) return;
  pane.removeAttribute("aria-busy");
  pane.replaceChildren(part);
  if (link.dataset.note) pane.prepend(notice(link.dataset.note));
  pane.prepend(bar());
  apply();
  bringToMark();
}

export function hide() {
  pane.classList.remove("open");
  // A place within a closed record cannot have the focus: its record's line has it.
  const line = chosen?.closest("details:not([open])")?.querySelector("summary");
  (line ?? chosen)?.focus();
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
  // A crop of the cell or figure stands above the page, and shows the mark larger.
  const mark = pane.querySelector(".cell-mark, .mark, mark");
  if (!mark) {
    pane.scrollTo(0, 0);
    return;
  }
  // What stands above the page, such as a verdict, stays in view where the mark does too.
  pane.scrollTo(0, 0);
  const box = mark.getBoundingClientRect();
  const frame = pane.getBoundingClientRect();
  const below = box.bottom - frame.top - frame.height * 0.75;
  const beside = box.left - frame.left - frame.width / 3;
  pane.scrollBy(box.right > frame.right ? beside : 0, Math.max(below, 0));
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
