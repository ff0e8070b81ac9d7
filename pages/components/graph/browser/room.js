// Where on the canvas there is room for a label.

/**
 * @typedef {[left: number, top: number, right: number, bottom: number]} Box
 * @typedef {[room: Box, owner: number]} Entry the owner is the number of a point, or below 0 where there is none
 */

/** @param {number} x  @param {number} y  @param {number} wide  @param {number} high  @returns {Box} */
export function box(x, y, wide, high) {
  return [x - wide / 2, y - high / 2, x + wide / 2, y + high / 2];
}

// Boxes that are taken, in squares of 64 pixels. A box with an owner does not stand in that owner's own way.
export class Taken {
  constructor() {
    /** @type {Map<number, Entry[]>} */
    this.squares = new Map();
  }

  * all() {
    const seen = new Set();
    for (const square of this.squares.values()) {
      for (const entry of square) {
        if (!seen.has(entry)) yield entry;
        seen.add(entry);
      }
    }
  }

  /** @param {Box} room */
  * keys([left, top, right, bottom]) {
    for (let x = Math.floor(left / 64); x <= Math.floor(right / 64); x += 1) {
      for (let y = Math.floor(top / 64); y <= Math.floor(bottom / 64); y += 1) yield x * 4096 + y;
    }
  }

  /** @param {Box} room  @param {number} owner */
  add(room, owner) {
    /** @type {Entry} */
    const entry = [room, owner];
    for (const key of this.keys(room)) {
      if (!this.squares.has(key)) this.squares.set(key, []);
      /** @type {Entry[]} */ (this.squares.get(key)).push(entry);
    }
  }

  /** @param {Box} room  @param {number} owner */
  meets(room, owner) {
    for (const key of this.keys(room)) {
      for (const [other, own] of this.squares.get(key) ?? []) {
        if (own !== owner && other[0] < room[2] && other[2] > room[0] && other[1] < room[3] && other[3] > room[1]) {
          return true;
        }
      }
    }
    return false;
  }
}
