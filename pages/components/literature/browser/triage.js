// Triage at the speed of the hand. The list lives in the browser: a key judges the paper that is on screen at once, and
// the verdict goes to the server with the chunk and the verdict that stood there. Presses are numbered and sent again
// until the server has said that it keeps them, so that none is lost and none is taken twice.

import { keyButton, make } from "../../shared/browser/elements.js";
import { pageKey } from "../../shared/browser/keys.js";
import { Outbox } from "../../shared/browser/outbox.js";

/** @import { Sent } from "../../shared/browser/outbox.js" */

/**
 * @typedef {{ id: string, document: string, title: string, words: string, head: string, html: string, link: string,
 *   facts: string[], flags: string[], counts: [string, number, string][], parts: string, year: string, score: string,
 *   withdrawn: boolean }} Row
 * @typedef {{ chunk: string, document: string, verdict: string, reason: string, seen: string, before: string }} Press
 * @typedef {{ rows: Row[], question: string, verdicts: Record<string, string>, names: Record<string, string>,
 *   reasons: string[], ticked: string[], done: Record<string, number>, refused: Record<string, number[]>, total: number,
 *   skipped: number, precision: string, off: boolean }} TriageData
 * @typedef {Pick<Press & Sent, "number" | "chunk" | "verdict" | "reason" | "seen">} SentPress
 * @typedef {{ window: string, presses: SentPress[], at: string, ticked: string[] }} TriageMessage
 */

/** @type {Record<string, string>} */
const KEYS = {
  a: "include", i: "include", x: "exclude", e: "exclude", s: "maybe", m: "maybe", n: "no evidence here",
};
const BUTTONS = [["Include", "A", "✓", "include"], ["Exclude", "X", "✗", "exclude"], ["Maybe", "S", "?", "maybe"],
  ["No evidence", "N", "∅", "no evidence here"]];
const UNDONE = "undone";
const REST = 400; // milliseconds of rest after which the server hears of the place

/**
 * @param {{ data: TriageData, parentElement: HTMLElement & { triage?: Triage },
 *   setStateValue: (name: "desk", value: TriageMessage) => void }} component
 */
export default function ({ data, parentElement, setStateValue }) {
  const desk = parentElement.triage ?? (parentElement.triage = new Triage(parentElement));
  desk.send = (now) => setStateValue("desk", now);
  desk.take(data);
  return () => {
    desk.close();
    delete parentElement.triage;
  };
}

/** @param {number} number */
function counted(number) {
  return number.toLocaleString("en");
}

// The sentence of an answer that ends with a citation: what stands between it and the citation before.
/** @param {HTMLElement} link */
function sentenceBefore(link) {
  let text = "";
  /** @type {(ChildNode & { classList?: DOMTokenList }) | null | undefined} */
  let node = link.closest("span.gw-cite")?.previousSibling;
  for (; node; node = node.previousSibling) {
    if (node.classList?.contains("gw-cite")) break;
    if (!node.classList?.contains("gw-badge")) text = node.textContent + text;
  }
  return text.trim() || link.dataset.words;
}

/** @type {Window & { triageInView?: Triage }} */
const page = window;

export class Triage {
  /** @type {TriageData} */ data;
  /** @type {(message: TriageMessage) => void} */ send;
  /** @type {Outbox<Press>} */ outbox;
  /** @type {Row[]} */ rows;
  /** @type {string} the row in view */ id;
  /** @type {Set<string>} */ ticked;
  /** @type {HTMLElement} */ root;
  /** @type {HTMLButtonElement[]} */ verdictButtons;
  /** @type {HTMLButtonElement} */ undoButton;
  /** @type {HTMLButtonElement} */ tickButton;
  /** @type {HTMLButtonElement} */ back;
  /** @type {HTMLButtonElement} */ next;
  /** @type {HTMLButtonElement} */ unjudged;
  /** @type {HTMLElement} */ place;
  /** @type {HTMLElement} */ stands;
  /** @type {HTMLElement} */ reasons;
  /** @type {HTMLElement} */ note;
  /** @type {HTMLElement} */ card;
  /** @type {HTMLElement} */ list;
  /** @type {HTMLElement} */ precision;
  /** @type {[HTMLElement, HTMLElement, HTMLElement][]} line, tick and verdict of each row */ lines;

  /** @param {Element} root */
  constructor(root) {
    this.outbox = new Outbox();
    /** @type {(Press & Sent)[]} */
    this.made = []; // verdicts of this window that undo can take back, newest last
    this.rows = [];
    this.reason = "";
    this.shown = Infinity; // when the card was painted
    this.build(make("div", "gt", root));
    /** @type {Triage | undefined} */
    this.older = page.triageInView; // while a new search replaces a list both are on the page: only the newer shows
    if (this.older) this.older.root.style.display = "none";
    page.triageInView = this;
    /** @param {KeyboardEvent} event */
    this.typed = (event) => page.triageInView === this && this.key(event);
    document.addEventListener("keydown", this.typed);
    /** @param {MouseEvent} event */
    this.cited = (event) => page.triageInView === this && this.cite(event);
    document.addEventListener("click", this.cited, true);
  }

  close() {
    document.removeEventListener("keydown", this.typed);
    document.removeEventListener("click", this.cited, true);
    clearTimeout(this.resting);
    this.root.remove();
    this.closed = true;
    if (page.triageInView === this) {
      page.triageInView = this.older && !this.older.closed ? this.older : undefined;
      if (page.triageInView) page.triageInView.root.style.display = "";
    }
    this.older = undefined;
  }

  // ------------------------------------------------------------ what is drawn once

  /** @param {HTMLElement} root */
  build(root) {
    this.root = root;
    const bar = make("div", "gt-bar", root);
    this.verdictButtons = BUTTONS.map(([name, key, sign, verdict]) =>
      keyButton(bar, "gt-button", `${sign} ${name}`, key, (event) => this.judge(verdict, event)));
    this.verdictButtons[0].classList.add("gt-first");
    this.undoButton = keyButton(bar, "gt-button", "↶ Undo", "U", () => this.undo());
    this.tickButton = keyButton(bar, "gt-button", "", "T", () => this.tick());
    this.place = make("span", "gt-place", bar);
    this.back = keyButton(bar, "gt-button", "↑ Previous", "K", () => this.move(-1));
    this.next = keyButton(bar, "gt-button", "↓ Next", "J", () => this.move(1));
    this.unjudged = keyButton(bar, "gt-button", "Next unjudged", "L", () => this.go(this.nextUnjudged()));
    this.reasons = make("div", "gt-reasons", root);
    this.note = make("div", "gt-note", root);
    this.note.setAttribute("aria-live", "polite");
    const two = make("div", "gt-two", root);
    this.card = make("article", "gt-card", two);
    const side = make("div", "gt-side", two);
    this.list = make("ol", "gt-list", side);
    this.precision = make("p", "gt-precision", side);
  }

  // ------------------------------------------------------------ what the server says

  /** @param {TriageData} data */
  take(data) {
    const kept = data.done[this.outbox.window] ?? 0;
    const refused = new Set(data.refused[this.outbox.window] ?? []);
    this.outbox.settle((press) => press.number <= kept);
    this.made = this.made.filter((press) => !refused.has(press.number));
    this.data = data;
    /** @type {Record<string, string>} */
    this.verdicts = { ...data.verdicts };
    for (const press of this.outbox.waiting) this.apply(press);
    const ids = data.rows.map((row) => row.id).join(" ");
    if (ids !== this.ids) {
      /** @type {string | undefined} */
      this.ids = ids;
      this.rows = data.rows;
      /** @type {number} the row in view */
      this.at = this.start();
      this.ticked ??= new Set(data.ticked);
      this.drawReasons();
      this.drawList();
      this.turn();
    }
    this.draw();
  }

  // Where the curator was, in this tab, before a reload too; the best paper otherwise.
  start() {
    const was = this.id ?? this.left();
    return Math.max(this.rows.findIndex((row) => row.id === was), 0);
  }

  // After this one, else from the top; where it stands when all are judged.
  nextUnjudged() {
    /** @param {Row} row */
    const open = (row) => !this.verdicts[row.document];
    const after = this.rows.findIndex((row, place) => place > this.at && open(row));
    const place = after >= 0 ? after : this.rows.findIndex(open);
    return place >= 0 ? place : this.at;
  }

  left() {
    try { return sessionStorage.getItem(`triage ${this.data.question}`); } catch { return null; }
  }

  /** @param {Press} press */
  apply(press) {
    const verdict = press.verdict === UNDONE ? press.before : press.verdict;
    if (!press.document) return;
    if (verdict) this.verdicts[press.document] = verdict;
    else delete this.verdicts[press.document];
  }

  // ------------------------------------------------------------ what the curator does

  /** @param {KeyboardEvent} event */
  key(event) {
    const key = pageKey(event);
    const digit = Number(key);
    if (!key) return;
    if (key === "j") this.move(1);
    else if (key === "k") this.move(-1);
    else if (key === "l") this.go(this.nextUnjudged());
    else if (event.repeat) return;
    else if (KEYS[key]) this.judge(KEYS[key], event);
    else if (key === "u") this.undo();
    else if (key === "t") this.tick();
    else if (digit >= 1 && digit <= this.data.reasons.length) this.choose(this.data.reasons[digit - 1]);
    else return;
    event.preventDefault();
  }

  /** @param {string} verdict  @param {Event} event */
  judge(verdict, event) {
    if (this.data.off) return;
    if (event.timeStamp < this.shown) {
      this.say("That key came before this paper was on screen: press it again.");
      return;
    }
    const row = this.rows[this.at];
    const seen = this.verdicts[row.document] ?? "";
    const press = { chunk: row.id, document: row.document, verdict, reason: this.reason, seen, before: seen };
    this.made.push(this.press(press));
    const reason = this.reason ? `: ${this.reason}` : "";
    const last = this.at === this.rows.length - 1;
    const here = this.rows.length < this.data.total ? " of this page" : "";
    this.say(`${this.data.names[verdict]}${reason} — ${row.title || row.document}${last ? " · that was the last one" + here : ""}`);
    this.choose(this.reason);
    this.move(1);
    this.deliver();
  }

  /** @param {Press} words */
  press(words) {
    const press = this.outbox.put(words);
    this.apply(press);
    return press;
  }

  undo() {
    if (this.data.off) return;
    const last = this.made.pop();
    this.press({ chunk: last?.chunk ?? "", document: last?.document ?? "", verdict: UNDONE, reason: "", seen: "",
      before: last?.before ?? "" });
    const place = last ? this.rows.findIndex((row) => row.id === last.chunk) : -1;
    if (place >= 0) this.go(place);
    if (last) this.say(`Taken back: ${this.data.names[last.verdict]}`);
    this.draw();
    this.deliver();
  }

  tick() {
    const id = this.rows[this.at].id;
    if (!this.ticked.delete(id)) this.ticked.add(id);
    this.draw();
    this.deliver();
  }

  /** @param {string} reason */
  choose(reason) {
    this.reason = this.reason === reason ? "" : reason;
    this.drawReasons();
  }

  // A citation of an answer was clicked: its chunk is shown, with the quoted words highlighted.
  /** @param {MouseEvent} event */
  cite(event) {
    /** @type {HTMLElement | null | undefined} */
    const link = /** @type {Element} */ (event.target).closest?.("a[data-passage]");
    if (!link) return;
    event.preventDefault();
    const place = this.rows.findIndex((row) => row.id === link.dataset.passage);
    if (place < 0) {
      this.say("That passage is on another page of the list.");
      return;
    }
    this.go(place);
    this.highlight(link.dataset.words);
    this.showAnswer(link);
    this.card.scrollIntoView({ block: "center", behavior: "smooth" });
  }

  // The answer's sentence stands above its passage, for the two are further apart than a small screen is high.
  /** @param {HTMLElement} link */
  showAnswer(link) {
    this.card.querySelector(".gt-answered")?.remove();
    const answered = make("div", "gt-answered", this.card);
    this.card.prepend(answered);
    make("q", "", answered, sentenceBefore(link));
    keyButton(answered, "gt-button", "↑ Answer", "", () => link.scrollIntoView({ block: "center", behavior: "smooth" }));
  }

  /** @param {string} [words] */
  highlight(words) {
    CSS.highlights?.delete("gt-quote");
    if (!words || !CSS.highlights) return;
    const wanted = words.replace(/\s+/g, "");
    /** @type {[Text, number][]} */
    const places = []; // of each character that is no white space: its node and offset
    const walker = document.createTreeWalker(this.card, NodeFilter.SHOW_TEXT);
    let text = "";
    for (let node = /** @type {Text | null} */ (walker.nextNode()); node; node = /** @type {Text | null} */ (walker.nextNode())) {
      for (let at = 0; at < node.data.length; at += 1) {
        if (/\s/.test(node.data[at])) continue;
        text += node.data[at];
        places.push([node, at]);
      }
    }
    const start = text.indexOf(wanted);
    if (start < 0) return;
    const range = new Range();
    const [last, end] = places[start + wanted.length - 1];
    range.setStart(...places[start]);
    range.setEnd(last, end + 1);
    CSS.highlights.set("gt-quote", new Highlight(range));
  }

  /** @param {number} step */
  move(step) {
    this.go(this.at + step);
  }

  /** @param {number} place */
  go(place) {
    const now = Math.min(Math.max(place, 0), this.rows.length - 1);
    if (now !== this.at) {
      this.at = now;
      this.turn();
      clearTimeout(this.resting);
      this.resting = setTimeout(() => this.deliver(), REST);
    }
    this.draw();
  }

  deliver() {
    clearTimeout(this.resting);
    const presses = this.outbox.waiting.map(({ number, chunk, verdict, reason, seen }) =>
      ({ number, chunk, verdict, reason, seen }));
    this.send({ window: this.outbox.window, presses, at: this.id, ticked: [...this.ticked] });
  }

  /** @param {string} words */
  say(words) {
    this.note.textContent = words;
  }

  // ------------------------------------------------------------ what is drawn again

  turn() {
    const row = this.rows[this.at];
    this.id = row.id;
    try { sessionStorage.setItem(`triage ${this.data.question}`, row.id); } catch { /* only for a reload */ }
    this.shown = Infinity;
    this.drawCard(row);
    requestAnimationFrame(() => requestAnimationFrame(() => { this.shown = performance.now(); }));
  }

  draw() {
    const row = this.rows[this.at];
    for (const button of [...this.verdictButtons, this.undoButton]) button.disabled = this.data.off;
    /** @type {Node} */ (this.tickButton.firstChild).textContent = this.ticked.has(row.id) ? "☑ Untick" : "☐ Tick";
    this.place.textContent = `${counted(this.data.skipped + this.at + 1)} of ${counted(this.data.total)}`;
    this.back.disabled = !this.at;
    this.next.disabled = this.at === this.rows.length - 1;
    this.unjudged.disabled = this.nextUnjudged() === this.at;
    const verdict = this.verdicts[row.document] ?? "";
    this.stands.textContent = verdict ? `judged ${this.data.names[verdict]}` : "";
    this.stands.hidden = !verdict;
    this.precision.textContent = this.data.precision;
    this.drawMarks();
  }

  drawReasons() {
    this.reasons.replaceChildren();
    make("span", "gt-caption", this.reasons, "Reason for the next verdict (optional):");
    this.data.reasons.forEach((reason, place) => {
      const found = keyButton(this.reasons, "gt-button", reason, String(place + 1), () => this.choose(reason));
      found.setAttribute("aria-pressed", String(reason === this.reason));
      found.disabled = this.data.off;
    });
  }

  /** @param {Row} row */
  drawCard(row) {
    CSS.highlights?.delete("gt-quote");
    const card = this.card;
    card.style.minHeight = `${card.offsetHeight}px`; // what stands below does not jump up for a shorter text
    card.replaceChildren();
    const title = make(row.withdrawn ? "s" : "div", row.title ? "gt-title" : "gt-title gt-none", card);
    if (row.head) title.innerHTML = row.head; // escaped by the server, marks and all, as `html` below
    else title.textContent = row.title || "Without a title";
    const facts = make("div", "gt-facts", card);
    this.stands = make("strong", "gt-stands", facts);
    if (row.link) {
      const link = make("a", "", facts, `${row.document} ↗`);
      Object.assign(link, { href: row.link, target: "_blank", rel: "noopener noreferrer" });
    } else make("code", "", facts, row.document);
    for (const fact of row.facts) make("span", "", facts, fact);
    for (const flag of row.flags) make("strong", "gt-flag", facts, `⚠️ ${flag}`);
    make("div", "gt-words", card).innerHTML = row.html;
    const why = make("div", "gt-why", card);
    make("span", "gt-caption", why, "Why it ranks here");
    for (const [word, count, category] of row.counts) {
      make("span", count ? `gt-count gw-${category}` : "gt-count gt-zero", why, `${word} × ${count}`);
    }
    make("div", "gt-parts", card, row.parts);
  }

  drawList() {
    this.list.replaceChildren();
    this.lines = this.rows.map((row, place) => {
      const line = make("li", "", this.list);
      line.title = row.title || row.words;
      line.addEventListener("click", () => this.go(place));
      const tick = make("span", "gt-tick", line);
      const verdict = make("span", "gt-verdict", line);
      make(row.withdrawn ? "s" : "span", "gt-name", line, row.title || row.words);
      make("span", "gt-year", line, row.year);
      make("span", "gt-score", line, row.score);
      return [line, tick, verdict];
    });
  }

  drawMarks() {
    this.lines.forEach(([line, tick, verdict], place) => {
      const row = this.rows[place];
      const words = (this.data.names[this.verdicts[row.document] ?? ""] ?? "").split(" ")[0];
      if (verdict.textContent !== words) verdict.textContent = words;
      const sign = this.ticked.has(row.id) ? "☑" : "";
      if (tick.textContent !== sign) tick.textContent = sign;
      line.classList.toggle("gt-now", place === this.at);
    });
    const line = this.lines[this.at][0];
    const top = line.offsetTop - this.list.offsetTop;
    const list = this.list;
    if (top < list.scrollTop || top + line.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = top - list.clientHeight / 3;
    }
  }
}
