// An audit: a claim opens its verdict, its source's page and the agent's steps at the side.

import { changeZoom, hide, show } from "./pane.js";
import { isTyping } from "./parts.js";

const tabs = [...document.querySelectorAll("[data-tab]")];
const chosen = new Set();
let at = null;

function choose(name) {
  for (const tab of tabs) {
    const on = tab.dataset.tab === name;
    document.getElementById(tab.dataset.tab).hidden = !on;
    if (on) tab.setAttribute("aria-current", "true");
    else tab.removeAttribute("aria-current");
  }
}

function open(link) {
  at = link;
  link.focus({ preventScroll: true });
  link.scrollIntoView({ block: "nearest" });
  return show(link);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a.claim, a.row-claim, a.to-step, [data-tab]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (link.dataset.tab) choose(link.dataset.tab);
  else if (link.classList.contains("to-step")) show(link);
  else open(link);
});

for (const button of document.querySelectorAll("button.verdict")) {
  button.addEventListener("click", () => {
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    if (on) chosen.add(button.dataset.verdict);
    else chosen.delete(button.dataset.verdict);
    for (const each of document.querySelectorAll("a.claim, tr[data-verdict]")) {
      const out = chosen.size > 0 && !chosen.has(each.dataset.verdict);
      if (each.tagName === "TR") each.hidden = out;
      else each.classList.toggle("faint", out);
    }
  });
}

function move(by, wanted) {
  const all = [...document.querySelectorAll(wanted)].filter((each) => each.offsetParent !== null);
  if (!all.length) return;
  const every = [...document.querySelectorAll("a.claim, a.row-claim")].filter((each) => each.offsetParent !== null);
  const here = every.indexOf(at);
  const rest = by > 0 ? all.filter((each) => every.indexOf(each) > here) : all.filter((each) => every.indexOf(each) < here);
  const next = by > 0 ? rest[0] ?? all[0] : rest.at(-1) ?? all.at(-1);
  open(next);
}

const ANY = "a.claim:not(.faint), tr:not([hidden]) a.row-claim";
const KEYS = {
  j: () => move(1, ANY),
  k: () => move(-1, ANY),
  x: () => move(1, "a.claim.bad, tr:has(.failed) a.row-claim"),
  1: () => choose("text"),
  2: () => choose("claims"),
  "+": () => changeZoom(1),
  "-": () => changeZoom(-1),
  Escape: hide,
};

document.addEventListener("keydown", (event) => {
  if (isTyping(event) || !(event.key in KEYS)) return;
  event.preventDefault();
  KEYS[event.key]();
});

const empty = document.querySelector("#text .notice");
choose(empty ? "claims" : "text");
