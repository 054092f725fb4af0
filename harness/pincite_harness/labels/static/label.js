// A queue of labels: one item at a time, keys 1 to 9, and every change is sent, or held by the browser, at once.

const SVG = "http://www.w3.org/2000/svg";
const data = JSON.parse(document.getElementById("queue").textContent);
const named = document.getElementById("by");
const stored = `pincite-labels:${data.rubric}:${data.items.map((item) => item.id).join(",").slice(0, 4000)}`;
const given = data.save ? data.given : restored();
const toggled = data.asked.length > 3 && data.asked.every((each) => each.labels.length === 2);
let at = 0;
let question = 0;
let waiting = Promise.resolve();
let unsent = 0;

function restored() {
  try {
    const held = JSON.parse(localStorage.getItem(stored) ?? "{}");
    if (named) named.value = held.by ?? "";
    return held.given ?? {};
  } catch {
    return {};
  }
}

function make(name, text = "", attributes = {}) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

const saidOf = (item) => (given[item.id] ??= { labels: {}, flagged: false, note: "", corrections: {} });
const isDone = (item) => Object.keys(given[item.id]?.labels ?? {}).length === data.asked.length;

// What is shown

function show() {
  const item = data.items[at];
  const holder = document.getElementById("item");
  if (!item) {
    holder.replaceChildren(make("p", "The queue is empty.", { class: "notice" }));
    return;
  }
  const parts = [];
  if (item.why.length) {
    const why = make("p", "", { class: "counts" });
    for (const each of item.why) why.append(make("span", each, { class: "badge unscored" }), " ");
    parts.push(why);
  }
  if (item.earlier.length) parts.push(earlierTable(item));
  parts.push(subjectList(item));
  if (item.facts.length) parts.push(factsOf(item));
  holder.replaceChildren(...parts);
  showPane(item);
  showAsked(item);
  progress();
  history.replaceState(null, "", `#${at + 1}`);
}

function subjectList(item) {
  const list = make("dl", "", { class: "subject" });
  const quote = item.subject.find(([name]) => name === "quote")?.[1];
  for (const [name, text] of item.subject) {
    const row = make("div");
    const value = make("dd", "", name === "quote" ? { class: "said-so" } : {});
    value.tabIndex = 0;
    const start = name === "passage" && quote ? text.indexOf(quote) : -1;
    if (name === "passage") value.append(passageOf(text, start, quote, item.place));
    else value.textContent = text;
    row.append(make("dt", name), value);
    list.append(row);
  }
  return list;
}

function passageOf(text, start, quote, place) {
  const more = make("details");
  const body = make("div");
  if (start >= 0) body.append(text.slice(0, start), make("mark", quote), text.slice(start + quote.length));
  else body.textContent = text;
  more.open = !place?.picture;
  more.append(make("summary", "the words around it"), body);
  return more;
}

function factsOf(item) {
  const more = make("details", "", { class: "both" });
  const body = make("div", "", { class: "body" });
  const list = make("dl", "", { class: "subject" });
  for (const [name, text] of item.facts) {
    const row = make("div");
    row.append(make("dt", name), make("dd", text));
    list.append(row);
  }
  body.append(list);
  more.append(make("summary", "What the run says of it"), body);
  return more;
}

function earlierTable(item) {
  const table = make("table", "", { class: "earlier" });
  const head = make("tr");
  head.append(make("th", "", { scope: "col" }), ...item.earlier.map((each) => make("th", each.by, { scope: "col" })));
  const rows = data.asked.map((each) => {
    const row = make("tr");
    const said = item.earlier.map((person) => person.labels[each.name] ?? "–");
    const differs = new Set(said).size > 1;
    row.append(make("th", each.name, { scope: "row" }));
    row.append(...said.map((label) => make("td", label, differs ? { class: "given unscored" } : {})));
    return row;
  });
  const notes = make("tr");
  notes.append(make("th", "note", { scope: "row" }), ...item.earlier.map((each) => make("td", each.note)));
  table.append(head, ...rows, ...(item.earlier.some((each) => each.note) ? [notes] : []));
  return table;
}

function showPane(item) {
  const pane = document.getElementById("pane");
  const parts = [];
  for (const picture of item.pictures) {
    if (picture.address) parts.push(make("img", "", { class: "shown-figure", src: picture.address, alt: picture.name }));
  }
  const place = item.place;
  if (place?.note) parts.push(make("p", place.note, { class: "notice" }));
  if (place?.picture) parts.push(sheet(place));
  if (!parts.length) parts.push(make("p", "There is no page to show.", { class: "soft" }));
  pane.replaceChildren(...parts);
  pane.scrollTo(0, 0);
  // The pane alone: the window stays with the record, also where the page stands below it.
  const mark = pane.querySelector(".mark");
  if (mark) pane.scrollTo(0, mark.getBoundingClientRect().top - pane.getBoundingClientRect().top - pane.clientHeight / 2);
}

function sheet(place) {
  const figure = make("figure", "", { class: "sheet" });
  const print = make("div", "", { class: "print" });
  const marked = place.boxes.length ? ", with the quoted words marked" : "";
  const size = { width: Math.round(place.width), height: Math.round(place.height) };
  print.append(make("img", "", { src: place.picture, alt: `Page ${place.page} of ${place.paper}${marked}`, ...size }));
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${place.width} ${place.height}`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  for (const [x0, y0, x1, y1] of place.boxes) {
    const box = document.createElementNS(SVG, "rect");
    const edges = { class: "mark", x: x0, y: y0, width: x1 - x0, height: y1 - y0 };
    for (const [key, value] of Object.entries(edges)) box.setAttribute(key, value);
    svg.append(box);
  }
  print.append(svg);
  figure.append(print, make("figcaption", `${place.paper}, page ${place.page}`));
  return figure;
}

// What is asked

function showAsked(item) {
  const said = given[item.id] ?? { labels: {}, flagged: false, note: "", corrections: {} };
  const form = document.getElementById("asked");
  question = Math.max(0, data.asked.findIndex((each) => !(each.name in said.labels)));
  form.replaceChildren(...(toggled ? [toggles(said)] : data.asked.map((each, number) => choices(each, number, said))));
  form.append(more(said));
  point();
}

function choices(each, number, said) {
  const field = make("fieldset", "", { "data-question": number });
  const row = make("div", "", { class: "choices" });
  each.labels.forEach((label, key) => {
    const holder = make("label");
    const input = make("input", "", { type: "radio", name: each.name, value: label });
    input.checked = said.labels[each.name] === label;
    input.addEventListener("change", () => choose(number, label));
    holder.append(input, make("kbd", String(key + 1)), label);
    row.append(holder);
  });
  field.append(make("legend", each.name), row, make("p", each.meaning, { class: "meaning" }));
  if (said.labels[each.name] === each.labels[0] && !toggled) field.append(rightOne(each, said));
  return field;
}

function rightOne(each, said) {
  const holder = make("label", "What would be right ", { class: "right" });
  const input = make("input", "", { type: "text", maxlength: 4000, "data-right": each.name });
  input.value = said.corrections[each.name] ?? "";
  input.addEventListener("change", () => {
    saidOf(data.items[at]).corrections[each.name] = input.value;
    send(data.items[at]);
  });
  holder.append(input);
  return holder;
}

function toggles(said) {
  const field = make("fieldset");
  const grid = make("div", "", { class: "toggles" });
  data.asked.forEach((each, number) => {
    const holder = make("label");
    const input = make("input", "", { type: "checkbox", name: each.name });
    input.checked = said.labels[each.name] === each.labels[0];
    input.addEventListener("change", () => toggle(number, input.checked));
    holder.append(input, make("kbd", String(number + 1)), each.name, make("span", each.meaning));
    grid.append(holder);
  });
  field.append(make("legend", "What is present"), grid);
  return field;
}

function more(said) {
  const holder = make("div", "", { class: "said-more" });
  const flag = make("label");
  const box = make("input", "", { type: "checkbox", id: "flag" });
  box.checked = said.flagged;
  box.addEventListener("change", () => {
    saidOf(data.items[at]).flagged = box.checked;
    send(data.items[at]);
  });
  flag.append(box, " ", make("kbd", "f"), " flag");
  const note = make("textarea", "", { id: "note", maxlength: 4000, "aria-label": "Note", placeholder: "note" });
  note.value = said.note;
  note.addEventListener("change", keepNote);
  holder.append(flag, note);
  return holder;
}

function keepNote() {
  const note = document.getElementById("note");
  const item = data.items[at];
  if (!note || (given[item.id]?.note ?? "") === note.value.trim()) return;
  saidOf(item).note = note.value.trim();
  send(item);
}

function point() {
  for (const field of document.querySelectorAll("#asked [data-question]")) {
    field.classList.toggle("now", Number(field.dataset.question) === question);
  }
}

function choose(number, label) {
  const item = data.items[at];
  const each = data.asked[number];
  const said = saidOf(item);
  said.labels[each.name] = label;
  if (label !== each.labels[0]) delete said.corrections[each.name];
  send(item);
  showAsked(item);
  question = Math.min(number + 1, data.asked.length - 1);
  point();
}

function toggle(number, on) {
  const item = data.items[at];
  const said = saidOf(item);
  for (const each of data.asked) said.labels[each.name] ??= each.labels[1];
  said.labels[data.asked[number].name] = data.asked[number].labels[on ? 0 : 1];
  send(item);
  showAsked(item);
}

// What is kept

function send(item) {
  progress();
  const state = document.getElementById("saved");
  if (!data.save) {
    try {
      localStorage.setItem(stored, JSON.stringify({ by: named?.value ?? "", given }));
      state.textContent = "held by this browser: download it when you are done";
    } catch {
      state.textContent = "this browser holds nothing: download before you leave";
    }
    return;
  }
  const body = JSON.stringify({ id: item.id, ...saidOf(item) });
  unsent += 1;
  state.textContent = "saving …";
  waiting = waiting.then(async () => {
    let why = "the program that serves this page has ended";
    try {
      const answer = await fetch(data.save, { method: "POST", headers: { "content-type": "application/json" }, body });
      why = answer.ok ? "" : await answer.text();
    } catch { /* it does not answer */ }
    unsent -= why ? 0 : 1;
    state.classList.toggle("wrong", Boolean(why));
    if (why) state.textContent = `not saved: ${why}`;
    else if (!unsent) state.textContent = "saved";
  });
}

function progress() {
  const done = data.items.filter(isDone).length;
  const bar = document.getElementById("progress");
  bar.max = Math.max(data.items.length, 1);
  bar.value = done;
  document.getElementById("count").textContent = `item ${at + 1} of ${data.items.length}, ${done} labelled (${data.order})`;
}

function download() {
  const by = named?.value.trim() || "somebody";
  const lines = data.items.filter((item) => given[item.id]).map((item) => JSON.stringify({
    id: item.id, by, at: new Date().toISOString(), subject: Object.fromEntries(item.subject), ...given[item.id],
  }));
  const link = make("a", "", { download: `${by.replace(/[^A-Za-z0-9._-]+/g, "-")}.jsonl` });
  link.href = URL.createObjectURL(new Blob([`${lines.join("\n")}\n`], { type: "application/jsonl" }));
  link.click();
  URL.revokeObjectURL(link.href);
}

// Moving

function go(to) {
  keepNote();
  at = Math.min(Math.max(to, 0), Math.max(data.items.length - 1, 0));
  show();
}

function forward() {
  const item = data.items[at];
  if (toggled && item && !isDone(item)) {
    const said = saidOf(item);
    for (const each of data.asked) said.labels[each.name] ??= each.labels[1];
    send(item);
  }
  go(at + 1);
}

function nextOpen() {
  const behind = data.items.findIndex((item, number) => number > at && !isDone(item));
  const found = behind >= 0 ? behind : data.items.findIndex((item) => !isDone(item));
  if (found >= 0) go(found);
}

document.getElementById("asked").addEventListener("submit", (event) => event.preventDefault());
document.getElementById("back").addEventListener("click", () => go(at - 1));
document.getElementById("next").addEventListener("click", forward);
document.getElementById("open").addEventListener("click", nextOpen);
const button = document.getElementById("download");
button.hidden = Boolean(data.save);
button.addEventListener("click", download);
named?.addEventListener("change", () => localStorage.setItem(stored, JSON.stringify({ by: named.value, given })));
addEventListener("beforeunload", (event) => { if (data.save && unsent) event.preventDefault(); });

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.closest("textarea, input[type='text'], #by");
  if (typing) {
    if (event.key === "Escape" || (event.key === "Enter" && event.target.tagName !== "TEXTAREA")) event.target.blur();
    return;
  }
  if (event.key === "Enter" && event.target.closest("button, summary")) return;
  const digit = /^[1-9]$/.test(event.key) ? Number(event.key) - 1 : -1;
  if (digit >= 0) press(digit);
  else if (event.key === "Enter" || event.key === "j") forward();
  else if (event.key === "k") go(at - 1);
  else if (event.key === "u") nextOpen();
  else if (event.key === "f") document.getElementById("flag")?.click();
  else if (event.key === "n") document.getElementById("note")?.focus();
  else if (event.key === "ArrowDown" || event.key === "ArrowUp") step(event.key === "ArrowDown" ? 1 : -1);
  else return;
  event.preventDefault();
});

function press(digit) {
  if (toggled) document.querySelectorAll("#asked .toggles input")[digit]?.click();
  else if (data.asked[question]?.labels[digit]) choose(question, data.asked[question].labels[digit]);
}

function step(by) {
  question = Math.min(Math.max(question + by, 0), data.asked.length - 1);
  point();
}

const wanted = Number(location.hash.slice(1));
if (wanted >= 1) at = Math.min(wanted, data.items.length) - 1;
else at = Math.max(0, data.items.findIndex((item) => !isDone(item)));
show();
