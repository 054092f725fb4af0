// Pieces of pages: the server escapes all text, so its markup goes in as it is. No script in it would run anyhow.

export const SILENT = "The desk does not answer: is pincite view still running?";

export async function fetchPart(address) {
  const answer = await fetch(address, { headers: { "x-part": "1" } });
  const holder = document.createElement("template");
  holder.innerHTML = await answer.text();
  return holder.content;
}

export async function fill(target, address) {
  target.setAttribute("aria-busy", "true");
  try {
    target.replaceChildren(await fetchPart(address));
  } catch {
    target.replaceChildren(notice(SILENT));
  } finally {
    target.removeAttribute("aria-busy");
  }
}

export function notice(text) {
  const made = document.createElement("p");
  made.className = "notice";
  made.textContent = text;
  return made;
}

export function isTyping(event) {
  const typed = event.target.closest("input, select, textarea");
  return Boolean(typed) || event.ctrlKey || event.metaKey || event.altKey;
}

export function focusSearch() {
  const field = [...document.querySelectorAll("[data-key='/']")].find((each) => each.offsetParent !== null);
  field?.focus();
  return Boolean(field);
}
