// The search box: what is typed is sent after a short rest, what was found is listed below, and what holds now stands
// there as chips.

/** @import { Chip, Explorer, ExplorerData, Found } from "./explorer.js" */
import { button, make } from "../../shared/browser/elements.js";

const REST = 180; // milliseconds without a key before a search is sent

export class SearchBox {
  /** @type {ReturnType<typeof setTimeout> | undefined} */ resting;

  /** @param {Explorer} explorer */
  constructor(explorer) {
    this.explorer = explorer;
    const box = this.field = make("div", "gx-search", explorer.root);
    this.input = make("input", "gx-input", box);
    this.input.type = "search";
    this.input.placeholder = "Find a thing by name or id";
    this.input.setAttribute("aria-label", "Find a thing by name or id");
    this.input.maxLength = 200;
    this.list = make("ul", "gx-list", box);
    this.chips = make("div", "gx-chips", box);
    this.input.addEventListener("input", () => {
      clearTimeout(this.resting);
      this.resting = setTimeout(() => explorer.search(this.input.value), REST);
    });
    this.input.addEventListener("keydown", (event) => this.typed(event));
    this.input.addEventListener("focus", () => this.list.classList.remove("gx-shut"));
    explorer.root.addEventListener("pointerdown", (event) => {
      if (!box.contains(/** @type {Node} */ (event.target))) this.list.classList.add("gx-shut");
    });
  }

  /** @param {KeyboardEvent} event */
  typed(event) {
    const rows = /** @type {HTMLElement[]} */ ([...this.list.querySelectorAll(".gx-choice")]);
    const at = rows.findIndex((row) => row.classList.contains("gx-at"));
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const next = Math.min(Math.max(at + (event.key === "ArrowDown" ? 1 : -1), 0), rows.length - 1);
      rows.forEach((row, place) => row.classList.toggle("gx-at", place === next));
    } else if (event.key === "Enter" && rows.length && this.asked === this.input.value) {
      rows[Math.max(at, 0)].click();
    } else if (event.key === "Escape") {
      this.input.value = "";
      this.explorer.search("");
    }
  }

  close() {
    clearTimeout(this.resting);
  }

  // `asked` are the words that `found` was searched by.
  /** @param {ExplorerData} data */
  show({ asked, found, chips }) {
    this.asked = asked;
    this.list.replaceChildren();
    if (asked && asked === this.input.value) this.drawFound(found);
    this.drawChips(chips);
  }

  /** @param {Found[]} found */
  drawFound(found) {
    for (const thing of found) {
      const row = make("li", "gx-row", this.list);
      const choice = button(row, "gx-choice", "", "Show this thing", () => this.choose("centre", thing.key));
      make("span", "gx-dot", choice).style.background = thing.colour;
      make("span", "gx-name", choice, thing.label);
      make("span", "gx-id", choice, thing.id);
      button(row, "gx-more", "+", "Show this thing too", () => this.choose("add", thing.key));
    }
    if (!found.length) make("li", "gx-none", this.list, "Nothing approved has this name.");
  }

  /** @param {string} kind  @param {string} key */
  choose(kind, key) {
    this.input.value = "";
    this.list.replaceChildren();
    this.explorer.act(kind, { key });
    this.explorer.search("");
  }

  /** @param {Chip[]} chips */
  drawChips(chips) {
    this.chips.replaceChildren();
    for (const chip of chips) {
      const made = make("span", "gx-chip", this.chips, chip.label);
      button(made, "gx-off", "×", `Take out: ${chip.label}`, () => this.explorer.act(chip.kind, { key: chip.key }));
    }
  }
}
