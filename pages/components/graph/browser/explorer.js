// The drawing of the explorer. The server says what stands where; this draws it, moves and zooms it, and says what was
// done: what was clicked, opened, dragged, searched. All words are drawn, never made markup.

import { button, make } from "../../shared/browser/elements.js";
import { Legend } from "./legend.js";
import { Painter } from "./painter.js";
import { Pointing } from "./pointing.js";
import { SearchBox } from "./search.js";

/** @import { Way } from "./shapes.js" */

const MARGIN = { left: 64, right: 64, top: 78, bottom: 40 };
const BESIDE = 150; // more room at the sides of a ring, for its labels
/** @type {Map<string, Shift>} */
const places = new Map(); // how each view was last moved and zoomed, for as long as the page is open

/**
 * @param {{ data: ExplorerData, parentElement: HTMLElement & { explorer?: Explorer },
 *   setStateValue: (name: "words", value: string) => void,
 *   setTriggerValue: (name: "act", value: Act & { kind: string }) => void }} component
 */
export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  const explorer = parentElement.explorer ?? (parentElement.explorer = new Explorer(parentElement));
  explorer.act = (kind, value = {}) => setTriggerValue("act", { kind, ...value });
  explorer.search = (words) => setStateValue("words", words);
  explorer.take(data);
  return () => {
    explorer.close();
    delete parentElement.explorer;
  };
}

/**
 * `x` and `y` of a point are the server's places, `s` and `t` of a line the numbers of its points.
 * @typedef {{ x: number, y: number }} Spot pixels of the page, from the top left corner of the drawing
 * @typedef {{ key: string, id: string, label: string, kind: string, category: string, x: number, y: number, size: number,
 *   degree: number, colour: string, centre: boolean, pinned: boolean, folded: number, notes: string[] }} Point
 * @typedef {{ id: string, s: number, t: number, words: string, relation: string, colour: string, dashes: number[],
 *   bend: number, count: number, width: number }} Line
 * @typedef {{ name: string, count: number, on: boolean, colour: string, dashes?: number[] }} LegendEntry
 * @typedef {[field: string, title: string, entries: LegendEntry[]]} LegendRow
 * @typedef {{ key: string, id: string, label: string, colour: string }} Found
 * @typedef {{ kind: string, key: string, label: string }} Chip
 * @typedef {{ view: string, width: number, height: number, ring: boolean, points: Point[], lines: Line[], legend: LegendRow[],
 *   note: string, alt: string, asked: string, found: Found[], chips: Chip[], chosen: { thing: string, statement: string },
 *   ink: string, paper: string }} ExplorerData
 * @typedef {{ k: number, x: number, y: number }} Shift how a view is zoomed and moved
 * @typedef {{ point?: number, line?: number }} Hit
 * @typedef {{ key?: string, field?: string, name?: string, relation?: string, other?: string, across?: number, down?: number
 *   }} Act `across` and `down` are thousandths of the frame
 */

export class Explorer {
  /** @type {ExplorerData} what the server drew last */ data;
  /** @type {(kind: string, value?: Act) => void} */ act;
  /** @type {(words: string) => void} */ search;
  /** @type {HTMLElement} */ tools;
  /** @type {Map<string, number>} place of a point by its key */ byKey;
  /** @type {{ across: number, down: number, x: number, y: number }} from the server's places to pixels */ base;
  /** @type {{ key: string, x: number, y: number } | null} */ dragged = null;
  /** @type {Hit | null} what is pointed at */ over = null;
  /** @type {Way[]} how each line runs */ ways = [];
  shownLabels = 0;

  /** @param {Element} parent */
  constructor(parent) {
    this.root = make("div", "gx", parent);
    this.canvas = make("canvas", "gx-canvas", this.root);
    this.canvas.tabIndex = 0;
    this.pointing = new Pointing(this);
    this.searchBox = new SearchBox(this);
    this.buildTools();
    this.legend = new Legend(this);
    this.note = make("div", "gx-note", this.root);
    /** @type {Point[]} */
    this.points = [];
    /** @type {Line[]} */
    this.lines = [];
    this.shift = { k: 1, x: 0, y: 0 };
    this.watcher = new ResizeObserver(() => this.resize());
    this.watcher.observe(this.root);
  }

  close() {
    this.watcher.disconnect();
    this.searchBox.close();
    this.root.remove();
  }

  buildTools() {
    const bar = this.tools = make("div", "gx-tools", this.root);
    const middle = () => ({ x: this.canvas.clientWidth / 2, y: this.canvas.clientHeight / 2 });
    button(bar, "gx-tool", "+", "Zoom in", () => this.zoom(1.35, middle()));
    button(bar, "gx-tool", "−", "Zoom out", () => this.zoom(1 / 1.35, middle()));
    button(bar, "gx-tool", "⤢", "Show everything", () => this.fit());
    button(bar, "gx-tool", "PNG", "Save what is on screen as a picture", () => this.save());
  }

  /** @param {ExplorerData} data */
  take(data) {
    const changed = data.view !== this.data?.view;
    this.data = data;
    this.points = data.points;
    this.lines = data.lines;
    this.byKey = new Map(data.points.map((point, place) => [point.key, place]));
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", data.alt);
    if (changed) {
      this.shift = places.get(data.view) ?? { k: 1, x: 0, y: 0 };
      this.pointing.forget();
    }
    this.legend.show(data.legend);
    this.searchBox.show(data);
    this.note.textContent = data.note;
    this.resize();
  }

  // What stands over the canvas, where no label is to be.
  covers() {
    return [this.legend.field, this.note, this.tools, this.searchBox.field];
  }

  resize() {
    const wide = this.root.clientWidth, high = this.root.clientHeight;
    if (!wide || !high || !this.data) return;
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(wide * ratio);
    this.canvas.height = Math.round(high * ratio);
    this.canvas.style.width = `${wide}px`;
    this.canvas.style.height = `${high}px`;
    const side = this.data.ring ? BESIDE : 0;
    const low = this.legend.field.offsetHeight + MARGIN.bottom;
    const room = { x: wide - MARGIN.left - MARGIN.right - 2 * side, y: high - MARGIN.top - low };
    const xs = this.points.map((point) => point.x), ys = this.points.map((point) => point.y);
    const least = { x: Math.min(...xs, 0), y: Math.min(...ys, 0) };
    const most = { x: Math.max(...xs, 0), y: Math.max(...ys, 0) };
    let across = Math.max(room.x, 80) / Math.max(most.x - least.x, 1);
    let down = Math.max(room.y, 80) / Math.max(most.y - least.y, 1);
    across = Math.min(across, down * 1.9, 2.2); // stretched to fill, within reason
    down = Math.min(down, across * 1.9, 2.2);
    this.base = {
      across, down,
      x: MARGIN.left + side + room.x / 2 - (least.x + most.x) / 2 * across,
      y: MARGIN.top + room.y / 2 - (least.y + most.y) / 2 * down,
    };
    this.draw();
  }

  /** @param {Point} point */
  at(point) {
    const { k, x, y } = this.shift;
    const own = this.dragged?.key === point.key ? this.dragged : point;
    return {
      x: (this.base.x + own.x * this.base.across) * k + x,
      y: (this.base.y + own.y * this.base.down) * k + y,
    };
  }

  /** @param {Point} point */
  size(point) {
    return Math.max(3, point.size * Math.min(1, Math.max(0.55, this.base.across * this.shift.k * 1.15)));
  }

  /** @param {number} by  @param {Spot} middle */
  zoom(by, middle) {
    const next = Math.min(Math.max(this.shift.k * by, 0.3), 30);
    const real = next / this.shift.k;
    this.move({
      k: next,
      x: middle.x - (middle.x - this.shift.x) * real,
      y: middle.y - (middle.y - this.shift.y) * real,
    });
  }

  fit() {
    this.move({ k: 1, x: 0, y: 0 });
  }

  /** @param {Shift} shift */
  move(shift) {
    this.shift = shift;
    places.set(this.data.view, shift);
    this.later();
  }

  later() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0;
      this.draw();
    });
  }

  middle() {
    return { x: this.base.x * this.shift.k + this.shift.x, y: this.base.y * this.shift.k + this.shift.y };
  }

  draw() {
    new Painter(this, pen(this.canvas), window.devicePixelRatio || 1).draw();
  }

  save() {
    const sheet = document.createElement("canvas"), ratio = 3;
    sheet.width = this.root.clientWidth * ratio;
    sheet.height = this.root.clientHeight * ratio;
    new Painter(this, pen(sheet), ratio).draw();
    sheet.toBlob((blob) => {
      if (!blob) return;
      const link = make("a");
      link.href = URL.createObjectURL(blob);
      link.download = "knowledge-graph.png";
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    });
  }
}

/** @param {HTMLCanvasElement} canvas */
function pen(canvas) {
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
}
