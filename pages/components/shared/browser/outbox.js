// What was done on the page and is not yet kept by the server: it is numbered, and sent again until the server says that
// it keeps it, so that nothing is lost and nothing is taken twice.

/** @typedef {{ id: string, number: number, time: number }} Sent `time` in milliseconds since 1970 */

/** A name for this page in this browser: no two have one. */
export function windowName() {
  const numbers = crypto.getRandomValues(new Uint32Array(3));
  return [...numbers].map((number) => number.toString(36).padStart(7, "0")).join("");
}

/**
 * Messages in the order in which they were put in. With a drawer they are also kept by this browser, over a reload and
 * for as long as the server has not answered.
 * @template Words what a message says
 */
export class Outbox {
  /** @param {string} [drawer] the beginning of the names under which the browser keeps messages */
  constructor(drawer = "") {
    this.window = windowName();
    this.count = 0;
    this.drawer = drawer;
    /** @type {(Words & Sent)[]} */
    this.waiting = [];
    this.memoryOnly = false; // the browser may not keep anything, or is full
  }

  /** The number of the next message or question of this page. */
  next() {
    this.count += 1;
    return this.count;
  }

  /**
   * @param {Words} words
   * @returns {Words & Sent}
   */
  put(words) {
    const number = this.next();
    const message = { id: `k-${this.window}-${number}`, number, time: Date.now(), ...words };
    this.waiting.push(message);
    if (this.drawer) {
      try {
        localStorage.setItem(this.drawer + message.id, JSON.stringify(message));
      } catch { this.memoryOnly = true; } // it is sent all the same
    }
    return message;
  }

  /**
   * The server keeps these: they are not sent again. Returns them.
   * @param {(message: Words & Sent) => boolean} isKept
   */
  settle(isKept) {
    const kept = this.waiting.filter(isKept);
    this.waiting = this.waiting.filter((message) => !isKept(message));
    for (const { id } of kept) {
      try { localStorage.removeItem(this.drawer + id); } catch { /* it kept nothing */ }
    }
    return kept;
  }

  /**
   * Takes up what an earlier page of this browser could not get kept, whoever closed it, in the order of time.
   * @param {(message: Words & Sent) => boolean} isOurs
   */
  adopt(isOurs) {
    for (const name of this.names()) {
      try {
        const message = JSON.parse(localStorage.getItem(name) ?? "");
        if (message.id && isOurs(message)) this.waiting.push(message);
      } catch { localStorage.removeItem(name); }
    }
    this.waiting.sort((one, other) => one.time - other.time || one.number - other.number);
  }

  // None where the browser may keep nothing.
  names() {
    try {
      return Object.keys(localStorage).filter((name) => name.startsWith(this.drawer));
    } catch { return []; }
  }
}
