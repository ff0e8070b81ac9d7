// What is done with the drawing: pointed at, clicked, opened, dragged, moved and zoomed, by mouse or by key.

/** @import { Explorer, Hit, Line, Point, Shift } from "./explorer.js" */
import { make } from "../../shared/browser/elements.js";
import { distance } from "./shapes.js";

const NEAR = 7; // pixels from a line at which it is meant
const AGAIN = 230; // milliseconds in which a second click makes a double one
/** @type {Record<string, number | undefined>} */
const ZOOMS = { "+": 1.35, "=": 1.35, "-": 1 / 1.35 };
/** @type {Record<string, [number, number] | undefined>} */
const WAYS = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };

/** @typedef {{ x: number, y: number, shift: Shift, hit: Hit | null, moved: boolean }} Press */

export class Pointing {
  /** @type {Press | null} where a press began, and on what */ from = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ pressing;

  /** @param {Explorer} explorer */
  constructor(explorer) {
    this.explorer = explorer;
    this.hint = make("div", "gx-hint", explorer.root);
    this.hint.setAttribute("role", "tooltip");
    this.listen(explorer.canvas);
  }

  forget() {
    this.explorer.over = null;
    this.hint.style.display = "none";
  }

  /** @param {HTMLCanvasElement} canvas */
  listen(canvas) {
    const { explorer } = this;
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      explorer.zoom(Math.exp(-event.deltaY / 400), { x: event.offsetX, y: event.offsetY });
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      const hit = this.hit(event.offsetX, event.offsetY);
      this.from = { x: event.offsetX, y: event.offsetY, shift: explorer.shift, hit, moved: false };
    });
    canvas.addEventListener("pointermove", (event) => this.pointed(event.offsetX, event.offsetY));
    canvas.addEventListener("pointerup", () => this.released());
    canvas.addEventListener("pointerleave", () => this.pointAt(null));
    canvas.addEventListener("dblclick", (event) => {
      const hit = this.hit(event.offsetX, event.offsetY);
      clearTimeout(this.pressing);
      const point = explorer.points[hit?.point ?? -1];
      if (point && point.kind !== "value") explorer.act(point.kind === "group" ? "open" : "expand", { key: point.key });
    });
    canvas.addEventListener("keydown", (event) => {
      const middle = { x: canvas.clientWidth / 2, y: canvas.clientHeight / 2 };
      const by = ZOOMS[event.key];
      const way = WAYS[event.key];
      if (by) explorer.zoom(by, middle);
      else if (way) explorer.move({ ...explorer.shift, x: explorer.shift.x + way[0], y: explorer.shift.y + way[1] });
      else if (event.key === "0") explorer.fit();
      else if (event.key === "Escape") explorer.act("leave");
      else return;
      event.preventDefault();
    });
  }

  /** @param {number} x  @param {number} y */
  pointed(x, y) {
    const { explorer } = this;
    if (!this.from) {
      this.pointAt(this.hit(x, y), x, y);
      return;
    }
    const across = x - this.from.x, down = y - this.from.y;
    if (!this.from.moved && Math.hypot(across, down) < 4) return;
    this.from.moved = true;
    const point = explorer.points[this.from.hit?.point ?? -1];
    if (point && point.kind !== "group") {
      const { k } = explorer.shift;
      explorer.dragged = {
        key: point.key,
        x: point.x + across / k / explorer.base.across,
        y: point.y + down / k / explorer.base.down,
      };
      explorer.later();
    } else explorer.move({ ...this.from.shift, x: this.from.shift.x + across, y: this.from.shift.y + down });
  }

  released() {
    const { explorer } = this;
    const from = this.from;
    this.from = null;
    if (!from) return;
    if (explorer.dragged) {
      const { key, x, y } = explorer.dragged, { width, height } = explorer.data;
      /** @param {number} value  @param {number} edge */
      const part = (value, edge) => Math.round(Math.min(Math.max(value / edge + 0.5, 0), 1) * 1000);
      Object.assign(explorer.points[explorer.byKey.get(key) ?? -1] ?? {}, { x, y, pinned: true });
      explorer.dragged = null;
      explorer.later();
      explorer.act("pin", { key, across: part(x, width), down: part(y, height) });
    } else if (!from.moved) this.pressed(from.hit);
  }

  /** @param {Hit | null} hit */
  pressed(hit) {
    const { explorer } = this;
    clearTimeout(this.pressing);
    const tell = () => {
      if (hit?.point !== undefined) {
        const point = explorer.points[hit.point];
        if (point.kind === "group") explorer.act("open", { key: point.key });
        else explorer.act("thing", { key: point.key });
      } else if (hit?.line !== undefined) {
        const line = explorer.lines[hit.line];
        if (line.id) explorer.act("statement", { key: line.id });
        else explorer.act("open", { key: explorer.points[line.s].key, relation: line.relation, other: explorer.points[line.t].key });
      } else if (explorer.data.chosen.thing || explorer.data.chosen.statement) explorer.act("leave");
    };
    this.pressing = setTimeout(tell, hit?.point !== undefined ? AGAIN : 0); // a second click means: expand
  }

  /** @param {number} x  @param {number} y  @returns {Hit | null} what is at these pixels */
  hit(x, y) {
    const { explorer } = this;
    for (let place = explorer.points.length - 1; place >= 0; place -= 1) {
      const spot = explorer.at(explorer.points[place]);
      if (Math.hypot(spot.x - x, spot.y - y) <= explorer.size(explorer.points[place]) + 4) return { point: place };
    }
    /** @type {{ line: number } | null} */
    let best = null;
    let least = NEAR;
    (explorer.ways ?? []).forEach((run, place) => {
      const far = distance(run, x, y);
      if (far < least) [best, least] = [{ line: place }, far];
    });
    return best;
  }

  /** @param {Hit | null} hit  @param {number} [x]  @param {number} [y] */
  pointAt(hit, x = 0, y = 0) {
    const { explorer } = this;
    const same = hit?.point === explorer.over?.point && hit?.line === explorer.over?.line;
    explorer.over = hit;
    explorer.canvas.style.cursor = hit ? "pointer" : "grab";
    if (!same) explorer.later();
    const point = explorer.points[hit?.point ?? -1], line = explorer.lines[hit?.line ?? -1];
    this.hint.style.display = point || line ? "block" : "none";
    if (!point && !line) return;
    if (!same) this.hint.replaceChildren(...(point ? this.aboutPoint(point) : this.aboutLine(line)));
    const wide = explorer.root.clientWidth, high = explorer.root.clientHeight;
    this.hint.style.left = `${Math.max(4, Math.min(x + 14, wide - this.hint.offsetWidth - 6))}px`;
    this.hint.style.top = `${Math.max(4, Math.min(y + 16, high - this.hint.offsetHeight - 6))}px`;
  }

  /** @param {Point} point */
  aboutPoint(point) {
    return [
      make("b", "", null, point.label),
      make("div", "gx-small", null, [point.id, point.category].filter(Boolean).join(" · ")),
      ...point.notes.map((note) => make("div", "gx-small", null, note)),
      make("div", "gx-small", null, point.kind === "group" ? "Click to open" :
        `${point.degree.toLocaleString("en")} statement${point.degree === 1 ? "" : "s"} · double-click to expand`),
    ];
  }

  /** @param {Line} line */
  aboutLine(line) {
    const { explorer } = this;
    const ends = [explorer.points[line.s].label, line.words, explorer.points[line.t].label];
    const count = `${line.count.toLocaleString("en")} piece${line.count === 1 ? "" : "s"} of evidence`;
    return [make("b", "", null, ends.join(" → ")), make("div", "gx-small", null, line.id ? count : "Click to open")];
  }
}
