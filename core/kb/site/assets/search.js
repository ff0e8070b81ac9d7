"use strict";
// Looks the words up in THINGS (search-index.js) and lists what has them all; words are only text.
const MOST = 200;

/** @typedef {{ label: string, id: string, category: string, count: number, file: string, rank: number }} Found */

/** @param {string} words */
function fold(words) {
  return words.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

// The name itself, then names that begin so, then those with words that do, then all others.
/** @param {string} name  @param {string} id  @param {string} asked  @param {string[]} words */
function rank(name, id, asked, words) {
  if (name === asked || id === asked) return 0;
  if (name.startsWith(asked)) return 1;
  const own = name.split(/[^\p{L}\p{N}]+/u);
  return words.every((word) => own.some((part) => part.startsWith(word))) ? 2 : 3;
}

const FOLDED = THINGS.map(([label, id]) => [fold(label), fold(id)]);

/** @param {string} question */
function look(question) {
  const asked = fold(question).trim();
  const words = asked.split(/\s+/).filter(Boolean);
  if (!words.length) return null;
  /** @type {Found[]} */
  const found = [];
  FOLDED.forEach(([name, known], place) => {
    if (words.every((word) => name.includes(word) || known.includes(word))) {
      const [label, id, category, count, file] = THINGS[place];
      found.push({ label, id, category, count, file, rank: rank(name, known, asked, words) });
    }
  });
  found.sort((a, b) => a.rank - b.rank || b.count - a.count || a.label.localeCompare(b.label));
  return found;
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} name
 * @param {string} text
 * @param {Element} parent
 */
function element(name, text, parent) {
  const made = document.createElement(name);
  made.textContent = text;
  parent.append(made);
  return made;
}

/** @param {Found[] | null} found */
function show(found) {
  const list = /** @type {HTMLElement} */ (document.getElementById("found"));
  const said = /** @type {HTMLElement} */ (document.getElementById("said"));
  list.replaceChildren();
  if (found === null) return;
  const more = found.length > MOST ? `; the first ${MOST} are shown` : "";
  said.textContent = `${found.length} ${found.length === 1 ? "thing" : "things"}${more}.`;
  for (const one of found.slice(0, MOST)) {
    const line = element("li", "", list);
    const link = element("a", one.label, line);
    link.href = `things/${encodeURIComponent(one.file)}.html`;
    link.className = `thing ${one.category}`;
    element("code", ` ${one.id} `, line);
    element("small", `${one.category}, ${one.count} ${one.count === 1 ? "statement" : "statements"}`, line);
  }
}

const box = /** @type {HTMLInputElement} */ (document.querySelector("input[name=q]"));
box.value = new URLSearchParams(location.search).get("q") || "";
box.addEventListener("input", () => show(look(box.value)));
show(look(box.value));
