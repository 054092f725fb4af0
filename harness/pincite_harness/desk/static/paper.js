// A paper: layers over its pages, text that is selected for its quote and locator, and search.

import { fetchPart, fill, focusSearch, isTyping, notice } from "./parts.js";

const SVG = "http://www.w3.org/2000/svg";
const pages = document.getElementById("pages");
const base = new URL(pages.dataset.paper, location.href).href;
const shown = document.getElementById("selection");
const prints = [...document.querySelectorAll(".print")];
const characters = new Map();

async function load(print) {
  if (print.dataset.loaded) return;
  print.dataset.loaded = "1";
  const part = await fetchPart(`${base}/layers/${print.dataset.page}`);
  const svg = part.querySelector("svg");
  if (svg) print.querySelector("svg").replaceWith(svg);
  const answer = await fetch(`${base}/characters/${print.dataset.page}`);
  if (answer.ok) characters.set(print, await answer.json());
}

const near = new IntersectionObserver((seen) => {
  for (const each of seen) {
    if (!each.isIntersecting) continue;
    near.unobserve(each.target);
    load(each.target);
  }
}, { rootMargin: "600px" });
for (const print of prints) near.observe(print);

// Layers

const switches = [...document.querySelectorAll(".layers input")];
for (const each of switches) {
  each.addEventListener("change", () => pages.classList.toggle(`show-${each.name}`, each.checked));
}

// Selection: the characters between where the pointer went down and where it is, in reading order.

let anchor = null;

function at(print, event) {
  const frame = print.getBoundingClientRect();
  const x = ((event.clientX - frame.left) / frame.width) * print.dataset.width;
  const y = ((event.clientY - frame.top) / frame.height) * print.dataset.height;
  const { boxes } = characters.get(print);
  let best = -1;
  let least = Infinity;
  boxes.forEach((box, index) => {
    if (!box) return;
    const across = Math.max(box[0] - x, 0, x - box[2]);
    const down = Math.max(box[1] - y, 0, y - box[3]);
    const away = across + 4 * down;
    if (away < least) [best, least] = [index, away];
  });
  return best;
}

function lines(boxes) {
  const found = [];
  for (const box of boxes) {
    if (!box) continue;
    const last = found.at(-1);
    const level = last && Math.min(last[3], box[3]) > Math.max(last[1], box[1]);
    if (level && box[0] >= last[0] - 1 && box[0] - last[2] < 60) {
      found[found.length - 1] = [last[0], Math.min(last[1], box[1]), Math.max(last[2], box[2]), Math.max(last[3], box[3])];
    } else {
      found.push([...box]);
    }
  }
  return found;
}

function draw(print, boxes) {
  const group = print.querySelector("g.selected");
  if (!group) return;
  group.replaceChildren(...boxes.map(([x0, y0, x1, y1]) => {
    const rect = document.createElementNS(SVG, "rect");
    rect.setAttribute("class", "mark");
    rect.setAttribute("x", x0);
    rect.setAttribute("y", y0);
    rect.setAttribute("width", x1 - x0);
    rect.setAttribute("height", y1 - y0);
    return rect;
  }));
}

function clear() {
  for (const group of document.querySelectorAll("g.selected")) group.replaceChildren();
}

pages.addEventListener("pointerdown", (event) => {
  const print = event.target.closest(".print");
  if (!print || event.button || !characters.has(print)) return;
  const first = at(print, event);
  if (first < 0) return;
  clear();
  anchor = { print, first, last: first, moved: false };
  if (event.pointerType === "mouse") event.preventDefault();
});

pages.addEventListener("pointermove", (event) => {
  if (!anchor || event.target.closest(".print") !== anchor.print) return;
  anchor.moved = true;
  anchor.last = at(anchor.print, event);
  const [low, high] = [Math.min(anchor.first, anchor.last), Math.max(anchor.first, anchor.last)];
  draw(anchor.print, lines(characters.get(anchor.print).boxes.slice(low, high + 1)));
});

addEventListener("pointerup", () => {
  if (!anchor) return;
  const { print, first, last, moved } = anchor;
  anchor = null;
  if (!moved) return;
  const { start } = characters.get(print);
  tell(`${start + Math.min(first, last)}-${start + Math.max(first, last) + 1}`, false);
});

// What is selected, with exactly the boxes that the server gives to its characters.

async function tell(spans, bring) {
  const answer = await fetch(`${base}/selection?spans=${encodeURIComponent(spans)}`);
  if (!answer.ok) {
    shown.replaceChildren(notice("Nothing is selected."));
    return;
  }
  const told = await answer.json();
  clear();
  for (const [number, boxes] of Object.entries(told.boxes)) {
    const print = document.querySelector(`.print[data-page="${Number(number)}"]`);
    await load(print);
    draw(print, boxes);
  }
  show(told);
  const first = document.querySelector("g.selected rect");
  if (bring) (first ?? document.getElementById(`page-${told.page}`))?.scrollIntoView({ block: "center" });
}

const report = document.querySelector(".misreading form");

function reportFrom(told) {
  if (!report) return;
  report.elements.spans.value = told.spans;
  report.elements.page.value = told.page;
  document.getElementById("reported").textContent = "the lines of what is selected";
}

report?.elements.page.addEventListener("input", () => {
  report.elements.spans.value = "";
  document.getElementById("reported").textContent = "the whole page";
});

function show(told) {
  reportFrom(told);
  const quote = document.createElement("blockquote");
  quote.textContent = told.quote;
  const where = document.createElement("p");
  const locator = document.createElement("code");
  locator.className = "locator";
  locator.textContent = told.locator;
  where.append(locator, copier("Copy locator", told.locator), copier("Copy quote", told.quote));
  const parts = [quote, where];
  if (told.section) parts.push(soft(told.section));
  if (told.unreliable) parts.push(notice(told.unreliable));
  const more = document.createElement("details");
  const title = document.createElement("summary");
  title.textContent = "W3C annotation";
  const json = document.createElement("pre");
  json.className = "text";
  json.textContent = JSON.stringify(told.annotation, null, 2);
  more.append(title, json);
  shown.replaceChildren(...parts, more);
}

function soft(text) {
  const made = document.createElement("p");
  made.className = "soft";
  made.textContent = text;
  return made;
}

function copier(name, text) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = name;
  made.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text);
    made.textContent = "Copied";
    setTimeout(() => { made.textContent = name; }, 1200);
  });
  return made;
}

// A paper without pages: its text is selected as any other.

const text = document.getElementById("text");
text?.addEventListener("pointerup", () => {
  const selection = getSelection();
  if (selection.isCollapsed || !text.contains(selection.anchorNode)) return;
  const range = selection.getRangeAt(0);
  const before = document.createRange();
  before.selectNodeContents(text);
  before.setEnd(range.startContainer, range.startOffset);
  const start = [...before.toString()].length;
  const length = [...range.toString()].length;
  if (length) tell(`${start}-${start + length}`, false);
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("a.hit");
  if (!link || event.ctrlKey || event.metaKey || !prints.length) return;
  event.preventDefault();
  history.replaceState(null, "", `#at-${link.dataset.spans}`);
  tell(link.dataset.spans, true);
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.dataset.into) return;
  event.preventDefault();
  fill(document.getElementById(form.dataset.into), `${form.action}?${new URLSearchParams(new FormData(form))}`);
});

document.addEventListener("keydown", (event) => {
  if (isTyping(event) && event.target.type !== "checkbox") return;
  const layer = switches.find((each) => each.dataset.key === event.key);
  if (layer) layer.click();
  else if (!(event.key === "/" && focusSearch())) return;
  event.preventDefault();
});

const wanted = /^#at-([0-9]+-[0-9]+)$/.exec(location.hash);
if (wanted) tell(wanted[1], true);
