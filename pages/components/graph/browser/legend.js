// What colours and line styles mean; a click hides or shows what an entry stands for, a double click leaves it alone.

/** @import { Explorer, LegendRow } from "./explorer.js" */
import { button, make } from "../../shared/browser/elements.js";

export class Legend {
  /** @param {Explorer} explorer */
  constructor(explorer) {
    this.explorer = explorer;
    this.field = make("div", "gx-legend", explorer.root);
    this.shut = false;
    /** @type {LegendRow[]} */
    this.rows = [];
  }

  /** @param {LegendRow[]} rows */
  show(rows) {
    this.rows = rows;
    this.draw();
  }

  draw() {
    this.field.replaceChildren();
    const { shut } = this;
    button(this.field, "gx-entry gx-fold", shut ? "Legend ▴" : "Legend ▾", shut ? "Show the legend" : "Hide the legend", () => {
      this.shut = !shut;
      this.draw();
      this.explorer.resize();
    });
    if (shut) return;
    for (const [field, title, rows] of this.rows) {
      if (!rows.length) continue;
      const line = make("div", "gx-line", this.field);
      line.title = title;
      for (const row of rows) {
        const entry = button(line, row.on ? "gx-entry" : "gx-entry gx-away", "",
          `${row.name}: ${row.count.toLocaleString("en")}. Click to ${row.on ? "hide" : "show"}, double-click for this alone`,
          (event) => {
            clearTimeout(this.pressing);
            if (event.detail > 1) this.explorer.act("only", { field, name: row.name });
            else this.pressing = setTimeout(() => this.explorer.act("toggle", { field, name: row.name }), 230);
          });
        entry.setAttribute("aria-pressed", String(row.on));
        if (row.dashes) entry.append(sample(row.colour, row.dashes));
        else make("span", "gx-dot", entry).style.background = row.colour;
        make("span", "", entry, row.name);
        make("span", "gx-count", entry, row.count.toLocaleString("en"));
      }
    }
  }
}

/** @param {string} colour  @param {number[]} dashes */
function sample(colour, dashes) {
  const canvas = make("canvas", "gx-sample");
  canvas.width = 44;
  canvas.height = 12;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.scale(2, 2);
  pen.setLineDash(dashes);
  pen.strokeStyle = colour;
  pen.lineWidth = 2;
  pen.beginPath();
  pen.moveTo(0, 3);
  pen.lineTo(22, 3);
  pen.stroke();
  return canvas;
}
