// What is drawn; everything from outside as text

/** @import { Correction, ReviewDesk, Row } from "./review.js" */
import { keyButton, make } from "../../shared/browser/elements.js";
import { ICONS, VERDICTS } from "./verdict.js";

/**
 * A statement with all that is needed to judge it, as the server sends it.
 * @typedef {"subject" | "predicate" | "object"} Role
 * @typedef {{ kind: string, label: string, id: string, category: string, link?: string }} CardThing
 * @typedef {{ subject: CardThing, predicate: { label: string, id: string }, object: CardThing, negated: boolean,
 *   modality: string, qualifiers: { name: string, value: CardThing }[], swappable: boolean }} CardStatement
 * @typedef {{ id: string, parts: [words: string, kind: string, title: string][], warning: string, source: string,
 *   link: string, document: string, judge: boolean, absent: boolean, call: boolean, table: QuotedTable | null }} Passage
 * @typedef {{ caption: string, columns: string[], rows: string[][], stub: number, marked: [row: number, column: number][],
 *   left: number }} QuotedTable the rows around a quote, and the cells that it points to
 * @typedef {{ id: string, label: string, category: string, link: string, why: string, chosen: boolean }} Candidate
 * @typedef {{ role: Role, words: string, candidates: Candidate[] }} Reading
 * @typedef {{ id: string, version: number, state: string, icon: string, label: string, statement: CardStatement,
 *   line: string, warnings: string[], renamed: string[], conflicts: { kind: string, id: string, label: string }[],
 *   passages: Passage[], terms: Reading[], history: { id: string, words: string, again: string }[], node: string,
 *   unsupported: boolean, origin: string, correction: string }} Card
 * @typedef {{ line: HTMLElement, tick: HTMLInputElement, icon: HTMLElement, now?: boolean }} ListLine
 * @typedef {{ desk: ReviewDesk & { card: Card } }} WithCard a view whose desk has a card in view
 */

const MORE = [["alike", "Similar", "L"], ["reference", "Add a reference", ""], ["find", "Find evidence", ""]];

/** @param {Element} parent  @param {string | undefined} address  @param {string} words  @param {string} [kind] */
function linked(parent, address, words, kind = "") {
  if (!/^https?:\/\//.test(address ?? "")) return make("code", `gw-id ${kind}`, parent, words);
  const link = make("a", `gw-link ${kind}`, parent);
  Object.assign(link, { href: address, target: "_blank", rel: "noopener noreferrer" });
  make("code", "gw-id", link, words);
  return link;
}

// The words on a button that `keyButton` made.
/** @param {HTMLButtonElement} button */
function label(button) {
  return /** @type {Node} */ (button.firstChild);
}

/** The table that a quote stands in, with the cells that it points to. @param {Element} parent  @param {QuotedTable} table */
function drawTable(parent, table) {
  const whole = make("table", "gr-table", parent);
  if (table.caption) make("caption", "", whole, table.caption);
  const heads = make("tr", "", make("thead", "", whole));
  for (const name of table.columns) make("th", "", heads, name);
  const body = make("tbody", "", whole);
  table.rows.forEach((cells, row) => {
    const line = make("tr", "", body);
    cells.forEach((words, column) => {
      const isMarked = table.marked.some(([r, c]) => r === row && c === column);
      make(column < table.stub ? "th" : "td", isMarked ? "gr-cell" : "", line, words);
    });
  });
  if (table.left) make("div", "gr-faint", parent, `${table.left} more rows in the text`);
}

export class DeskView {
  /** @type {Record<string, boolean>} whether a fold is open */ folds = {};
  /** @type {((event: Event) => void)[]} what the keys 1 to 9 do in the open panel */ digits = [];
  /** @type {((event: Event) => void) | undefined} */ enter;
  /** @type {ListLine[]} */ lines = [];
  /** @type {Role} which candidates are shown of */ role;

  /** @param {ReviewDesk} desk  @param {Element} root */
  constructor(desk, root) {
    this.desk = desk;
    this.root = make("div", "gr", root);
    const bar = make("div", "gr-bar", this.root);
    this.verdicts = Object.entries(VERDICTS).map(([kind, [name, key, sign]]) => this.button(bar, `${sign} ${name}`, key,
      (event) => (kind === "reject" ? desk.ask("reasons", event) : desk.judge(kind, event))));
    this.verdicts[0].classList.add("gr-first");
    /** @type {[string, string, (event: Event) => void][]} */
    const edits = [["Edit", "E", (event) => desk.open("edit", event)], ["Term", "T", (event) => desk.ask("terms", event)],
      ["Swap", "W", (event) => desk.swap(event)], ["Not", "N", (event) => desk.negate(event)],
      ["Qualifier", "Q", (event) => desk.ask("qualifiers", event)]];
    this.edits = edits.map(([name, key, act]) => this.button(bar, name, key, act, "gr-quiet"));
    this.undoButton = this.button(bar, "↶ Undo", "U", () => desk.undo());
    make("span", "gr-space", bar);
    this.place = make("span", "gr-place", bar);
    this.back = this.button(bar, "↑ Back", "K", () => desk.move(-1), "gr-quiet");
    this.next = this.button(bar, "↓ Next", "J", () => desk.move(1), "gr-quiet");
    const line = make("div", "gr-line", this.root);
    this.note = make("span", "gr-said", line);
    this.note.setAttribute("aria-live", "polite");
    this.status = make("span", "gr-status", line);
    this.status.setAttribute("aria-live", "polite");
    const two = make("div", "gr-two", this.root);
    const main = make("div", "gr-main", two);
    this.panel = make("div", "gr-panel", main);
    this.article = make("article", "gr-card", main);
    this.told = make("div", "gr-told", main);
    const side = make("div", "gr-side", two);
    this.list = make("ol", "gr-list", side);
    const foot = make("div", "gr-foot", side);
    const all = make("label", "gr-all", foot);
    this.all = make("input", "", all);
    this.all.type = "checkbox";
    all.append(" tick all listed");
    this.all.addEventListener("change", () => {
      desk.ticked = new Set(this.all.checked ? desk.rows.filter((row) => !desk.judged.has(row.id)).map((row) => row.id) : []);
      this.draw();
    });
    this.several = this.button(foot, "Decide ticked", "", () => desk.open("several"), "gr-quiet");
  }

  remove() { this.root.remove(); }

  /**
   * @param {Element} parent
   * @param {string} name
   * @param {string} key
   * @param {(event: MouseEvent) => void} act
   * @param {string} [kind]
   */
  button(parent, name, key, act, kind = "") {
    return keyButton(parent, `gr-button ${kind}`, name, key, act);
  }

  // ------------------------------------------------------------ the bar, the list and what became of presses

  draw() {
    const { desk } = this;
    const { data } = desk;
    const empty = !desk.row || desk.ended;
    for (const button of [...this.verdicts, ...this.edits]) button.disabled = data.off || empty;
    this.undoButton.disabled = data.off;
    const draft = !empty && desk.drafts.has(desk.row.id);
    label(this.verdicts[2]).textContent = draft ? "○ Later" : "? Unsure";
    this.back.disabled = !desk.at;
    this.next.disabled = desk.at >= desk.rows.length - 1;
    const pending = desk.unsaved.filter((press) => press.after && !press.evidence).length;
    const left = Math.max(data.total - (data.leaves ? pending : 0), 0);
    this.place.textContent = `${left.toLocaleString("en")} ${data.leaves ? "left" : "here"}`;
    this.drawStatus();
    this.drawTold();
    this.drawList();
  }

  drawStatus() {
    const { desk } = this;
    const many = desk.unsaved.length;
    const refused = desk.told.length; // each has its line, until it is closed
    const words = many ? (desk.troubled ? `⚠ ${many} not saved` : `saving ${many} …`)
      : refused ? `⚠ ${refused} refused` : desk.made.length || desk.savedSomething ? "✓ saved" : "";
    if (this.status.firstChild?.textContent === words) return;
    this.status.replaceChildren();
    this.status.dataset.state = many ? (desk.troubled ? "trouble" : "saving") : refused ? "trouble" : "saved";
    this.status.title = "";
    make("span", "", this.status, words);
    if (many && desk.troubled) {
      this.status.title = desk.data.trouble || (desk.outbox.memoryOnly
        ? "The server has not answered yet; unsaved decisions are sent again. This browser keeps nothing: do not close or reload the page."
        : "The server has not answered yet. Nothing is lost: unsaved decisions are sent again.");
      this.button(this.status, "Try again", "", () => desk.retry(), "gr-quiet");
    }
  }

  drawTold() {
    this.told.replaceChildren();
    for (const one of this.desk.told) {
      const line = make("div", "gr-told-line", this.told);
      make("span", "", line, `⚠ Not saved: ${one.label}. ${one.words}`);
      if (one.id) {
        this.button(line, "Look at it", "", () => {
          this.desk.dismiss(one.press);
          this.desk.wanted = one.id;
          this.desk.cards.delete(one.id);
          this.desk.deliver();
        }, "gr-quiet");
      }
      this.button(line, "Close", "", () => {
        this.desk.dismiss(one.press);
        this.draw();
      }, "gr-quiet");
    }
  }

  // A line is made once for a statement; a key only changes its marks, and rows that the server sends again stay.
  drawList() {
    const { desk, list } = this;
    const stamps = desk.rows.map((row) => [row.id, row.label, row.document, row.taken].join("\n"));
    const stamp = stamps.join("\n");
    if (stamp !== this.stamp) {
      /** @type {string | undefined} */
      this.stamp = stamp;
      /** @type {Map<string, ListLine>} */
      const made = this.made ?? new Map();
      this.lines = desk.rows.map((row, place) => made.get(stamps[place]) ?? this.line(row));
      this.made = new Map(stamps.map((one, place) => [one, this.lines[place]]));
      list.replaceChildren(...this.lines.map((one) => one.line));
      this.scrolled = undefined;
    }
    this.lines.forEach((one, place) => {
      const row = desk.rows[place];
      const state = desk.judged.get(row.id);
      const words = (state ? ICONS[state] : row.icon) + row.flags + (row.taken ? "◌" : "");
      if (one.icon.textContent !== words) one.icon.textContent = words;
      if (one.tick.checked !== desk.ticked.has(row.id)) one.tick.checked = desk.ticked.has(row.id);
      const now = place === desk.at && !desk.ended;
      if (one.now !== now) one.line.classList.toggle("gr-now", one.now = now);
    });
    if (this.scrolled !== desk.at) {
      /** @type {number | undefined} */
      this.scrolled = desk.at;
      requestAnimationFrame(() => this.lines[desk.at]?.line.scrollIntoView({ block: "nearest" }));
    }
    label(this.several).textContent = `Decide ticked (${desk.ticked.size}) …`;
    this.several.disabled = desk.data.off || !desk.ticked.size;
  }

  /** @param {Row} row  @returns {ListLine} */
  line(row) {
    const { desk } = this;
    const line = make("li");
    const tick = make("input", "", line);
    Object.assign(tick, { type: "checkbox", title: "Tick to decide several at once" });
    tick.addEventListener("click", (event) => event.stopPropagation());
    tick.addEventListener("change", () => {
      if (!desk.ticked.delete(row.id)) desk.ticked.add(row.id);
      tick.blur();
      this.draw();
    });
    const icon = make("span", "gr-icon", line);
    make("span", "gr-name", line, row.label);
    line.title = `${row.label}\n${row.document}${row.taken ? "\nanother curator has it in hand" : ""}`;
    line.addEventListener("click", () => desk.go(desk.find(row.id)));
    return { line, tick, icon };
  }

  // ------------------------------------------------------------ the statement in view

  /** @param {boolean} [whole] */
  drawCard(whole = true) {
    const { desk, article } = this;
    const card = this.card = desk.ended ? undefined : desk.card;
    const place = whole ? 0 : article.scrollTop;
    article.replaceChildren();
    requestAnimationFrame(() => { article.scrollTop = place; });
    if (!card) {
      make("p", "gr-empty", article, desk.row && !desk.ended || desk.awaited ? "Loading …" : desk.data.empty);
      return;
    }
    const draft = desk.drafts.get(card.id);
    this.drawStatement(article, card.statement, draft);
    const judged = desk.judged.get(card.id);
    const line = make("div", "gr-state", article);
    make("span", "", line, judged && judged !== "proposed" ? `${ICONS[judged]} ${judged} just now` : card.line);
    if (card.correction) this.button(line, "Open the correction", "", () => this.look(card.correction), "gr-link");
    if (card.origin) this.button(line, "Open what it corrects", "", () => this.look(card.origin), "gr-link");
    if (desk.row?.id === card.id && desk.row.taken) {
      make("div", "gr-warning", article, "◌ Another curator has this statement in hand; of two decisions the first counts.");
    }
    for (const words of card.warnings) make("div", "gr-warning", article, `⚠ ${words}`);
    for (const words of card.renamed) make("div", "gr-state", article, words);
    for (const one of card.conflicts) {
      const conflict = make("div", "gr-warning", article, `⚠ ${one.kind}: ${one.label} `);
      if (one.id !== card.id) this.button(conflict, "Open", "", () => this.look(one.id), "gr-link");
    }
    for (const passage of card.passages) this.drawPassage(article, card, passage);
    this.drawMore(article, card);
    this.drawTerms(article, card);
    this.drawHistory(article, card);
  }

  /** @param {string} id */
  look(id) {
    this.desk.wanted = id;
    this.desk.deliver();
  }

  /** @param {Element} parent  @param {CardStatement} statement  @param {Correction | undefined} draft */
  drawStatement(parent, statement, draft) {
    const line = make("div", draft ? "gr-statement gr-draft" : "gr-statement", parent);
    let [subject, object] = [draft?.terms.subject ?? statement.subject, draft?.terms.object ?? statement.object];
    if (draft?.swap) [subject, object] = [object, subject];
    const predicate = draft?.terms.predicate ?? statement.predicate;
    this.thing(line, subject);
    if (draft?.negated ?? statement.negated) make("span", "gr-not", line, "not");
    if (statement.modality) make("span", "gr-not", line, statement.modality);
    make("span", "gw-predicate", line, predicate.label).title = predicate.id;
    this.thing(line, object);
    statement.qualifiers.forEach((qualifier, n) => {
      const box = make(draft?.dropped.includes(n) ? "s" : "span", "gw-qualifier", line, `${qualifier.name}: `);
      this.thing(box, qualifier.value);
    });
    for (const [name, value] of draft?.added ?? []) make("span", "gw-qualifier", line, `${name}: ${value}`);
    for (const part of [...line.children]) part.after(" "); // where a long statement may go on in the next line
    if (draft) {
      const words = "Corrected here, not stored yet: A approves the correction, S keeps it for review, Esc discards it.";
      make("div", "gr-state", parent, words);
    }
  }

  /** @param {Element} parent  @param {CardThing} thing */
  thing(parent, thing) {
    const name = thing.kind === "value" ? "gw-literal" : `gw-term gw-${thing.category}`;
    make("span", name, parent, thing.label).title = thing.category;
    if (thing.kind === "value") return;
    if (thing.id) linked(parent, thing.link, thing.id);
    else make("span", "gw-none", parent, "no id");
  }

  /** @param {Element} parent  @param {Card} card  @param {Passage} passage */
  drawPassage(parent, card, passage) {
    const { desk } = this;
    const box = make("section", "gr-passage", parent);
    const text = make("div", "gw-text", box);
    for (const [words, kind, title] of passage.parts) {
      if (kind) make("span", kind, text, words).title = title;
      else text.append(words);
    }
    if (passage.table) drawTable(box, passage.table);
    if (passage.warning) make("div", "gr-warning", box, `⚠ ${passage.warning}`);
    const source = make("div", "gr-source", box);
    make("span", "", source, passage.source);
    if (passage.document) linked(source, passage.link, passage.document);
    if (passage.call) this.button(source, "The recorded answer", "", (event) =>
      desk.open("call", event, { evidence: passage.id }), "gr-link");
    if (passage.absent) this.button(source, "Add its text", "", (event) =>
      desk.open("absent", event, { evidence: passage.id }), "gr-link");
    if (passage.judge && !desk.data.off) {
      this.button(source, "Accept this piece", "", (event) =>
        desk.judge("approve", event, { evidence: passage.id }), "gr-link");
      this.button(source, "Reject this piece", "", (event) => {
        desk.ask("reasons", event);
        desk.evidence = passage.id;
      }, "gr-link");
    }
  }

  /** @param {Element} parent  @param {Card} card */
  drawMore(parent, card) {
    const { desk } = this;
    const line = make("div", "gr-more", parent);
    for (const [what, name, key] of MORE) {
      if (what !== "find" || card.unsupported) {
        this.button(line, name, key, (event) => desk.open(what, event), "gr-quiet");
      }
    }
    if (card.node) this.button(line, `Same ${card.node}`, "", (event) => desk.open("together", event), "gr-quiet");
  }

  /** @param {Element} parent  @param {Card} card */
  drawTerms(parent, card) {
    const many = card.terms.reduce((sum, one) => sum + one.candidates.length, 0);
    const body = this.fold(parent, `Candidates (${many})`, "candidates");
    if (!many) {
      make("p", "gr-state", body, "No candidates: its parts are values, parts of this text, or came from a file or a"
        + " database record.");
    }
    for (const reading of card.terms) {
      make("div", "gr-role", body, `${reading.role}: “${reading.words}”`);
      for (const one of reading.candidates) {
        const line = make("div", "gr-candidate", body);
        make("span", "", line, `${one.chosen ? "✓" : " "} ${one.label} `);
        linked(line, one.link, one.id);
        make("span", "gr-faint", line, one.why);
      }
    }
  }

  /** @param {Element} parent  @param {Card} card */
  drawHistory(parent, card) {
    const body = this.fold(parent, `History (${card.history.length})`, "history");
    if (!card.history.length) make("p", "gr-state", body, "No decisions yet.");
    for (const entry of card.history) {
      const line = make("div", "gr-candidate", body);
      make("span", "", line, entry.words);
      if (entry.again && !this.desk.data.off) {
        this.button(line, entry.again, "", () => this.desk.undo(entry.id), "gr-link");
      }
    }
  }

  /** @param {Element} parent  @param {string} name  @param {string} key */
  fold(parent, name, key) {
    const box = make("details", "gr-fold", parent);
    box.open = this.folds[key] ?? key === "candidates";
    make("summary", "", box, name);
    box.addEventListener("toggle", () => { this.folds[key] = box.open; });
    return make("div", "", box);
  }

  // ------------------------------------------------------------ the panels: reasons, terms, qualifiers

  drawPanel() {
    const { desk, panel } = this;
    panel.replaceChildren();
    panel.hidden = !desk.panel || !desk.card;
    this.digits = [];
    this.enter = undefined;
    if (panel.hidden) return;
    if (desk.panel === "reasons") this.drawReasons(panel);
    else if (desk.panel === "terms") this.drawChoices(panel);
    else this.drawQualifiers(panel);
  }

  /** @param {string} key  @param {Event} event */
  panelKey(key, event) {
    if (!this.desk.panel || this.panel.hidden) return false;
    const digit = Number(key);
    if (digit >= 1 && this.digits[digit - 1]) this.digits[digit - 1](event);
    else if (key === "Enter" && this.enter) this.enter(event);
    else if (key === "t" && this.desk.panel === "terms" && this.turnRole) this.turnRole();
    else return false;
    return true;
  }

  /** @param {HTMLElement} panel */
  drawReasons(panel) {
    const { desk } = this;
    const what = desk.evidence ? "this piece of evidence" : "this statement";
    make("div", "gr-caption", panel, `Why is ${what} rejected? Keys 1–9 choose, Enter repeats the last one, X closes.`);
    const line = make("div", "gr-choices", panel);
    const note = make("input", "gr-note-field");
    /** @param {string} reason  @param {Event} event */
    const reject = (reason, event) => {
      const words = note.value.trim();
      if (reason === "other" && !words) {
        desk.say("The reason “other” needs a note that says what it is.");
        note.focus();
        return;
      }
      if (reason !== "other") desk.lastReason = reason;
      desk.judge("reject", event, { reason, note: words, evidence: desk.evidence });
    };
    desk.data.reasons.forEach((reason, n) => {
      this.button(line, reason, n < 9 ? String(n + 1) : "", (event) => reject(reason, event), "gr-choice");
      if (n < 9) this.digits.push((event) => reject(reason, event));
    });
    if (desk.lastReason) {
      this.button(line, `Again: ${desk.lastReason}`, "Enter", (event) => reject(desk.lastReason, event), "gr-choice gr-first");
      this.enter = (event) => reject(desk.lastReason, event);
    }
    Object.assign(note, { maxLength: 500, placeholder: "Note (required for “other”)" });
    panel.append(note);
  }

  /** @param {HTMLElement} panel */
  drawChoices(panel) {
    const { desk } = /** @type {WithCard} */ (this);
    /** @type {Role[]} */
    const roles = ["subject", "predicate", "object"];
    const offered = roles.filter((role) => desk.card.terms.some((one) => one.role === role && one.candidates.length));
    if (!offered.length) {
      make("div", "gr-caption", panel, "No candidates are known for its terms. Press E to search in the form.");
      this.turnRole = undefined;
      return;
    }
    this.role = offered.includes(this.role) ? this.role : offered[0];
    this.turnRole = () => {
      this.role = offered[(offered.indexOf(this.role) + 1) % offered.length];
      this.drawPanel();
    };
    const reading = /** @type {Reading} */ (desk.card.terms.find((one) => one.role === this.role));
    const other = offered.length > 1 ? " T turns to the next term." : "";
    make("div", "gr-caption", panel, `Which term is the ${this.role} “${reading.words}”? Keys 1–9 choose.${other}`);
    const line = make("div", "gr-choices", panel);
    reading.candidates.forEach((one, n) => {
      /** @param {Event} event */
      const choose = (event) => {
        const now = desk.card.statement[this.role].id;
        desk.panel = "";
        this.drawPanel();
        desk.change(event, (draft) => {
          if (one.id === now) delete draft.terms[this.role];
          else draft.terms[this.role] = { kind: "term", ...one };
        });
      };
      this.button(line, `${one.label} ${one.id}`, String(n + 1), choose, "gr-choice").title = one.why;
      this.digits.push(choose);
    });
  }

  /** @param {HTMLElement} panel */
  drawQualifiers(panel) {
    const { desk } = /** @type {WithCard} */ (this);
    const draft = desk.drafts.get(desk.card.id);
    make("div", "gr-caption", panel, "Keys 1–9 drop a qualifier or put it back; or add one.");
    const line = make("div", "gr-choices", panel);
    desk.card.statement.qualifiers.forEach((one, n) => {
      /** @param {Event} event */
      const toggle = (event) => {
        desk.change(event, (now) => {
          now.dropped = now.dropped.includes(n) ? now.dropped.filter((at) => at !== n) : [...now.dropped, n];
        });
        this.drawPanel();
      };
      const dropped = draft?.dropped.includes(n);
      this.button(line, `${dropped ? "Put back" : "Drop"} ${one.name}: ${one.value.label}`, String(n + 1), toggle, "gr-choice");
      this.digits.push(toggle);
    });
    const form = make("form", "gr-choices", panel);
    const name = make("input", "gr-note-field gr-short", form);
    const value = make("input", "gr-note-field gr-short", form);
    Object.assign(name, { placeholder: "Name, such as species", maxLength: 100 });
    Object.assign(value, { placeholder: "Value or id, such as human", maxLength: 200 });
    make("button", "gr-button gr-choice", form, "Add").type = "submit";
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      /** @type {[string, string]} */
      const pair = [name.value.trim(), value.value.trim()];
      if (!pair[0] || !pair[1]) return desk.say("A qualifier needs a name and a value.");
      /** @type {HTMLElement | null} */ (document.activeElement)?.blur();
      desk.change(undefined, (now) => { now.added = [...now.added, pair]; });
      desk.panel = "";
      this.drawPanel();
    });
  }
}
