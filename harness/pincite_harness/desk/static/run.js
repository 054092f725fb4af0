// A run's trials: rows move while the run goes on, and keys go from row to row.

import { fetchPart, focusSearch, isTyping } from "./parts.js";

const live = document.getElementById("live");
let going = false;
let again = false;

async function renew() {
  if (going) {
    again = true;
    return;
  }
  going = true;
  try {
    const part = await fetchPart(location.href);
    const fresh = part.getElementById("listing");
    const chosen = document.activeElement?.closest("tr")?.dataset.trial;
    if (fresh) {
      document.getElementById("listing").replaceWith(fresh);
      if (chosen) row(chosen)?.querySelector("a").focus({ preventScroll: true });
    }
  } finally {
    going = false;
    if (again) {
      again = false;
      setTimeout(renew, 500);
    }
  }
}

function row(name) {
  return document.querySelector(`tr[data-trial="${CSS.escape(name)}"]`);
}

let first = !document.getElementById("listing").hasAttribute("data-first");
const events = new EventSource(live.dataset.events);
events.addEventListener("changed", (event) => {
  const { states } = JSON.parse(event.data);
  const moving = (states.running ?? 0) + (states.waiting ?? 0);
  live.textContent = states.running ? `live: ${states.running} running, ${states.waiting ?? 0} waiting` : "";
  live.classList.toggle("on", moving > 0 && Boolean(states.running));
  if (!first) renew();
  first = false;
});
events.addEventListener("error", () => {
  live.textContent = "not connected";
  live.classList.remove("on");
});

document.querySelector(".filters").addEventListener("change", (event) => event.currentTarget.requestSubmit());

document.addEventListener("keydown", (event) => {
  if (isTyping(event)) return;
  const links = [...document.querySelectorAll("tr[data-trial] th a")];
  const at = links.indexOf(document.activeElement);
  if (event.key === "j" || event.key === "ArrowDown") links[Math.min(at + 1, links.length - 1)]?.focus();
  else if (event.key === "k" || event.key === "ArrowUp") links[Math.max(at - 1, 0)]?.focus();
  else if (!(event.key === "/" && focusSearch())) return;
  event.preventDefault();
});
