// One drawing of a view on a canvas: lines, points, labels that cover neither each other nor what is important, and words
// on lines where there is room. Labels stay as large as they are however far one zooms.

/** @import { Explorer, Point, Spot } from "./explorer.js" */
/** @import { Box } from "./room.js" */
import { box, Taken } from "./room.js";
import { drawLine, halo, plate, ring, shortened, way } from "./shapes.js";

const FONT = 12;
const WORDS = 11; // pixels of the words on lines
const LINE = 15;
const BUSY = 8; // one point in so many, of the most important, is covered by no label

/** @typedef {{ points: Set<number>, lines: Set<number> }} Near points and lines by their numbers */

export class Painter {
  /**
   * @param {Explorer} explorer
   * @param {CanvasRenderingContext2D} pen
   * @param {number} ratio
   */
  constructor(explorer, pen, ratio) {
    this.explorer = explorer;
    this.pen = pen;
    this.ratio = ratio; // pixels of the canvas in one of the page
    this.wide = explorer.root.clientWidth;
    this.high = explorer.root.clientHeight;
  }

  draw() {
    const { explorer, pen, ratio, wide, high } = this;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = explorer.data.paper;
    pen.fillRect(0, 0, wide, high);
    const spots = explorer.points.map((point) => explorer.at(point));
    const sizes = explorer.points.map((point) => explorer.size(point));
    const near = this.nearby();
    explorer.ways = explorer.lines.map((line) => way(line, spots, sizes));
    const faint = Math.min(0.85, Math.max(0.2, 12 / Math.sqrt(explorer.lines.length || 1))); // a thousand lines are a veil
    explorer.lines.forEach((line, place) => {
      pen.globalAlpha = near && !near.lines.has(place) ? 0.12 : faint;
      drawLine(pen, explorer.ways[place], line, line.id !== "" && line.id === explorer.data.chosen.statement);
    });
    explorer.points.forEach((point, place) => {
      pen.globalAlpha = near && !near.points.has(place) ? 0.25 : 1;
      this.drawPoint(point, spots[place], sizes[place]);
    });
    pen.globalAlpha = 1;
    const taken = new Taken();
    spots.forEach((spot, place) => taken.add(box(spot.x, spot.y, sizes[place] * 2, sizes[place] * 2), place));
    for (const field of explorer.covers()) {
      if (field.offsetHeight) taken.add(inside(field, explorer.root), -1);
    }
    explorer.shownLabels = this.drawLabels(spots, sizes, near, taken);
    this.drawWords(near, taken);
  }

  // The points and lines beside what is pointed at; null where nothing is.
  /** @returns {Near | null} */
  nearby() {
    const { explorer } = this, { over } = explorer;
    if (!over) return null;
    const points = new Set(), lines = new Set();
    explorer.lines.forEach((line, place) => {
      const meant = over.line === place || line.s === over.point || line.t === over.point;
      if (meant) {
        lines.add(place);
        points.add(line.s).add(line.t);
      }
    });
    if (over.point !== undefined) points.add(over.point);
    return { points, lines };
  }

  /** @param {Point} point  @param {Spot} spot  @param {number} size */
  drawPoint(point, spot, size) {
    const { explorer, pen } = this;
    pen.beginPath();
    if (point.kind === "node") {
      pen.moveTo(spot.x, spot.y - size);
      pen.lineTo(spot.x + size, spot.y);
      pen.lineTo(spot.x, spot.y + size);
      pen.lineTo(spot.x - size, spot.y);
      pen.closePath();
    } else if (point.kind === "value") pen.rect(spot.x - size * 0.8, spot.y - size * 0.8, size * 1.6, size * 1.6);
    else pen.arc(spot.x, spot.y, size, 0, 7);
    pen.fillStyle = point.kind === "value" ? explorer.data.paper : point.colour;
    pen.fill();
    const chosen = point.key === explorer.data.chosen.thing;
    pen.lineWidth = chosen ? 4 : point.centre ? 3 : 1;
    pen.strokeStyle = chosen || point.centre ? explorer.data.ink : point.kind === "value" ? point.colour : explorer.data.paper;
    pen.stroke();
    const sign = point.folded ? `+${point.folded}` : "";
    if (sign || point.pinned) {
      pen.fillStyle = explorer.data.ink;
      pen.font = `600 10px ${this.font()}`;
      pen.textAlign = "left";
      pen.textBaseline = "middle";
      pen.fillText(point.pinned ? `⚲${sign}` : sign, spot.x + size + 1, spot.y - size);
    }
  }

  font() {
    return getComputedStyle(this.explorer.root).fontFamily;
  }

  /** @param {Spot[]} spots  @param {number[]} sizes  @param {Near | null} near  @param {Taken} taken */
  drawLabels(spots, sizes, near, taken) {
    const { explorer, pen } = this;
    pen.font = `${FONT}px ${this.font()}`;
    pen.textBaseline = "middle";
    const order = explorer.points.map((point, place) => place);
    /** @param {number} place */
    const worth = (place) => {
      const point = explorer.points[place];
      return (point.key === explorer.data.chosen.thing ? 1e9 : 0) + (near?.points.has(place) ? 1e8 : 0) +
        (point.centre ? 1e7 : 0) + point.degree;
    };
    order.sort((a, b) => worth(b) - worth(a) || a - b);
    const busy = new Set(order.slice(0, Math.max(12, order.length / BUSY)));
    const labels = new Taken(); // where no place is free, words hide a small point rather than each other
    for (const [room, owner] of taken.all()) if (owner < 0 || busy.has(owner)) labels.add(room, owner);
    let shown = 0;
    for (const place of order) {
      const room = this.label(place, spots, sizes, near, taken) ??
        this.label(place, spots, sizes, near, labels);
      if (!room) continue;
      taken.add(room, -1);
      labels.add(room, -1);
      shown += 1;
    }
    return shown;
  }

  // Draws the label of a point where it has room, below, beside or above it and wholly in view: that room, or null.
  /** @param {number} place  @param {Spot[]} spots  @param {number[]} sizes  @param {Near | null} near  @param {Taken} taken */
  label(place, spots, sizes, near, taken) {
    const { explorer, pen, wide, high } = this;
    if (near && !near.points.has(place)) return null;
    const spot = spots[place], point = explorer.points[place];
    if (spot.x < 0 || spot.y < 0 || spot.x > wide || spot.y > high) return null;
    const words = shortened(pen, point.label, explorer.points.length > 60 && explorer.shift.k < 2 ? 130 : 200);
    const across = pen.measureText(words).width, gap = sizes[place];
    const sides = explorer.data.ring && !point.centre ? ring(spot, explorer.middle()) : ["below", "right", "left", "above"];
    for (const side of sides) {
      const x = spot.x + (side === "right" ? gap + 4 + across / 2 : side === "left" ? -gap - 4 - across / 2 : 0);
      const y = spot.y + (side === "below" ? gap + LINE / 2 + 1 : side === "above" ? -gap - LINE / 2 - 1 : 0);
      const room = box(x, y, across + 4, LINE - 1);
      if (room[0] < 0 || room[2] > wide || room[1] < 0 || room[3] > high || taken.meets(room, place)) continue;
      halo(pen, words, x, y, explorer.data.ink, explorer.data.paper);
      return room;
    }
    return null;
  }

  /** @param {Near | null} near  @param {Taken} taken */
  drawWords(near, taken) {
    const { explorer, pen, wide, high } = this;
    pen.font = `${WORDS}px ${this.font()}`;
    explorer.lines.forEach((line, place) => {
      if (near && !near.lines.has(place)) return;
      const run = explorer.ways[place], words = shortened(pen, line.words, 190);
      const across = pen.measureText(words).width;
      if (run.long < across + 12 && !run.loop) return;
      for (const { x, y } of run.loop ? [run.middle, run.inside] : [run.middle]) {
        const room = box(x, y, across + 4, LINE - 2);
        if (x < 0 || x > wide || room[1] < 0 || y > high || taken.meets(room, -2)) continue;
        taken.add(room, -1);
        if (line.width > 3) plate(pen, room, explorer.data.paper); // on a broad line of their own colour they are lost
        halo(pen, words, x, y, line.colour, explorer.data.paper);
        return;
      }
    });
  }
}

/** @param {Element} element  @param {Element} root  @returns {Box} */
function inside(element, root) {
  const own = element.getBoundingClientRect(), all = root.getBoundingClientRect();
  return [own.left - all.left, own.top - all.top, own.right - all.left, own.bottom - all.top];
}
