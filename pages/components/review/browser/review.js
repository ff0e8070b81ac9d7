// Review at the speed of reading. The next statements are in the browser: a key judges the one that is on screen at
// once, and goes to the server with the version that was on screen. What is not yet stored is kept in this browser, also
// over a reload, and is sent again until the server says what became of it. Each press carries an id, so that one that
// is sent twice is stored once.

import { pageKey } from "../../shared/browser/keys.js";
import { Outbox } from "../../shared/browser/outbox.js";
import { ICONS, VERDICTS } from "./verdict.js";
import { DeskView } from "./view.js";

/** @import { Sent } from "../../shared/browser/outbox.js" */
/** @import { Card, CardThing } from "./view.js" */

/** @type {Record<string, string>} */
const VERDICT_KEYS = { a: "approve", s: "unsure" };
const REST = 400; // milliseconds without a step after which the server hears of the place
const CALM = 2500; // milliseconds without a key after which the counts around the desk are drawn anew
const LATE = 4000; // milliseconds after which what is not stored is said to be not saved

/**
 * @param {{ data: ReviewData, parentElement: HTMLElement & { review?: ReviewDesk },
 *   setStateValue: (name: "desk", value: ReviewMessage) => void }} component
 */
export default function ({ data, parentElement, setStateValue }) {
  const desk = parentElement.review ?? (parentElement.review = new ReviewDesk(parentElement));
  desk.send = (now) => setStateValue("desk", now);
  desk.take(data);
  return () => {
    desk.close();
    delete parentElement.review;
  };
}

/**
 * What was pressed: a verdict, a correction or an undo. `after` is the state that it leads to, `before` the one given here
 * earlier, `target` the press that an undo takes back.
 * @typedef {{ kind: string, statement: string, version: number, curator: string, label: string, before?: string,
 *   after?: string, reason?: string, note?: string, evidence?: string, target?: string, named?: boolean, edit?: Edit,
 *   approve?: boolean }} Press
 * @typedef {{ id: string, label: string, document: string, flags: string, icon: string, taken: boolean, version: number,
 *   state?: string, order: (string | number)[] }} Row
 * @typedef {{ terms: Record<string, CardThing>, dropped: number[], added: [string, string][], swap?: boolean,
 *   negated?: boolean }} Correction the terms by role; `dropped` are numbers of qualifiers
 * @typedef {Omit<Correction, "terms"> & { terms: Record<string, string> }} Edit a correction as it is sent: ids by role
 */

/**
 * What the server says. `results` are by press; `outside` is what a form of the page decided.
 * @typedef {{ saved: boolean, words: string, statement: string, version: number, state: string, undone?: string[] }} Result
 * @typedef {{ project: string, view: string, rows: Row[], cards: Card[], heard: string, results: Record<string, Result>,
 *   trouble: string, at: string, total: number, more: boolean, leaves: boolean, curator: string, off: boolean,
 *   outside: { number: number, states: Record<string, string>, window?: string }, reasons: string[], empty: string
 *   }} ReviewData
 */

/**
 * What undo takes back: a press, one that was refused, or what a form of the page decided.
 * @typedef {{ outside: true, id?: undefined, label?: undefined }} Outside
 * @typedef {{ refused: true, id: string, label: string }} Refused
 * @typedef {{ refused?: undefined, statement?: undefined, before?: undefined }} NoPress
 * @typedef {(Press & Sent & { refused?: undefined }) | (Outside & NoPress) | (Refused & Omit<NoPress, "refused">)} Made
 */

/**
 * What the server hears. `open` asks for a form.
 * @typedef {{ what: string, number: number, id: string, version: number, ticked: [string, number][], evidence?: string
 *   }} Opening
 * @typedef {{ window: string, presses: (Partial<Press> & { id: string })[], at: string, view: string | undefined, calm: number,
 *   open: Opening | undefined, attempt: number, number: number }} ReviewMessage
 */

export class ReviewDesk {
  /** @type {ReviewData} what the server said last */ data;
  /** @type {(message: ReviewMessage) => void} */ send;
  /** @type {Made[]} what undo takes back, newest last */ made = [];
  /** @type {{ id: string, press: string, label: string, words: string }[]} refusals that nobody has closed */ told = [];
  /** @type {Row[]} */ rows = [];
  /** @type {Map<string, Card>} cards by statement */ cards = new Map();
  /** @type {Map<string, Correction>} corrections in the making, by statement */ drafts = new Map();
  /** @type {Map<string, string>} the state given here, by statement */ judged = new Map();
  /** @type {Set<string>} */ ticked = new Set();
  ended = false; // whether all that is listed was judged here
  since = 0; // when the oldest press that is not stored was made
  flown = 0; // when the last message was sent

  /** @param {Element} root */
  constructor(root) {
    /** @type {Outbox<Press>} */
    this.outbox = new Outbox(); // what is not stored, once the server has named the project
    this.at = 0; // the row in view
    this.shown = Infinity; // when the card was painted
    this.panel = "";
    this.evidence = ""; // the piece that a panel is about
    this.heard = 0; // the last news of the page's forms
    this.calm = 0;
    this.attempt = 0;
    this.asked = 0; // forms asked for
    this.sent = 0; // messages
    this.view = new DeskView(this, root);
    /** @param {KeyboardEvent} event */
    this.typed = (event) => this.key(event);
    document.addEventListener("keydown", this.typed);
    this.watch = setInterval(() => this.look(), 1000);
  }

  close() {
    document.removeEventListener("keydown", this.typed);
    for (const timer of [this.resting, this.calming]) clearTimeout(timer);
    clearInterval(this.watch);
    this.view.remove();
  }

  // The reason given last in this tab, also after the page was drawn from nothing.
  /** @returns {string} */
  get lastReason() {
    try { return this.reasonGiven ?? sessionStorage.getItem("review reason") ?? ""; } catch { return ""; }
  }

  set lastReason(reason) {
    /** @type {string | undefined} */
    this.reasonGiven = reason;
    try { sessionStorage.setItem("review reason", reason); } catch { /* this page knows it */ }
  }

  get unsaved() { return this.outbox.waiting; }

  get row() { return this.rows[this.at]; }

  // Whether the next statements were asked for and are on their way.
  get awaited() { return (this.flying || this.again) && this.data.more; }

  get card() { return this.row && this.cards.get(this.row.id); }

  // ------------------------------------------------------------ what the server says

  /** @param {ReviewData} data */
  take(data) {
    const first = !this.data;
    const other = first || this.data.curator !== data.curator; // somebody else sits here now
    this.data = data;
    this.flying = false;
    if (first) this.adopt();
    for (const card of data.cards) this.keep(card);
    this.settle();
    this.elsewhere();
    const [before, seen, taken] = [this.row?.id, this.view.card?.version, this.row?.taken];
    if (data.view !== this.shownView) {
      /** @type {string | undefined} */
      this.shownView = data.view;
      if (!first) this.judged.clear();
      this.rows = data.rows;
      if (first) this.recall();
      this.at = Math.max(this.find(data.at), 0);
    } else {
      this.merge(data.rows);
    }
    if (this.wanted && this.cards.has(this.wanted)) this.visit(this.wanted);
    if (!this.row || this.judgedHere(this.row.id) && (this.ended || first)) this.onward();
    else this.ended = false; // there is something to judge, whatever came to an end before
    const turned = other || this.row?.id !== before;
    if (turned || this.card !== this.view.card || this.row?.taken !== taken) this.turn(turned || this.card?.version !== seen);
    this.view.draw();
    if (this.again || first && this.unsaved.length) this.deliver();
  }

  // What an earlier page of this browser could not store, whoever closed it.
  adopt() {
    this.outbox.drawer = `review ${this.data.project} `;
    this.outbox.adopt((press) => press.curator === this.data.curator);
    for (const press of this.unsaved) if (press.after) this.judged.set(press.statement, press.after);
    this.since = performance.now();
  }

  // What this session stored before the page was drawn from nothing: rows that are older than that are decided.
  recall() {
    const versions = new Map(this.rows.map((row) => [row.id, row.version]));
    for (const result of Object.values(this.data.results)) {
      if (!result.saved || (versions.get(result.statement) ?? Infinity) >= result.version) continue;
      if (result.state && result.state !== "proposed") this.judged.set(result.statement, result.state);
      else this.judged.delete(result.statement);
    }
  }

  /** @param {Card} card */
  keep(card) {
    const mine = this.cards.get(card.id);
    if (mine && JSON.stringify(mine) === JSON.stringify(card)) return; // nothing is drawn anew under the reader's eyes
    if (!mine || card.version > mine.version || card.version === mine.version && !this.pending(card.id)) {
      this.cards.set(card.id, card);
    }
  }

  /** @param {string} id */
  pending(id) { return this.unsaved.some((press) => press.statement === id); }

  settle() {
    const known = this.data.results;
    const answered = this.outbox.settle((press) => Boolean(known[press.id]));
    for (const press of answered) {
      const result = known[press.id];
      this.since = performance.now();
      if (!result.saved) {
        this.refused(press, result);
        continue;
      }
      this.savedSomething = true;
      if (result.words && this.made.at(-1) === press) this.say(`${press.label}: ${result.words}`);
      if (press.kind === "undo" && (!press.target || result.undone)) this.takenBack(result);
      else if (press.named) this.say("Taken back");
      const last = this.judged.get(press.statement) === press.after; // a policy may want another approval
      if (press.after && last && press.kind !== "correct" && result.state) this.judged.set(press.statement, result.state);
    }
    for (const card of this.data.cards) this.keep(card);
    if (!answered.length) return;
    this.changed = true;
    this.rest();
  }

  // What was pressed is not stored: it is shown as it stands now, and `u` does not take back another in its place.
  /** @param {Press & Sent} press  @param {Result} result */
  refused(press, { words, state, version }) {
    const { id, statement, label } = press;
    this.told.push({ id: statement, press: id, label, words });
    this.judged.delete(statement);
    this.cards.delete(statement);
    const row = this.rows[this.find(statement)];
    if (row && state) Object.assign(row, { state, version, icon: ICONS[state] });
    this.made = press.kind === "undo" ? this.made
      : this.made.map((other) => (other.id === id ? { id, label, refused: true } : other));
    this.say("");
  }

  // A refusal that somebody has seen.
  /** @param {string} press */
  dismiss(press) {
    this.told = this.told.filter((one) => one.press !== press);
    this.made = this.made.filter((one) => one.id !== press || !one.refused);
  }

  // The server took back what was decided last, here or elsewhere: one statement, or a whole gesture.
  /** @param {Result} result */
  takenBack({ statement, undone = [] }) {
    this.wanted = statement;
    for (const id of undone) {
      if (this.pending(id)) continue;
      this.judged.delete(id);
      this.cards.delete(id);
    }
    for (const card of this.data.cards) this.keep(card);
    const label = this.cards.get(statement)?.label ?? "";
    this.say(undone.length > 1 ? `Taken back: ${undone.length.toLocaleString("en")} statements`
      : `Taken back — ${label}`);
  }

  // What a form of the page decided: the same marks, and on to the next.
  elsewhere() {
    const news = this.data.outside;
    if (!news || news.number <= this.heard) return;
    const first = !this.heard && news.window !== this.outbox.window;
    this.heard = news.number;
    if (first) return;
    for (const [id, state] of Object.entries(news.states)) {
      this.judged.set(id, state);
      this.cards.delete(id);
      this.drafts.delete(id);
    }
    this.ticked.clear();
    this.made.push({ outside: true });
    if (this.row && news.states[this.row.id]) this.onward();
  }

  /** @param {Row[]} rows */
  merge(rows) {
    if (!rows.length) {
      this.rows = this.rows.filter((row) => this.judged.has(row.id) || row.id === this.row?.id);
      this.at = Math.min(this.at, Math.max(this.rows.length - 1, 0));
      return;
    }
    const here = this.row?.id;
    const fresh = new Set(rows.map((row) => row.id));
    const [low, high] = [rows[0].order, rows[rows.length - 1].order];
    const stay = this.rows.filter((row) => !fresh.has(row.id) && (this.judged.has(row.id) || row.id === here
      || compare(row.order, low) < 0 || compare(row.order, high) > 0));
    this.rows = [...stay, ...rows].sort((one, other) => compare(one.order, other.order));
    const place = this.find(here);
    this.at = place >= 0 ? place : Math.min(this.at, this.rows.length - 1);
  }

  /** @param {string | undefined} id */
  find(id) { return this.rows.findIndex((row) => row.id === id); }

  /** @param {string} id */
  visit(id) {
    this.wanted = "";
    this.judged.delete(id);
    if (this.find(id) < 0) {
      const card = /** @type {Card} */ (this.cards.get(id));
      const order = this.row?.order ?? [0, 0, 0];
      this.rows.splice(this.at, 0, { ...card, flags: "", document: "", taken: false, order });
    }
    this.go(this.find(id));
  }

  /** @param {string} id */
  judgedHere(id) { return this.judged.has(id); }

  // ------------------------------------------------------------ what the curator does

  /** @param {KeyboardEvent} event */
  key(event) {
    const key = pageKey(event, (pressed, field) => pressed === "Escape" && Boolean(field.closest(".gr-note-field")));
    if (!key) return;
    if (key === "j") this.move(1);
    else if (key === "k") this.move(-1);
    else if (event.repeat) return;
    else if (this.view.panelKey(key, event)) { /* the open panel took it */ }
    else if (key === "Escape") this.discard();
    else if (VERDICT_KEYS[key]) this.judge(VERDICT_KEYS[key], event);
    else if (key === "x") this.ask("reasons", event);
    else if (key === "t") this.ask("terms", event);
    else if (key === "q") this.ask("qualifiers", event);
    else if (key === "w") this.swap(event);
    else if (key === "n") this.negate(event);
    else if (key === "e") this.open("edit", event);
    else if (key === "l") this.open("alike", event);
    else if (key === "u") this.undo();
    else return;
    event.preventDefault();
  }

  // Whether a key may act: on a statement that is on screen, by somebody with a name.
  /** @param {Event} [event] */
  ready(event) {
    if (this.data.off) return this.say("Enter your name in the sidebar to decide.");
    if (!this.row) return this.say("No statement is in view.");
    if (!this.card) return this.say("This statement is still loading: press the key again.");
    if (event && event.timeStamp < this.shown) {
      return this.say("That key came before this statement was on screen: press it again.");
    }
    return true;
  }

  /** @param {string} panel  @param {Event} event */
  ask(panel, event) {
    if (!this.ready(event)) return;
    if (panel === "reasons" && this.drafts.has(this.row.id)) {
      this.say("Discard the correction first (Esc), then reject it.");
      return;
    }
    this.evidence = "";
    this.panel = this.panel === panel ? "" : panel;
    this.view.drawPanel();
  }

  /** @param {Event} event */
  swap(event) {
    if (this.card && !this.card.statement.swappable) this.say("A value cannot be the subject.");
    else this.change(event, (draft) => { draft.swap = !draft.swap; });
  }

  /** @param {Event} event */
  negate(event) {
    this.change(event, (draft) => { draft.negated = !(draft.negated ?? this.card?.statement.negated); });
  }

  // A correction in the making: shown at once, stored when it is approved or kept for review.
  /** @param {Event | undefined} event  @param {(draft: Correction) => void} work */
  change(event, work) {
    if (!this.ready(event)) return;
    const id = this.row.id;
    /** @type {Correction} */
    const draft = this.drafts.get(id) ?? { terms: {}, dropped: [], added: [] };
    work(draft);
    if (draft.negated === this.card?.statement.negated) delete draft.negated;
    const same = !Object.keys(draft.terms).length && !draft.swap && draft.negated === undefined
      && !draft.dropped.length && !draft.added.length;
    if (same) this.drafts.delete(id);
    else this.drafts.set(id, draft);
    this.view.drawCard();
    this.view.draw();
  }

  discard() {
    if (this.panel) this.panel = "";
    else if (this.row) this.drafts.delete(this.row.id);
    this.view.drawPanel();
    this.view.drawCard();
    this.view.draw();
  }

  /** @param {string} kind  @param {Event} event  @param {Pick<Press, "evidence" | "reason" | "note">} [more] */
  judge(kind, event, more = {}) {
    if (!this.ready(event)) return;
    const draft = this.drafts.get(this.row.id);
    if (draft && !more.evidence) {
      const after = "superseded";
      const approve = kind === "approve";
      const terms = Object.fromEntries(Object.entries(draft.terms).map(([role, term]) => [role, term.id]));
      this.press({ kind: "correct", edit: { ...draft, terms }, approve, after });
      this.drafts.delete(this.row.id);
      this.say(approve ? "Corrected and approved" : "Corrected; the correction is in the queue");
      this.onward();
      return;
    }
    const [, , , said, after] = VERDICTS[kind];
    const { label } = this.row;
    this.press({ kind, after: more.evidence ? undefined : after, ...more });
    this.say(`${said}${more.reason ? `: ${more.reason}` : ""} — ${label}`);
    if (more.evidence) this.turn();
    else this.onward();
  }

  /** @param {Omit<Press, "statement" | "version" | "curator" | "label" | "before">} said */
  press(said) {
    const { row, card } = /** @type {{ row: Row, card: Card }} */ (this);
    const press = this.store({ statement: row.id, version: card.version, curator: this.data.curator, label: row.label,
      before: this.judged.get(row.id) ?? "", ...said });
    card.version += 1;
    if (press.after) this.judged.set(row.id, press.after);
    this.made.push(press);
    this.panel = "";
    this.deliver();
  }

  /** @param {Press} said */
  store(said) {
    if (!this.unsaved.length) this.since = performance.now();
    return this.outbox.put(said);
  }

  /** @param {string} [target] */
  undo(target = "") {
    if (this.data.off) return this.say("Enter your name in the sidebar to decide.");
    const last = target ? undefined : this.made.pop();
    if (last?.refused) {
      this.dismiss(last.id);
      this.view.draw();
      this.say(`“${last.label}” was not saved, so there is nothing to take back. U again takes back the one before it.`);
      return;
    }
    const press = this.store({ kind: "undo", statement: target ? this.row.id : last?.statement ?? "", version: 0,
      curator: this.data.curator, target: target || (last?.id ?? ""),
      label: last?.label ?? (target ? this.row.label : "your last decision"), named: Boolean(target) });
    const card = this.cards.get(press.statement);
    if (card) card.version += 1;
    this.panel = "";
    this.view.drawPanel();
    if (last?.statement) {
      if (last.before) this.judged.set(last.statement, last.before);
      else this.judged.delete(last.statement);
      this.say(`Taken back — ${last.label}`);
      if (this.find(last.statement) >= 0) this.go(this.find(last.statement));
      else this.wanted = last.statement;
    } else {
      this.say(target ? "Taking the decision back" : "Taking back your last decision");
    }
    this.view.draw();
    this.deliver();
    return true;
  }

  /** @param {string} what  @param {Event} [event]  @param {{ evidence?: string }} [more] */
  open(what, event, more = {}) {
    const plain = what === "several";
    if (!plain && !this.ready(event)) return;
    if (this.data.off) return;
    this.asked += 1;
    /** @type {Opening | undefined} */
    this.opening = { what, number: this.asked, id: this.row?.id ?? "", version: this.card?.version ?? 0,
      ticked: this.rows.filter((row) => this.ticked.has(row.id)).map((row) => [row.id, row.version]), ...more };
    this.deliver();
  }

  /** @param {number} step */
  move(step) { this.go(this.at + step); }

  // To the next statement that was not judged here; after the last one to what was passed over.
  onward() {
    /** @param {Row} row */
    const open = (row) => !this.judged.has(row.id);
    let place = this.rows.findIndex((row, n) => n > this.at && open(row));
    if (place < 0) place = this.rows.findIndex(open);
    this.ended = place < 0;
    if (place >= 0) this.go(place);
    else {
      this.turn();
      this.view.draw();
    }
  }

  /** @param {number} place */
  go(place) {
    const now = Math.min(Math.max(place, 0), this.rows.length - 1);
    this.panel = "";
    this.ended = false;
    this.at = now;
    this.turn();
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.deliver(), REST);
    this.view.draw();
  }

  deliver() {
    clearTimeout(this.resting);
    this.rest();
    if (this.flying && performance.now() - this.flown < LATE) {
      this.again = true;
      return;
    }
    this.again = false;
    this.flying = true;
    this.flown = performance.now();
    const presses = this.unsaved.slice(0, 100).map((press) => ({ id: press.id, kind: press.kind,
      statement: press.statement, version: press.version, reason: press.reason ?? "", note: press.note ?? "",
      evidence: press.evidence ?? "", target: press.target ?? "", curator: press.curator, edit: press.edit,
      approve: press.approve !== false }));
    this.send({ window: this.outbox.window, presses, at: this.wanted || this.row?.id || "", view: this.shownView,
      calm: this.calm, open: this.opening, attempt: this.attempt, number: ++this.sent });
    this.view.drawStatus();
  }

  // Once the hand rests, the counts around the desk are drawn anew for what was stored.
  rest() {
    clearTimeout(this.calming);
    this.calming = setTimeout(() => {
      if (!this.changed || this.unsaved.length) return;
      this.changed = false;
      this.calm += 1;
      this.deliver();
    }, CALM);
  }

  // What is not stored for some seconds is said to be not saved, and sent again.
  look() {
    if (!this.unsaved.length) return;
    const waited = performance.now() - Math.max(this.since, this.flown ?? 0);
    if (waited > LATE) this.retry();
    this.view.drawStatus();
  }

  retry() {
    this.attempt += 1;
    this.flying = false;
    this.deliver();
  }

  get troubled() {
    return this.unsaved.length > 0 && (performance.now() - this.since > LATE || Boolean(this.data.trouble));
  }

  /** @param {string} words */
  say(words) {
    this.view.note.textContent = words;
    return false;
  }

  // What is on screen is drawn anew; an open panel, where somebody types, only if it is about something else now.
  turn(whole = true) {
    this.shown = Infinity;
    if (whole) this.view.drawPanel();
    this.view.drawCard(whole);
    const turned = this.turned = Symbol();
    requestAnimationFrame((now) => {
      if (this.turned === turned) this.shown = now;
    });
  }
}

/** @param {Row["order"]} one  @param {Row["order"]} other */
function compare(one, other) {
  for (let n = 0; n < one.length; n++) {
    if (one[n] < other[n]) return -1;
    if (one[n] > other[n]) return 1;
  }
  return 0;
}
