// A trial: tabs, steps that load when they are opened or come near, search, and the pane with the paper's page.

import { changeZoom, hide, show } from "./pane.js";
import { fetchPart, fill, focusSearch, isTyping } from "./parts.js";

const tabs = [...document.querySelectorAll("[data-tab]")];

function choose(name) {
  for (const tab of tabs) {
    const on = tab.dataset.tab === name;
    document.getElementById(tab.dataset.tab).hidden = !on;
    if (on) tab.setAttribute("aria-current", "true");
    else tab.removeAttribute("aria-current");
  }
  const part = document.getElementById(name);
  if (name === "steps") drawTime();
  if (part.dataset.src) {
    const address = part.dataset.src;
    delete part.dataset.src;
    return fill(part, address);
  }
  return Promise.resolve();
}

const time = document.getElementById("timeline");

async function drawTime(again = false) {
  if (!time || (time.dataset.drawn && !again)) return;
  time.dataset.drawn = "1";
  await fill(time, time.dataset.src);
  for (const tick of time.querySelectorAll("[data-at]")) tick.style.left = `${tick.dataset.at}%`;
}

time?.addEventListener("click", (event) => {
  const bar = event.target.closest("[data-step]");
  if (!bar) return;
  history.replaceState(null, "", `#${bar.dataset.step}`);
  goTo(bar.dataset.step);
});

async function more(item) {
  if (item.dataset.going) return;
  item.dataset.going = "1";
  const part = await fetchPart(item.querySelector("a").href);
  const list = part.querySelector("ol.steps");
  if (list) item.replaceWith(...list.children);
  watch();
}

const near = new IntersectionObserver((seen) => {
  for (const each of seen) if (each.isIntersecting) more(each.target);
}, { rootMargin: "1200px" });

function watch() {
  for (const item of document.querySelectorAll("li.more:not([data-seen])")) {
    item.dataset.seen = "1";
    near.observe(item);
  }
}

document.addEventListener("toggle", (event) => {
  const opened = event.target;
  if (!opened.open || !opened.dataset.src) return;
  const address = opened.dataset.src;
  delete opened.dataset.src;
  fill(opened.querySelector(".body"), address).then(watch);
}, true);

async function goTo(id) {
  const [kind, conversation, number] = id.split("-");
  if (kind === "record" || kind === "gold") {
    await choose("answer");
  } else if (kind === "step" || kind === "conversation") {
    await choose("steps");
    if (Number(conversation)) {
      const folded = document.getElementById(`conversation-${conversation}`);
      if (folded && !folded.open) {
        const address = folded.dataset.src;
        delete folded.dataset.src;
        folded.open = true;
        if (address) await fill(folded.querySelector(".body"), address);
      }
    }
    while (kind === "step" && !document.getElementById(id)) {
      const item = document.querySelector(`ol[data-conversation="${Number(conversation)}"] > li.more`);
      if (!item) return;
      const link = item.querySelector("a");
      const address = new URL(link.href);
      address.searchParams.set("last", number);
      link.href = address.href;
      delete item.dataset.going;
      await more(item);
    }
  } else if (tabs.some((tab) => tab.dataset.tab === id)) {
    await choose(id);
    return;
  }
  const found = document.getElementById(id);
  if (!found) return;
  found.open = true;
  found.scrollIntoView({ block: "start" });
  found.querySelector("summary")?.focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (link.classList.contains("place")) {
    event.preventDefault();
    show(link);
  } else if (link.dataset.tab) {
    event.preventDefault();
    history.replaceState(null, "", link.hash);
    choose(link.dataset.tab);
  } else if (link.dataset.step) {
    event.preventDefault();
    history.replaceState(null, "", `#${link.dataset.step}`);
    goTo(link.dataset.step);
  } else if (link.closest("li.more")) {
    event.preventDefault();
    more(link.closest("li.more"));
  } else if (link.hash && link.pathname === location.pathname) {
    event.preventDefault();
    history.replaceState(null, "", link.hash);
    goTo(link.hash.slice(1));
  }
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.dataset.into) return;
  event.preventDefault();
  const query = new URLSearchParams(new FormData(form));
  fill(document.getElementById(form.dataset.into), `${form.action}?${query}`);
});

function move(selector, by) {
  const all = [...document.querySelectorAll(selector)].filter((each) => each.offsetParent !== null);
  const at = all.indexOf(document.activeElement.closest(selector) ?? document.activeElement);
  const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + by, 0), all.length - 1)];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
  return next;
}

const LINES = ".steps summary, .record > summary";
const KEYS = {
  j: () => move(LINES, 1),
  k: () => move(LINES, -1),
  n: () => quote(1),
  p: () => quote(-1),
  "/": focusSearch,
  ...Object.fromEntries(tabs.map((tab, number) => [number + 1, () => choose(tab.dataset.tab)])),
  "+": () => changeZoom(1),
  "-": () => changeZoom(-1),
  Escape: hide,
};

function quote(by) {
  const next = move("a.place", by);
  if (next) show(next);
}

document.addEventListener("keydown", (event) => {
  if (isTyping(event) || !(event.key in KEYS)) return;
  event.preventDefault();
  KEYS[event.key]();
});

// A trial that goes on: its new steps come as they are recorded.

const live = document.getElementById("live");

async function append() {
  const list = document.querySelector('ol[data-conversation="0"]');
  if (!list) {
    const answer = await fetch(`${location.pathname}/steps?conversation=0&first=1`);
    if (answer.ok) location.reload();
    return;
  }
  if (list.querySelector(":scope > li.more")) return;
  const last = list.querySelectorAll(":scope > li").length;
  const address = new URL(`${location.pathname}/steps`, location.origin);
  address.search = new URLSearchParams({ conversation: 0, first: last + 1 });
  const part = await fetchPart(address.href);
  const fresh = part.querySelector("ol.steps");
  if (fresh) list.append(...fresh.children);
  watch();
  if (!document.getElementById("steps").hidden) drawTime(true);
}

if (live) {
  const events = new EventSource(live.dataset.events);
  let turn = Promise.resolve();
  events.addEventListener("grown", () => { turn = turn.then(append); });
  events.addEventListener("ended", () => {
    events.close();
    location.reload();
  });
}

const wanted = decodeURIComponent(location.hash.slice(1));
if (wanted) choose("answer").then(() => goTo(wanted));
else choose(live ? "steps" : "answer");
watch();
