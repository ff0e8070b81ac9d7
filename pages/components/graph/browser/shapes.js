// Lines between points, and words with a halo, as they are drawn on a canvas.

/** @import { Line, Spot } from "./explorer.js" */
/** @import { Box } from "./room.js" */

/**
 * How a line runs: bent towards `by`; a loop has a second place for its words, inside.
 * @typedef {{ start: Spot, by: Spot, end: Spot, middle: Spot, long: number }
 *   & ({ loop: true, inside: Spot } | { loop?: undefined })} Way
 */

/** @param {Line} line  @param {Spot[]} spots  @param {number[]} sizes  @returns {Way} */
export function way(line, spots, sizes) {
  const start = spots[line.s], end = spots[line.t];
  if (line.s === line.t) {
    const reach = sizes[line.s] + 24 + 14 * line.bend;
    const top = { x: start.x, y: start.y - 2 * reach };
    return {
      loop: true, start: { x: start.x - 5, y: start.y }, by: top, end: { x: start.x + 5, y: start.y - sizes[line.s] },
      middle: { x: start.x, y: start.y - 1.5 * reach - 8 }, inside: { x: start.x, y: start.y - reach - 4 }, long: reach * 2,
    };
  }
  const long = Math.hypot(end.x - start.x, end.y - start.y) || 1;
  const by = {
    x: (start.x + end.x) / 2 - (end.y - start.y) / long * line.bend * 2,
    y: (start.y + end.y) / 2 + (end.x - start.x) / long * line.bend * 2,
  };
  const from = short(start, by, sizes[line.s]), to = short(end, by, sizes[line.t] + 2);
  const middle = { x: from.x / 4 + by.x / 2 + to.x / 4, y: from.y / 4 + by.y / 2 + to.y / 4 };
  return { start: from, by, end: to, middle, long: Math.hypot(to.x - from.x, to.y - from.y) };
}

/** @param {Spot} end  @param {Spot} by  @param {number} gap */
function short(end, by, gap) {
  const long = Math.hypot(by.x - end.x, by.y - end.y) || 1;
  const share = Math.min(gap / long, 0.45);
  return { x: end.x + (by.x - end.x) * share, y: end.y + (by.y - end.y) * share };
}

/** @param {CanvasRenderingContext2D} pen  @param {Way} run  @param {Line} line  @param {boolean} chosen */
export function drawLine(pen, run, line, chosen) {
  pen.beginPath();
  pen.moveTo(run.start.x, run.start.y);
  if (run.loop) {
    const aside = (run.start.y - run.by.y) * 0.55;
    pen.bezierCurveTo(run.start.x - aside, run.by.y, run.end.x + aside, run.by.y, run.end.x, run.end.y);
  } else pen.quadraticCurveTo(run.by.x, run.by.y, run.end.x, run.end.y);
  pen.setLineDash(line.dashes);
  pen.strokeStyle = line.colour;
  pen.lineWidth = chosen ? 4 : line.width;
  pen.stroke();
  pen.setLineDash([]);
  const turn = run.loop ? Math.PI * 0.62 : Math.atan2(run.end.y - run.by.y, run.end.x - run.by.x);
  pen.beginPath();
  pen.moveTo(run.end.x, run.end.y);
  pen.lineTo(run.end.x - 8 * Math.cos(turn + 0.42), run.end.y - 8 * Math.sin(turn + 0.42));
  pen.lineTo(run.end.x - 8 * Math.cos(turn - 0.42), run.end.y - 8 * Math.sin(turn - 0.42));
  pen.closePath();
  pen.fillStyle = line.colour;
  pen.fill();
}

/** @param {Way} run  @param {number} x  @param {number} y */
export function distance(run, x, y) {
  let least = Infinity;
  /** @type {Spot | null} */
  let last = null;
  for (let step = 0; step <= 12; step += 1) {
    const t = step / 12, a = (1 - t) ** 2, b = 2 * t * (1 - t), c = t * t;
    const at = {
      x: a * run.start.x + b * run.by.x + c * run.end.x,
      y: a * run.start.y + b * run.by.y + c * run.end.y,
    };
    if (last) least = Math.min(least, fromPiece(last, at, x, y));
    last = at;
  }
  return least;
}

/** @param {Spot} start  @param {Spot} end  @param {number} x  @param {number} y */
function fromPiece(start, end, x, y) {
  const across = end.x - start.x, down = end.y - start.y, long = across * across + down * down || 1;
  const share = Math.min(Math.max(((x - start.x) * across + (y - start.y) * down) / long, 0), 1);
  return Math.hypot(start.x + across * share - x, start.y + down * share - y);
}

/** @param {Spot} spot  @param {Spot} middle */
export function ring(spot, middle) {
  const across = spot.x - middle.x, down = spot.y - middle.y;
  const side = across > 0 ? "right" : "left";
  return Math.abs(across) > 0.35 * Math.max(Math.abs(down), 1)
    ? [side, "below", "above", "left", "right"] : [down < 0 ? "above" : "below", side, "right", "left"];
}

/** @param {CanvasRenderingContext2D} pen  @param {string} words  @param {number} most */
export function shortened(pen, words, most) {
  if (pen.measureText(words).width <= most) return words;
  let low = 0, high = words.length;
  while (low < high) {
    const half = Math.ceil((low + high) / 2);
    if (pen.measureText(`${words.slice(0, half).trimEnd()}…`).width <= most) low = half;
    else high = half - 1;
  }
  return `${words.slice(0, low).trimEnd()}…`;
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {string} words
 * @param {number} x
 * @param {number} y
 * @param {string} ink
 * @param {string} paper
 */
export function halo(pen, words, x, y, ink, paper) {
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.lineJoin = "round";
  pen.lineWidth = 3;
  pen.strokeStyle = paper;
  pen.strokeText(words, x, y);
  pen.fillStyle = ink;
  pen.fillText(words, x, y);
}

/** @param {CanvasRenderingContext2D} pen  @param {Box} room  @param {string} paper */
export function plate(pen, room, paper) {
  pen.fillStyle = paper;
  pen.fillRect(room[0], room[1], room[2] - room[0], room[3] - room[1]);
}
