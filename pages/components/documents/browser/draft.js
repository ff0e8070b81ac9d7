// A statement that is not saved yet
// It stays in this tab through a reload or another page: under its project, curator, document and text version, so that
// no other text takes it up. What is read back is checked as any input, and taken whole or not at all.

/** @import { Marker, Picking, Qualifier, Span, Thing } from "./marking.js" */

/**
 * @typedef {"subject" | "object"} End
 * @typedef {{ subject?: Thing, object?: Thing, picking?: Picking, quotes: Span[], qualifiers: Qualifier[], predicate: string,
 *   negated: boolean, modality: string, approve: boolean }} Left
 */

/** @type {End[]} */
export const ENDS = ["subject", "object"];
const LONGEST = 2000; // characters of a name or value

export class Draft {
  /** @param {Marker} desk */
  constructor(desk) {
    this.desk = desk;
    this.name = "";
  }

  // What was left under this name; the form begins empty without it.
  /** @param {string} name */
  open(name) {
    if (name === this.name) return;
    const { desk } = this;
    this.name = ""; // emptying the form forgets nothing
    desk.clear();
    this.name = name;
    const left = this.left();
    if (!left) return;
    desk.chosen = Object.fromEntries(ENDS.filter((end) => left[end]).map((end) => [end, left[end]]));
    desk.evidence = left.quotes;
    desk.qualifiers = left.qualifiers;
    desk.predicate.value = left.predicate;
    desk.negated.checked = left.negated;
    desk.modality.value = left.modality;
    desk.approve.checked = left.approve;
    desk.say("This statement is not saved yet.");
    if (left.picking && !desk.data.off) desk.seek(left.picking.role, left.picking.start, left.picking.end);
  }

  keep() {
    if (!this.name) return;
    const { desk } = this, { chosen, picking, evidence, qualifiers, predicate } = desk;
    const begun = ENDS.some((end) => chosen[end]) || picking || evidence.length || qualifiers.length || predicate.value.trim();
    if (!begun && desk.outbox.waiting.length) return; // the server has not said yet that it keeps it
    const now = {
      ...chosen, picking, quotes: evidence, qualifiers, predicate: predicate.value,
      negated: desk.negated.checked, modality: desk.modality.value, approve: desk.approve.checked,
    };
    try {
      if (begun) sessionStorage.setItem(this.name, JSON.stringify(now));
      else sessionStorage.removeItem(this.name);
    } catch { /* only for a reload */ }
  }

  /** @returns {Left | null} */
  left() {
    try { return this.checked(JSON.parse(sessionStorage.getItem(this.name) ?? "null")); } catch { return null; }
  }

  // Raises TypeError where something is missing or is none of this text, this form or its length.
  /** @param {Left} left what it claims to be  @returns {Left} */
  checked(left) {
    const { data, units } = this.desk;
    /** @param {boolean} good */
    const need = (good) => { if (!good) throw new TypeError("no statement of this text"); };
    /** @param {string} value */
    const words = (value) => { need(typeof value === "string" && value.length <= LONGEST); return value; };
    /** @template T  @param {T} value  @param {T[]} known */
    const one = (value, known) => { need(known.includes(value)); return value; };
    /** @param {{ start: number, end: number }} place */
    const place = ({ start, end }) => {
      need(Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start < end && end < units.length);
      return { start, end };
    };
    /** @param {Thing} end */
    const thing = (end) => ({ id: words(end.id), label: words(end.label), category: one(end.category, data.kinds), ...place(end) });
    const quotes = left.quotes.map(([start, end]) => data.sentences.find((known) => known[0] === start && known[1] === end));
    need(quotes.every(Boolean));
    return {
      subject: left.subject && thing(left.subject),
      object: left.object && thing(left.object),
      picking: left.picking && { role: one(left.picking.role, ENDS), ...place(left.picking) },
      quotes: /** @type {Span[]} */ (quotes),
      qualifiers: left.qualifiers.map(({ name, value }) => ({ name: words(name), value: words(value) })),
      predicate: words(left.predicate),
      negated: one(left.negated, [true, false]),
      modality: one(left.modality, data.modalities),
      approve: one(left.approve, [true, false]),
    };
  }
}
