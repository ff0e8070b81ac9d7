// The words of a mention, corrected
// An edge of a mention is dragged, or moved by Ctrl+Shift and an arrow key: ← → moves where it ends, ↑ ↓ where it
// begins, a word at a time. Its term stays. Who drags over the whole mention selects it: words beside a mention and the
// mention itself can be selected from any place.

/** @import { Marker, Span } from "./marking.js" */

/**
 * A mention whose edge is moved: its number, its new place in code points, and the words selected over it meanwhile.
 * @typedef {{ n: number, isEnd: boolean, start: number, end: number, selected?: Span }} Held
 */

const EDGE = 4; // pixels inside a mention that take hold of its edge: the space beside it belongs to its neighbour
const SETTLE = 700; // milliseconds after the last key until the words are kept

export class SpanEdges {
  /** @type {Held | undefined} what the pointer holds */
  held;
  /** @type {Held | undefined} what the keys move */
  keyed;

  /** @param {Marker} desk */
  constructor(desk) {
    this.desk = desk;
    this.text = desk.text;
    this.text.addEventListener("mousemove", (event) => this.over(event));
    this.text.addEventListener("mousedown", (event) => this.begin(event));
    /** @param {MouseEvent} event */
    this.moved = (event) => this.move(event);
    this.ended = () => this.end();
    document.addEventListener("mousemove", this.moved);
    document.addEventListener("mouseup", this.ended, true);
  }

  close() {
    clearTimeout(this.settling);
    document.removeEventListener("mousemove", this.moved);
    document.removeEventListener("mouseup", this.ended, true);
    window.CSS?.highlights?.delete("gm-moved");
  }

  // The mark whose edge is under the pointer: its number, and whether it is where the mark ends.
  /** @param {MouseEvent} event */
  edge(event) {
    if (this.desk.data.off) return null;
    for (const [n, span] of this.desk.spans.entries()) {
      const boxes = span.getClientRects();
      if (!boxes.length) continue;
      const [first, last] = [boxes[0], boxes[boxes.length - 1]];
      const { clientX: x, clientY: y } = event;
      /** @param {DOMRect} box  @param {number} inside */
      const on = (box, inside) => y >= box.top && y <= box.bottom && inside >= 0 && inside <= Math.min(EDGE, box.width / 3);
      if (on(last, last.right - x)) return { n, isEnd: true };
      if (on(first, x - first.left)) return { n, isEnd: false };
    }
    return null;
  }

  /** @param {MouseEvent} event */
  over(event) {
    if (!this.held && !event.buttons) this.text.style.cursor = this.edge(event) ? "ew-resize" : "";
  }

  /** @param {MouseEvent} event */
  begin(event) {
    const edge = event.button ? null : this.edge(event);
    if (!edge) return;
    event.preventDefault(); // no words are selected meanwhile
    const { start, end } = this.desk.data.marks[edge.n];
    this.held = { ...edge, start, end };
    this.desk.pressed = null;
    this.text.focus({ preventScroll: true });
  }

  /** @param {MouseEvent} event */
  move(event) {
    if (!this.held) return;
    const place = this.desk.pointAt(event);
    if (place === null) return;
    const mark = this.desk.data.marks[this.held.n];
    const over = this.held.isEnd ? place <= mark.start : place >= mark.end;
    this.held.selected = undefined;
    if (over) {
      this.held.selected = [Math.min(place, mark.start), Math.max(place, mark.end)];
      window.CSS?.highlights?.delete("gm-moved");
      this.desk.show(...this.held.selected);
      return;
    }
    window.getSelection()?.removeAllRanges();
    this.reach(this.held, place);
    this.show(this.held);
  }

  // The held edge goes to the border of the word at this code point.
  /** @param {Held} held  @param {number} point */
  reach(held, point) {
    const { words } = this.desk;
    if (held.isEnd) {
      const word = words.findLast(([from]) => from < point) ?? words[0];
      held.end = Math.max(word[1], words.find(([, to]) => to > held.start)?.[1] ?? held.end);
    } else {
      const word = words.find(([, to]) => to > point) ?? words[words.length - 1];
      held.start = Math.min(word[0], words.findLast(([from]) => from < held.end)?.[0] ?? held.start);
    }
  }

  /** @param {Held} held */
  show({ start, end }) {
    if (!window.CSS?.highlights) return;
    const { desk } = this, range = document.createRange();
    range.setStart(...desk.node(desk.units[start]));
    range.setEnd(...desk.node(desk.units[end]));
    CSS.highlights.set("gm-moved", new Highlight(range));
  }

  end() {
    const { held } = this;
    if (!held) return;
    this.held = undefined;
    const mark = this.desk.data.marks[held.n];
    if (held.selected) this.desk.pick(...this.desk.whole(...held.selected));
    else if (held.start === mark.start && held.end === mark.end) this.desk.pick(mark.start, mark.end); // a click on its edge
    else this.keep(held);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    /** @type {Record<string, number>} */
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (!this.keyed) {
      const chosen = this.desk.selection();
      const n = chosen ? this.desk.data.marks.findIndex((one) => one.start === chosen[0] && one.end === chosen[1]) : -1;
      if (n < 0) return this.desk.say("Go to a marked term first (Ctrl+← →), then change its words.");
      const { start, end } = this.desk.data.marks[n];
      this.keyed = { n, isEnd: true, start, end };
    }
    const { keyed } = this, { words } = this.desk;
    keyed.isEnd = ["ArrowRight", "ArrowLeft"].includes(event.key);
    const edge = keyed.isEnd ? words.findLastIndex(([from]) => from < keyed.end) : words.findIndex(([, to]) => to > keyed.start);
    const word = words[edge + step];
    if (word) this.reach(keyed, keyed.isEnd ? word[1] : word[0]);
    this.show(keyed);
    this.desk.show(keyed.start, keyed.end);
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      this.keyed = undefined;
      this.keep(keyed);
    }, SETTLE);
  }

  /** @param {Held} held */
  keep({ n, start, end }) {
    const { desk } = this, mark = desk.data.marks[n];
    if (start === mark.start && end === mark.end) return;
    const words = desk.part(start, end);
    const term = mark.term ?? { id: "", label: words, category: mark.category };
    desk.put({ kind: "span", document: desk.data.document, version: desk.data.version, start, end, term });
  }
}
