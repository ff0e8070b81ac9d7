// Marking by hand: words of a text become the two ends of a statement. What was saved goes to the
// server numbered, and again until the server says that it keeps it. Text is only ever set as text, never as markup.
// Offsets are code points of the text, as everywhere in the project; the DOM counts UTF-16 units.

import { button, make } from "../../shared/browser/elements.js";
import { Outbox } from "../../shared/browser/outbox.js";
import { Draft, ENDS } from "./draft.js";
import { SpanEdges } from "./span_edges.js";

/** @import { Sent } from "../../shared/browser/outbox.js" */
/** @import { End } from "./draft.js" */

/**
 * A thing is an end of a statement: its term, or no id, and its words in the text. All places are code points, half-open.
 * @typedef {[start: number, end: number]} Span
 * @typedef {{ id: string, label: string, category: string }} Term
 * @typedef {Term & { start: number, end: number }} Thing
 * @typedef {{ start: number, end: number, category: string, line: string, title: string, term: Term | null,
 *   predicate: string }} Mark
 * @typedef {{ name: string, value: string }} Qualifier
 * @typedef {{ role: End, start: number, end: number }} Picking
 * @typedef {{ id: string, label: string, also: string[] }} Predicate
 * @typedef {{ label: string, icon: string, state: string, decided: string, start: number, end: number, link: string
 *   }} Listed a statement of this text; `start` is null where none of its words are in it
 * @typedef {Term & { why: string }} Option
 * @typedef {{ words: string, term: Term }} Lesson words that are worth remembering for a term
 * @typedef {[number: number, good: boolean, words: string, lesson: Lesson | null]} Outcome
 * @typedef {{ document: string, version: string, draft: string, stamp: string, text: string, marks: Mark[],
 *   sentences: Span[], statements: Listed[], kinds: string[], modalities: string[], predicates: Predicate[],
 *   schemas: { name: string, title: string }[], builder: string, off: boolean, kept: Record<string, number>,
 *   results: Record<string, Outcome[]>, found: { window: string, number: number, options: Option[] } | null }} MarkingData
 */

/**
 * What is saved: a statement, other words of a mention, a predicate for a schema, or words to remember for a term.
 * @typedef {{ document: string, version: string, subject: Thing, object: Thing, predicate: { id: string, label?: string },
 *   negated: boolean, modality: string, qualifiers: Qualifier[], quotes: Span[], approve: boolean }} NewStatement
 * @typedef {{ kind: "span", document: string, version: string, start: number, end: number, term: Term, quotes?: undefined
 *   }} NewSpan
 * @typedef {{ kind: "predicate", words: string, schema: string, subject: string, object: string, quotes?: undefined
 *   }} NewPredicate
 * @typedef {Lesson & { kind: "remember", quotes?: undefined }} NewLesson
 * @typedef {NewStatement | NewSpan | NewPredicate | NewLesson} Marking
 * @typedef {{ window: string, ask: { number: number, words: string } | null, markings: (Marking & Sent)[] }} MarkingMessage
 */

const WORD = /[\p{L}\p{N}\p{M}]+(?:[-'’.][\p{L}\p{N}\p{M}]+)*/gu;
const STILL = 3; // pixels that a hand may move in a click
const STATES = ["proposed", "unsure", "approved", "rejected"];

/**
 * @param {{ data: MarkingData, parentElement: HTMLElement & { marker?: Marker },
 *   setStateValue: (name: "marker", value: MarkingMessage) => void }} component
 */
export default function ({ data, parentElement, setStateValue }) {
  const desk = parentElement.marker ?? (parentElement.marker = new Marker(parentElement));
  desk.send = (now) => setStateValue("marker", now);
  desk.take(data);
  return () => {
    document.removeEventListener("keydown", desk.fromIdle);
    document.removeEventListener("mouseup", desk.fromMouse);
    window.removeEventListener("focus", desk.fromOther);
    desk.edges.close();
    desk.root.remove();
    delete parentElement.marker;
  };
}

export class Marker {
  /** @type {MarkingData} */ data;
  /** @type {(message: MarkingMessage) => void} */ send;
  /** @type {HTMLElement} */ root;
  /** @type {HTMLElement} */ text;
  /** @type {Record<string, HTMLElement>} the chips, by end */ ends;
  /** @type {Record<string, HTMLElement>} */ other;
  /** @type {Record<string, HTMLElement>} */ remove;
  /** @type {Uint32Array} code point → UTF-16 offset */ units;
  /** @type {Span[]} */ words;
  /** @type {HTMLElement[]} */ spans;
  /** @type {Partial<Record<End, Thing>>} */ chosen;
  /** @type {Span[]} the sentences that say it */ evidence;
  /** @type {Qualifier[]} */ qualifiers;
  /** @type {Picking | undefined} */ picking;
  /** @type {Option[] | undefined} */ offers;
  now = 0; // the offer that Enter accepts
  /** @type {number | undefined} the word where a selection by keys began */ from;
  /** @type {(Marking & Sent) | undefined} the message sent last */ last;
  /** @type {MouseEvent | null} */ pressed;
  /** @type {SpanEdges} */ edges;
  /** @type {HTMLElement} */ chooser;
  /** @type {HTMLInputElement} */ search;
  /** @type {HTMLElement} */ options;
  /** @type {HTMLSelectElement} */ kind;
  /** @type {HTMLInputElement} */ predicate;
  /** @type {HTMLElement} */ predicates;
  /** @type {HTMLElement} */ own;
  /** @type {HTMLInputElement} */ negated;
  /** @type {HTMLSelectElement} */ modality;
  /** @type {HTMLInputElement} */ qualifierName;
  /** @type {HTMLInputElement} */ qualifierValue;
  /** @type {HTMLElement} */ qualifierList;
  /** @type {HTMLElement} */ quotes;
  /** @type {HTMLButtonElement} */ save;
  /** @type {HTMLInputElement} */ approve;
  /** @type {HTMLElement} */ note;
  /** @type {HTMLElement} */ list;

  /** @param {Element} root */
  constructor(root) {
    /** @type {Outbox<Marking>} */
    this.outbox = new Outbox(); // numbers searches, too
    /** @type {Set<number>} */
    this.told = new Set(); // numbers whose outcome was shown
    this.at = 0; // the word under the cursor
    this.draft = new Draft(this);
    this.build(make("div", "gm", root));
    this.clear();
  }

  // ------------------------------------------------------------ what is drawn once

  /** @param {HTMLElement} root */
  build(root) {
    this.root = root;
    this.text = make("div", "gm-text gw-text", root);
    this.text.tabIndex = 0;
    this.text.setAttribute("role", "document");
    this.text.setAttribute("aria-label", "Text. Arrow keys move by word, Shift extends, Enter picks.");
    this.text.addEventListener("mousedown", (event) => { this.pressed = event.button ? null : event; });
    /** @type {(event: MouseEvent) => void} */
    this.fromMouse = (event) => this.selected(event);
    document.addEventListener("mouseup", this.fromMouse); // also where it ends beside the text
    this.text.addEventListener("keydown", (event) => this.key(event));
    this.edges = new SpanEdges(this);
    /** @type {(event: KeyboardEvent) => void} */
    this.fromIdle = (event) => this.fromPage(event);
    document.addEventListener("keydown", this.fromIdle);
    const side = make("div", "gm-side", root);
    const form = make("div", "gm-form", side);
    make("strong", "", form, "New statement");
    make("div", "gm-help", form,
      "Select words, or click a marked term. Drag the edge of a marked term to correct its words.");
    const keys = make("details", "gm-help", form);
    make("summary", "", keys, "Keys");
    make("div", "", keys,
      "← → by word, Ctrl+← → by term, Shift extends, Ctrl+Shift+arrows correct a term’s words,"
        + " Enter picks, Shift+Enter searches another term.");
    [this.ends, this.other, this.remove] = [{}, {}, {}];
    for (const end of ENDS) {
      const box = make("div", "gm-end", form);
      make("span", "gm-caption", box, end === "subject" ? "Subject" : "Object");
      this.ends[end] = make("span", "gm-chip", box);
      this.other[end] = this.button(box, "Other term", () => this.again(end), `Another term for the ${end}`);
      this.remove[end] = this.button(box, "✕", () => this.empty(end), `Remove the ${end}`);
      for (const button of [this.other[end], this.remove[end]]) button.classList.add("gm-small");
      if (end === "subject") this.buildChooser(form);
      if (end === "subject") this.buildPredicate(form);
    }
    this.buildFlags(form);
    this.quotes = make("ol", "gm-quotes", form);
    const row = make("div", "gm-row gm-deeds", form);
    this.save = this.button(row, "Save statement", () => this.keep());
    this.save.classList.add("gm-first");
    this.button(row, "Add sentence", () => this.addSentence(), "Add selected sentence");
    this.button(row, "Clear", () => this.clear());
    const now = make("label", "gm-row", form);
    this.approve = make("input", "", now);
    this.approve.type = "checkbox";
    make("span", "", now, "Approve at once");
    this.note = make("div", "gm-note", form);
    this.note.setAttribute("role", "status");
    form.addEventListener("change", () => this.draft.keep());
    this.list = make("ol", "gm-list", side);
  }

  /** @param {HTMLElement} form */
  buildChooser(form) {
    this.chooser = make("div", "gm-chooser", form);
    this.search = make("input", "gm-input", this.chooser);
    this.search.setAttribute("aria-label", "Search terms");
    this.search.placeholder = "Search terms";
    this.search.addEventListener("keydown", (event) => this.searchKey(event));
    this.search.addEventListener("input", () => this.typed());
    this.options = make("ol", "gm-options", this.chooser);
    const none = make("div", "gm-row", this.chooser);
    this.kind = make("select", "gm-input", none);
    this.kind.setAttribute("aria-label", "Kind");
    this.button(none, "No term fits", () => this.noTerm());
  }

  /** @param {HTMLElement} form */
  buildPredicate(form) {
    const box = make("div", "gm-end", form);
    make("span", "gm-caption", box, "Predicate");
    this.predicate = make("input", "gm-input", box);
    this.predicate.setAttribute("aria-label", "Predicate");
    this.predicate.setAttribute("list", `gm-predicates-${this.outbox.window}`);
    this.predicates = make("datalist", "", box);
    this.predicates.id = `gm-predicates-${this.outbox.window}`;
    this.predicate.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && this.predicate.value.trim()) {
        event.preventDefault();
        this.save.focus();
      }
    });
    this.predicate.addEventListener("input", () => this.draw());
    this.button(box, "⇄ Swap", () => {
      [this.chosen.subject, this.chosen.object] = [this.chosen.object, this.chosen.subject];
      this.draw();
    });
    this.own = make("div", "gm-row gm-own", form);
    /** @type {() => void} */
    this.fromOther = () => this.data && this.unlisted() && this.deliver(); // a schema may have it now
    window.addEventListener("focus", this.fromOther);
  }

  /** @param {HTMLElement} form */
  buildFlags(form) {
    const row = make("div", "gm-row", form);
    const not = make("label", "gm-row", row);
    this.negated = make("input", "", not);
    this.negated.type = "checkbox";
    make("span", "", not, "Negated");
    this.modality = make("select", "gm-input", row);
    this.modality.setAttribute("aria-label", "Modality");
    const more = make("div", "gm-row", form);
    this.qualifierName = make("input", "gm-input", more);
    this.qualifierName.placeholder = "Qualifier";
    this.qualifierValue = make("input", "gm-input", more);
    this.qualifierValue.placeholder = "Value";
    for (const input of [this.qualifierName, this.qualifierValue]) {
      input.setAttribute("aria-label", input.placeholder);
      input.addEventListener("keydown", (event) => event.key === "Enter" && this.addQualifier());
    }
    this.button(more, "Add", () => this.addQualifier(), "Add qualifier");
    this.qualifierList = make("div", "gm-row", form);
  }

  /** @param {Element} parent  @param {string} name  @param {() => void} act  @param {string} [label] */
  button(parent, name, act, label = "") {
    return button(parent, "gm-button", name, label, act);
  }

  // ------------------------------------------------------------ what the server says

  /** @param {MarkingData} data */
  take(data) {
    const { window: page } = this.outbox;
    const kept = data.kept[page] ?? 0;
    this.outbox.settle((marking) => marking.number <= kept);
    for (const result of data.results[page] ?? []) this.result(...result);
    const other = this.data?.version !== data.version || this.data?.stamp !== data.stamp;
    this.data = data;
    if (other) this.newText();
    const names = data.predicates.map((one) => one.label).join("\n");
    if (names !== this.names) {
      /** @type {string | undefined} */
      this.names = names;
      this.predicates.replaceChildren();
      for (const { id, label, also } of data.predicates) {
        Object.assign(make("option", "", this.predicates), { value: label, label: [...also, id].join(", ") });
      }
    }
    this.draft.open(data.draft);
    if (data.found?.window === page && data.found.number === this.asking) this.offer(data.found.options);
    this.draw();
  }

  /** @param {number} number  @param {boolean} good  @param {string} words  @param {Lesson | null} lesson */
  result(number, good, words, lesson) {
    if (this.told.has(number)) return;
    this.told.add(number);
    this.say(good ? `✓ Saved: ${words}` : `✕ Not saved: ${words}`);
    if (!good) this.restore(number);
    if (!lesson) return;
    const name = `Remember: “${lesson.words}” means ${lesson.term.label}`;
    this.button(this.note, name, () => this.put({ kind: "remember", ...lesson }));
  }

  // What was refused stands in the form again, unless something new was begun there.
  /** @param {number} number */
  restore(number) {
    const refused = this.last?.number === number ? this.last : undefined;
    if (!refused?.quotes || ENDS.some((end) => this.chosen[end])) return;
    this.chosen = { subject: refused.subject, object: refused.object };
    this.evidence = refused.quotes;
    this.qualifiers = refused.qualifiers;
    this.predicate.value = refused.predicate.label ?? refused.predicate.id;
    this.negated.checked = refused.negated;
    this.modality.value = refused.modality;
  }

  newText() {
    const { text } = this.data;
    const points = Array.from(text);
    this.units = new Uint32Array(points.length + 1); // code point → UTF-16 offset
    points.forEach((point, n) => { this.units[n + 1] = this.units[n] + point.length; });
    this.words = [...text.matchAll(WORD)].map((match) =>
      [this.point(match.index), this.point(match.index + match[0].length)]);
    this.text.replaceChildren();
    let at = 0;
    this.spans = this.data.marks.map((mark, n) => {
      this.text.append(this.part(at, mark.start));
      const span = make("span", `gw-mark gw-${mark.category} gw-${mark.line}`, this.text, this.part(mark.start, mark.end));
      span.title = mark.title;
      span.dataset.mark = String(n);
      at = mark.end;
      return span;
    });
    this.text.append(this.part(at, points.length));
    this.fill(this.kind, this.data.kinds);
    this.fill(this.modality, this.data.modalities);
    this.drawList();
  }

  /** @param {HTMLSelectElement} select  @param {string[]} names */
  fill(select, names) {
    const now = select.value;
    select.replaceChildren();
    for (const name of names) make("option", "", select, name).value = name;
    if (names.includes(now)) select.value = now;
  }

  /** @param {number} start  @param {number} end */
  part(start, end) {
    return this.data.text.slice(this.units[start], this.units[end]);
  }

  /** @param {number} unit */
  point(unit) { // UTF-16 offset → code point, by halving
    let low = 0, high = this.units.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.units[middle] <= unit) low = middle; else high = middle - 1;
    }
    return low;
  }

  // ------------------------------------------------------------ selecting words

  /** @returns {Span | null} */
  selection() {
    const chosen = window.getSelection();
    if (!chosen?.rangeCount || !this.text.contains(chosen.anchorNode) || !this.text.contains(chosen.focusNode)) return null;
    const range = chosen.getRangeAt(0), before = document.createRange();
    before.setStart(this.text, 0);
    before.setEnd(range.startContainer, range.startOffset);
    const start = before.toString().length;
    return [this.point(start), this.point(start + range.toString().length)];
  }

  // The code point under the pointer; null beside the text.
  /** @param {MouseEvent} event */
  pointAt(event) {
    const caret = document.caretPositionFromPoint?.(event.clientX, event.clientY);
    const range = caret ? null : document.caretRangeFromPoint?.(event.clientX, event.clientY);
    const node = caret?.offsetNode ?? range?.startContainer;
    const offset = caret?.offset ?? range?.startOffset ?? 0;
    if (!node || !this.text.contains(node)) return null;
    const before = document.createRange();
    before.setStart(this.text, 0);
    before.setEnd(node, offset);
    return this.point(before.toString().length);
  }

  /** @param {MouseEvent} event */
  selected(event) {
    const { pressed } = this;
    this.pressed = null;
    if (!pressed) return;
    const [from, to] = [this.pointAt(pressed), this.pointAt(event)];
    const dragged = Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY) > STILL;
    let chosen = this.selection();
    // Chromium selects nothing where a drag begins on certain pixels between two words.
    if (dragged && chosen?.[0] === chosen?.[1] && from !== null && to !== null) chosen = [Math.min(from, to), Math.max(from, to)];
    if (!dragged && event.detail < 2 && from !== null) chosen = [from, from];
    if (!chosen) return;
    if (chosen[0] === chosen[1]) {
      const mark = this.data.marks.find((one) => one.start <= chosen[0] && chosen[0] < one.end);
      this.at = Math.max(this.words.findIndex(([, end]) => end > chosen[0]), 0);
      if (mark) this.pick(mark.start, mark.end);
      return;
    }
    this.pick(...this.whole(...chosen));
  }

  /** @param {number} start  @param {number} end  @returns {Span} */
  whole(start, end) { // whole words that a selection touches; else what is selected, without white space
    const touched = this.words.filter(([from, to]) => from < end && to > start);
    const trimmed = this.part(start, end);
    const [first, last] = [start + this.lead(trimmed), end - this.trail(trimmed)];
    if (!touched.length) return [first, last];
    return [Math.min(touched[0][0], first), Math.max(touched[touched.length - 1][1], last)];
  }

  /** @param {string} words */
  lead(words) { return Array.from(words).length - Array.from(words.trimStart()).length; }

  /** @param {string} words */
  trail(words) { return Array.from(words).length - Array.from(words.trimEnd()).length; }

  /** @param {KeyboardEvent} event */
  key(event) {
    /** @type {Record<string, number | undefined>} */
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 12, ArrowUp: -12 };
    const step = steps[event.key];
    if (event.altKey || event.metaKey) return;
    if (event.key === "Enter") {
      const chosen = this.selection();
      if (chosen && chosen[0] < chosen[1]) this.pick(...this.whole(...chosen), event.shiftKey);
    } else if (event.key === "Escape") this.clear();
    else if (step && event.ctrlKey && event.shiftKey) this.edges.key(event);
    else if (step && event.ctrlKey) this.goMark(Math.sign(step));
    else if (step) this.goWord(step, event.shiftKey);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // Where nothing on the page has the keyboard, ← and → begin in the text.
  /** @param {KeyboardEvent} event */
  fromPage(event) {
    const idle = document.activeElement?.contains(this.root) && !document.querySelector("[role=dialog]");
    if (!idle || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    this.text.focus({ preventScroll: true });
    this.key(event);
  }

  /** @param {number} step  @param {boolean} extend */
  goWord(step, extend) {
    if (!this.words.length) return;
    if (!extend || this.from === undefined) this.from = undefined;
    const anchor = extend ? this.from ?? this.at : undefined;
    this.at = Math.min(Math.max(this.at + step, 0), this.words.length - 1);
    this.from = anchor;
    const [one, other] = [Math.min(anchor ?? this.at, this.at), Math.max(anchor ?? this.at, this.at)];
    this.show(this.words[one][0], this.words[other][1]);
  }

  /** @param {number} step */
  goMark(step) {
    const now = this.words[this.at]?.[0] ?? 0, marks = this.data.marks;
    const next = step > 0 ? marks.find((one) => one.start > now) : marks.findLast((one) => one.end <= now);
    if (!next) return;
    this.at = Math.max(this.words.findIndex(([, end]) => end > next.start), 0);
    this.from = undefined;
    this.show(next.start, next.end);
  }

  /** @param {number} start  @param {number} end */
  show(start, end) {
    const [one, from] = this.node(this.units[start]), [other, to] = this.node(this.units[end]);
    window.getSelection()?.setBaseAndExtent(one, from, other, to);
    const box = one.parentElement;
    const range = document.createRange();
    range.setStart(one, from);
    range.setEnd(other, to);
    const place = range.getBoundingClientRect(), frame = this.text.getBoundingClientRect();
    if (place.top < frame.top || place.bottom > frame.bottom) this.text.scrollTop += place.top - frame.top - frame.height / 3;
    return box;
  }

  /**
   * @param {number} unit
   * @returns {[Text, number]} the text node with this UTF-16 offset, and the offset in it
   */
  node(unit) {
    const walk = document.createTreeWalker(this.text, NodeFilter.SHOW_TEXT);
    const next = () => /** @type {Text} */ (walk.nextNode());
    let left = unit, node = next(), last = node;
    while (node) {
      if (left <= node.length) return [node, left];
      left -= node.length;
      last = node;
      node = next();
    }
    return [last, last?.length ?? 0];
  }

  // ------------------------------------------------------------ choosing a term

  // A marked term is taken as it is; unless another is to be searched.
  /** @param {number} start  @param {number} end  @param {boolean} [search] */
  pick(start, end, search = false) {
    if (this.data.off) {
      this.say("Enter your name in the sidebar to mark statements.");
      return;
    }
    if (start >= end) return;
    const role = this.chosen.subject ? "object" : "subject";
    const mark = this.data.marks.find((one) => one.start === start && one.end === end && (one.term || one.predicate));
    if (mark?.predicate && !search) {
      this.predicate.value = mark.predicate;
      this.draw();
      return;
    }
    if (mark && !search) {
      this.choose(role, { .../** @type {Term} */ (mark.term), start, end });
      return;
    }
    this.seek(role, start, end);
  }

  // Another term for words that were marked as one, or for which one was chosen.
  /** @param {End} end */
  again(end) {
    const thing = this.chosen[end];
    if (thing) this.seek(end, thing.start, thing.end);
  }

  /** @param {End} role  @param {number} start  @param {number} end */
  seek(role, start, end) {
    this.picking = { role, start, end };
    this.chooser.hidden = false;
    this.search.value = this.part(start, end);
    this.options.replaceChildren();
    make("li", "gm-wait", this.options, "Searching…");
    this.ask(this.search.value);
    this.search.focus();
    this.search.select();
    this.draft.keep();
  }

  typed() {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.ask(this.search.value), 250);
  }

  /** @param {string} words */
  ask(words) {
    clearTimeout(this.resting);
    if (!words.trim()) return;
    this.asking = this.outbox.next();
    this.question = { number: this.asking, words };
    this.deliver();
  }

  /** @param {Option[]} options */
  offer(options) {
    if (!this.picking || this.offered === this.asking) return;
    /** @type {number | undefined} */
    this.offered = this.asking;
    this.options.replaceChildren();
    options.forEach((option, n) => {
      const line = make("li", n ? "" : "gm-now", this.options);
      make("span", `gw-term gw-${option.category}`, line, option.label);
      make("code", "gw-id", line, option.id);
      make("span", "gm-why", line, option.why);
      line.addEventListener("click", () => this.accept(option));
    });
    this.offers = options;
    this.now = 0;
    if (!options.length) make("li", "gm-wait", this.options, "No term found. Search, or choose a kind and press No term fits.");
  }

  /** @param {Option} option */
  accept(option) {
    if (!this.picking) return;
    const { role, start, end } = this.picking;
    this.choose(role, { id: option.id, label: option.label, category: option.category, start, end });
  }

  noTerm() {
    if (!this.picking) return;
    const { role, start, end } = this.picking;
    this.choose(role, { id: "", label: this.part(start, end), category: this.kind.value, start, end });
  }

  /** @param {KeyboardEvent} event */
  searchKey(event) {
    /** @type {Record<string, number | undefined>} */
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step && this.offers?.length) {
      this.options.children[this.now]?.classList.remove("gm-now");
      this.now = (this.now + step + this.offers.length) % this.offers.length;
      this.options.children[this.now].classList.add("gm-now");
    } else if (event.key === "Enter" && this.offered === this.asking && this.offers?.length) this.accept(this.offers[this.now]);
    else if (event.key === "Escape") { this.picking = undefined; this.text.focus(); this.draw(); }
    else return;
    event.preventDefault();
  }

  /** @param {End} role  @param {Thing} thing */
  choose(role, thing) {
    this.chosen[role] = thing;
    this.picking = undefined;
    this.offers = undefined;
    const sentence = this.sentence(thing.start);
    if (sentence && !this.evidence.some(([start]) => start === sentence[0])) this.evidence.push(sentence);
    this.draw();
    if (this.chosen.subject && this.chosen.object) this.predicate.focus();
    else this.text.focus({ preventScroll: true });
  }

  /** @param {number} point */
  sentence(point) {
    return this.data.sentences.find(([start, end]) => start <= point && point < end);
  }

  // Words that were selected for it have been taken for a term: the search box has the selection.
  addSentence() {
    const picked = this.picking;
    const chosen = picked ? [picked.start] : this.selection();
    const sentence = chosen && this.sentence(chosen[0]);
    if (!sentence) this.say("Place the cursor in a sentence of the text first.");
    else if (!this.evidence.some(([start]) => start === sentence[0])) this.evidence.push(sentence);
    if (picked && this.chosen[picked.role]) this.picking = undefined;
    this.draw();
  }

  addQualifier() {
    const [name, value] = [this.qualifierName.value.trim(), this.qualifierValue.value.trim()];
    if (!name || !value) return;
    this.qualifiers.push({ name, value });
    this.qualifierName.value = this.qualifierValue.value = "";
    this.draw();
  }

  // ------------------------------------------------------------ saving

  keep() {
    const { subject, object } = this.chosen;
    const label = this.predicate.value.trim();
    if (!subject || !object || !label || !this.evidence.length || this.unlisted()) return;
    const known = this.listed(label);
    const marking = {
      document: this.data.document, version: this.data.version, subject, object,
      predicate: known ? { id: known.id, label: known.label.split(" · ")[0] } : { id: label },
      negated: this.negated.checked, modality: this.modality.value,
      qualifiers: this.qualifiers, quotes: this.evidence, approve: this.approve.checked,
    };
    this.put(marking); // first: until it is kept, a reload brings it back
    this.clear();
    this.text.focus({ preventScroll: true });
  }

  /** @param {string} label */
  listed(label) {
    const { predicates } = this.data, called = predicates.filter((one) => one.also.includes(label));
    return predicates.find((one) => one.label === label) ?? (called.length === 1 ? called[0] : undefined);
  }

  // A predicate that no list has: typed words, not an id.
  unlisted() {
    const words = this.predicate.value.trim();
    return words && !this.listed(words) && !/^[\w.-]+:\S+$/.test(words) ? words : "";
  }

  /** @param {string} schema */
  addPredicate(schema) {
    const { subject, object } = this.chosen;
    if (!subject || !object) return;
    this.put({ kind: "predicate", words: this.unlisted(), schema, subject: subject.category, object: object.category });
    this.predicate.focus();
  }

  /** @param {Marking} message */
  put(message) {
    this.last = this.outbox.put(message);
    this.say("Saving…");
    this.deliver();
  }

  deliver() {
    const { window: page, waiting } = this.outbox;
    this.send({ window: page, ask: this.question ?? null, markings: waiting });
  }

  clear() {
    this.chosen = {};
    this.evidence = [];
    this.qualifiers = [];
    this.picking = undefined;
    this.negated.checked = false;
    this.predicate.value = "";
    if (this.data) { this.modality.value = this.data.modalities[0]; this.draw(); }
  }

  /** @param {End} end */
  empty(end) {
    delete this.chosen[end];
    this.draw();
  }

  /** @param {string} words */
  say(words) {
    this.note.textContent = words;
  }

  // ------------------------------------------------------------ what is drawn again

  draw() {
    for (const end of ENDS) {
      const chip = this.ends[end], thing = this.chosen[end];
      chip.replaceChildren();
      this.other[end].hidden = this.remove[end].hidden = !thing;
      if (thing) {
        make("span", `gw-term gw-${thing.category}`, chip, thing.label);
        make("code", "gw-id", chip, thing.id || "no id");
      } else make("span", "gm-help", chip, this.picking?.role === end ? "Choose a term" : "Select words in the text");
    }
    this.chooser.hidden = !this.picking;
    this.quotes.replaceChildren();
    this.evidence.sort((one, other) => one[0] - other[0]);
    this.evidence.forEach(([start, end], n) => {
      const line = make("li", "", this.quotes);
      make("span", "", line, `“${this.part(start, end)}”`);
      this.button(line, "✕", () => { this.evidence.splice(n, 1); this.draw(); }, "Remove this quote").classList.add("gm-small");
    });
    this.qualifierList.replaceChildren();
    this.qualifiers.forEach((one, n) => {
      const chip = make("span", "gw-qualifier", this.qualifierList, `${one.name}: ${one.value} `);
      this.button(chip, "✕", () => { this.qualifiers.splice(n, 1); this.draw(); }, "Remove").classList.add("gm-small");
    });
    const { subject, object } = this.chosen;
    this.drawOwn();
    const whole = subject && object && this.predicate.value.trim() && this.evidence.length;
    this.save.disabled = this.data?.off || Boolean(this.unlisted()) || !whole;
    this.draft.keep();
  }

  drawOwn() { // a predicate of one's own goes into a schema first, and the pair stays here meanwhile
    const words = this.data && this.unlisted(), { subject, object } = this.chosen;
    const open = this.data?.predicates.some((one) => [one.label, ...one.also].some((name) => name.includes(words)));
    const stamp = words ? `${words}\n${open}\n${!!(subject && object)}\n${this.data.schemas.map((one) => one.name)}` : "";
    if (stamp === this.ownStamp) return;
    /** @type {string | undefined} */
    this.ownStamp = stamp;
    this.own.replaceChildren();
    if (!words) return;
    make("span", "gm-help", this.own, open ? "Choose from the list, or" : `“${words}” is no known predicate.`);
    for (const one of this.data.schemas.slice(0, 3)) {
      this.button(this.own, `Add it to ${one.title}`, () => this.addPredicate(one.name)).disabled = !(subject && object);
    }
    Object.assign(make("a", "gm-help", this.own, "Schemas"), { href: this.data.builder, target: "_blank", rel: "noopener" });
  }

  paint() { // what was decided, laid over the words that say it: a line above them by state
    if (!window.CSS?.highlights) return; // an older browser: the list says it all the same
    for (const state of STATES) {
      const ranges = this.data.statements.filter((one) => one.state === state && one.start !== null).map((one) => {
        const range = document.createRange();
        range.setStart(...this.node(this.units[one.start]));
        range.setEnd(...this.node(this.units[one.end]));
        return range;
      });
      CSS.highlights.set(`gm-${state}`, new Highlight(...ranges));
    }
  }

  drawList() {
    this.paint();
    this.list.replaceChildren();
    make("strong", "", this.list, `Statements of this text (${this.data.statements.length})`);
    for (const one of this.data.statements) {
      const line = make("li", "", this.list);
      make("span", "gm-state", line, one.icon).title = one.state;
      make("span", "", line, one.label);
      if (one.decided) make("span", "gm-why", line, one.decided);
      const link = make("a", "gm-why", line, "Review");
      link.href = one.link;
      line.addEventListener("click", () => one.start === null || this.show(one.start, one.end));
    }
  }
}
