// The drawing of the explorer. The server says what stands where; this draws it, moves and zooms it, and says what was
// done: what was clicked, opened, dragged, searched. Labels stay as large as they are however far one zooms, and none
// covers another: the most important come first, the others when there is room. All words are drawn, never made markup.

const FONT = 12;
const WORDS = 11; // pixels of the words on lines
const LINE = 15;
const MARGIN = { left: 64, right: 64, top: 78, bottom: 40 };
const BESIDE = 150; // more room at the sides of a ring, for its labels
const REST = 180; // milliseconds without a key before a search is sent
const BUSY = 8; // one point in so many, of the most important, is covered by no label
const NEAR = 7; // pixels from a line at which it is meant
const places = new Map(); // how each view was last moved and zoomed, for as long as the page is open

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

function make(tag, kind, parent, words) {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  if (words !== undefined) made.textContent = words;
  parent?.append(made);
  return made;
}

function button(parent, kind, words, title, act) {
  const made = make("button", kind, parent, words);
  made.type = "button";
  made.title = title;
  made.setAttribute("aria-label", title);
  made.addEventListener("click", act);
  return made;
}

class Explorer {
  constructor(parent) {
    this.root = make("div", "gx", parent);
    this.canvas = make("canvas", "gx-canvas", this.root);
    this.canvas.tabIndex = 0;
    this.pen = this.canvas.getContext("2d");
    this.hint = make("div", "gx-hint", this.root);
    this.hint.setAttribute("role", "tooltip");
    this.buildSearch();
    this.buildTools();
    this.legend = make("div", "gx-legend", this.root);
    this.legendShut = false;
    this.note = make("div", "gx-note", this.root);
    this.points = [];
    this.lines = [];
    this.shift = { k: 1, x: 0, y: 0 };
    this.watcher = new ResizeObserver(() => this.resize());
    this.watcher.observe(this.root);
    this.listen();
  }

  close() {
    this.watcher.disconnect();
    clearTimeout(this.resting);
    this.root.remove();
  }

  // ------------------------------------------------------------ what is drawn once

  buildSearch() {
    const box = make("div", "gx-search", this.root);
    this.input = make("input", "gx-input", box);
    this.input.type = "search";
    this.input.placeholder = "Find a thing by name or id";
    this.input.setAttribute("aria-label", "Find a thing by name or id");
    this.input.maxLength = 200;
    this.list = make("ul", "gx-list", box);
    this.chips = make("div", "gx-chips", box);
    this.input.addEventListener("input", () => {
      clearTimeout(this.resting);
      this.resting = setTimeout(() => this.search(this.input.value), REST);
    });
    this.input.addEventListener("keydown", (event) => this.typed(event));
    this.input.addEventListener("focus", () => this.list.classList.remove("gx-shut"));
    this.root.addEventListener("pointerdown", (event) => {
      if (!box.contains(event.target)) this.list.classList.add("gx-shut");
    });
  }

  typed(event) {
    const rows = [...this.list.querySelectorAll(".gx-choice")];
    const at = rows.findIndex((row) => row.classList.contains("gx-at"));
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const next = Math.min(Math.max(at + (event.key === "ArrowDown" ? 1 : -1), 0), rows.length - 1);
      rows.forEach((row, place) => row.classList.toggle("gx-at", place === next));
    } else if (event.key === "Enter" && rows.length && this.data.asked === this.input.value) {
      rows[Math.max(at, 0)].click();
    } else if (event.key === "Escape") {
      this.input.value = "";
      this.search("");
    }
  }

  buildTools() {
    const bar = this.tools = make("div", "gx-tools", this.root);
    const middle = () => ({ x: this.canvas.clientWidth / 2, y: this.canvas.clientHeight / 2 });
    button(bar, "gx-tool", "+", "Nearer", () => this.zoom(1.35, middle()));
    button(bar, "gx-tool", "−", "Further away", () => this.zoom(1 / 1.35, middle()));
    button(bar, "gx-tool", "⤢", "Show the whole", () => this.fit());
    button(bar, "gx-tool", "PNG", "Save what is on screen as a picture", () => this.save());
  }

  // ------------------------------------------------------------ what the server says

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
      this.over = null;
      this.hint.style.display = "none";
    }
    this.drawLegend();
    this.drawChips();
    this.drawFound();
    this.note.textContent = data.note;
    this.resize();
  }

  drawFound() {
    this.list.replaceChildren();
    if (!this.data.asked || this.data.asked !== this.input.value) return;
    for (const found of this.data.found) {
      const row = make("li", "gx-row", this.list);
      const choice = button(row, "gx-choice", "", "Show this thing", () => this.choose("centre", found.key));
      make("span", "gx-dot", choice).style.background = found.colour;
      make("span", "gx-name", choice, found.label);
      make("span", "gx-id", choice, found.id);
      button(row, "gx-more", "+", "Show this thing too", () => this.choose("add", found.key));
    }
    if (!this.data.found.length) make("li", "gx-none", this.list, "Nothing approved has this name.");
  }

  choose(kind, key) {
    this.input.value = "";
    this.list.replaceChildren();
    this.act(kind, { key });
    this.search("");
  }

  drawChips() {
    this.chips.replaceChildren();
    for (const chip of this.data.chips) {
      const made = make("span", "gx-chip", this.chips, chip.label);
      button(made, "gx-off", "×", `Take out: ${chip.label}`, () => this.act(chip.kind, { key: chip.key }));
    }
  }

  drawLegend() {
    this.legend.replaceChildren();
    const shut = this.legendShut;
    button(this.legend, "gx-entry gx-fold", shut ? "Legend ▴" : "Legend ▾", shut ? "Show the legend" : "Hide the legend", () => {
      this.legendShut = !shut;
      this.drawLegend();
      this.resize();
    });
    if (shut) return;
    for (const [field, title, rows] of this.data.legend) {
      if (!rows.length) continue;
      const line = make("div", "gx-line", this.legend);
      line.title = title;
      for (const row of rows) {
        const entry = button(line, row.on ? "gx-entry" : "gx-entry gx-away", "",
          `${row.name}: ${row.count.toLocaleString("en")}. Click to ${row.on ? "hide" : "show"}, double-click for this alone`,
          (event) => {
            clearTimeout(this.pressing);
            if (event.detail > 1) this.act("only", { field, name: row.name });
            else this.pressing = setTimeout(() => this.act("toggle", { field, name: row.name }), 230);
          });
        entry.setAttribute("aria-pressed", String(row.on));
        if (row.dashes) entry.append(sample(row.colour, row.dashes));
        else make("span", "gx-dot", entry).style.background = row.colour;
        make("span", "", entry, row.name);
        make("span", "gx-count", entry, row.count.toLocaleString("en"));
      }
    }
  }

  // ------------------------------------------------------------ where things are on screen

  resize() {
    const wide = this.root.clientWidth, high = this.root.clientHeight;
    if (!wide || !high || !this.data) return;
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(wide * ratio);
    this.canvas.height = Math.round(high * ratio);
    this.canvas.style.width = `${wide}px`;
    this.canvas.style.height = `${high}px`;
    const side = this.data.ring ? BESIDE : 0;
    const low = this.legend.offsetHeight + MARGIN.bottom;
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

  at(point) {
    const { k, x, y } = this.shift;
    const own = this.dragged?.key === point.key ? this.dragged : point;
    return {
      x: (this.base.x + own.x * this.base.across) * k + x,
      y: (this.base.y + own.y * this.base.down) * k + y,
    };
  }

  size(point) {
    return Math.max(3, point.size * Math.min(1, Math.max(0.55, this.base.across * this.shift.k * 1.15)));
  }

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

  // ------------------------------------------------------------ drawing

  draw(pen = this.pen, ratio = window.devicePixelRatio || 1) {
    const wide = this.root.clientWidth, high = this.root.clientHeight;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = this.data.paper;
    pen.fillRect(0, 0, wide, high);
    const spots = this.points.map((point) => this.at(point));
    const sizes = this.points.map((point) => this.size(point));
    const near = this.nearby();
    this.ways = this.lines.map((line) => way(line, spots, sizes));
    const faint = Math.min(0.85, Math.max(0.2, 12 / Math.sqrt(this.lines.length || 1))); // a thousand lines are a veil
    this.lines.forEach((line, place) => {
      pen.globalAlpha = near && !near.lines.has(place) ? 0.12 : faint;
      drawLine(pen, this.ways[place], line, line.id !== "" && line.id === this.data.chosen.statement);
    });
    this.points.forEach((point, place) => {
      pen.globalAlpha = near && !near.points.has(place) ? 0.25 : 1;
      this.drawPoint(pen, point, spots[place], sizes[place]);
    });
    pen.globalAlpha = 1;
    const taken = new Taken();
    spots.forEach((spot, place) => taken.add(box(spot.x, spot.y, sizes[place] * 2, sizes[place] * 2), place));
    for (const field of [this.legend, this.note, this.tools, this.chips.parentElement]) {
      if (field.offsetHeight) taken.add(inside(field, this.root), -1);
    }
    this.shownLabels = this.drawLabels(pen, spots, sizes, near, taken, wide, high);
    this.drawWords(pen, near, taken, wide, high);
  }

  nearby() {
    if (!this.over) return null;
    const points = new Set(), lines = new Set();
    this.lines.forEach((line, place) => {
      const meant = this.over.line === place || line.s === this.over.point || line.t === this.over.point;
      if (meant) {
        lines.add(place);
        points.add(line.s).add(line.t);
      }
    });
    if (this.over.point !== undefined) points.add(this.over.point);
    return { points, lines };
  }

  drawPoint(pen, point, spot, size) {
    pen.beginPath();
    if (point.kind === "node") {
      pen.moveTo(spot.x, spot.y - size);
      pen.lineTo(spot.x + size, spot.y);
      pen.lineTo(spot.x, spot.y + size);
      pen.lineTo(spot.x - size, spot.y);
      pen.closePath();
    } else if (point.kind === "value") pen.rect(spot.x - size * 0.8, spot.y - size * 0.8, size * 1.6, size * 1.6);
    else pen.arc(spot.x, spot.y, size, 0, 7);
    pen.fillStyle = point.kind === "value" ? this.data.paper : point.colour;
    pen.fill();
    const chosen = point.key === this.data.chosen.thing;
    pen.lineWidth = chosen ? 4 : point.centre ? 3 : 1;
    pen.strokeStyle = chosen || point.centre ? this.data.ink : point.kind === "value" ? point.colour : this.data.paper;
    pen.stroke();
    const sign = point.folded ? `+${point.folded}` : "";
    if (sign || point.pinned) {
      pen.fillStyle = this.data.ink;
      pen.font = `600 10px ${this.font()}`;
      pen.textAlign = "left";
      pen.textBaseline = "middle";
      pen.fillText(point.pinned ? `⚲${sign}` : sign, spot.x + size + 1, spot.y - size);
    }
  }

  font() {
    return getComputedStyle(this.root).fontFamily;
  }

  drawLabels(pen, spots, sizes, near, taken, wide, high) {
    pen.font = `${FONT}px ${this.font()}`;
    pen.textBaseline = "middle";
    const order = this.points.map((point, place) => place);
    const worth = (place) => {
      const point = this.points[place];
      return (point.key === this.data.chosen.thing ? 1e9 : 0) + (near?.points.has(place) ? 1e8 : 0) +
        (point.centre ? 1e7 : 0) + point.degree;
    };
    order.sort((a, b) => worth(b) - worth(a) || a - b);
    const busy = new Set(order.slice(0, Math.max(12, order.length / BUSY)));
    const labels = new Taken(); // where no place is free, words hide a small point rather than each other
    for (const [room, owner] of taken.all()) if (owner < 0 || busy.has(owner)) labels.add(room, owner);
    let shown = 0;
    for (const place of order) {
      const room = this.label(pen, place, spots, sizes, near, taken, wide, high) ??
        this.label(pen, place, spots, sizes, near, labels, wide, high);
      if (!room) continue;
      taken.add(room, -1);
      labels.add(room, -1);
      shown += 1;
    }
    return shown;
  }

  // Draws the label of a point where it has room, below, beside or above it and wholly in view: that room, or null.
  label(pen, place, spots, sizes, near, taken, wide, high) {
    if (near && !near.points.has(place)) return null;
    const spot = spots[place], point = this.points[place];
    if (spot.x < 0 || spot.y < 0 || spot.x > wide || spot.y > high) return null;
    const words = shortened(pen, point.label, this.points.length > 60 && this.shift.k < 2 ? 130 : 200);
    const across = pen.measureText(words).width, gap = sizes[place];
    const sides = this.data.ring && !point.centre ? ring(spot, this.middle()) : ["below", "right", "left", "above"];
    for (const side of sides) {
      const x = spot.x + (side === "right" ? gap + 4 + across / 2 : side === "left" ? -gap - 4 - across / 2 : 0);
      const y = spot.y + (side === "below" ? gap + LINE / 2 + 1 : side === "above" ? -gap - LINE / 2 - 1 : 0);
      const room = box(x, y, across + 4, LINE - 1);
      if (room[0] < 0 || room[2] > wide || room[1] < 0 || room[3] > high || taken.meets(room, place)) continue;
      halo(pen, words, x, y, this.data.ink, this.data.paper);
      return room;
    }
    return null;
  }

  middle() {
    return { x: this.base.x * this.shift.k + this.shift.x, y: this.base.y * this.shift.k + this.shift.y };
  }

  drawWords(pen, near, taken, wide, high) {
    pen.font = `${WORDS}px ${this.font()}`;
    this.lines.forEach((line, place) => {
      if (near && !near.lines.has(place)) return;
      const run = this.ways[place], words = shortened(pen, line.words, 190);
      const across = pen.measureText(words).width;
      if (run.long < across + 12 && !run.loop) return;
      const { x, y } = run.middle;
      if (x < 0 || y < 0 || x > wide || y > high) return;
      const room = box(x, y, across + 4, LINE - 2);
      if (taken.meets(room, -2)) return;
      taken.add(room, -1);
      halo(pen, words, x, y, line.colour, this.data.paper);
    });
  }

  save() {
    const sheet = document.createElement("canvas"), ratio = 3;
    sheet.width = this.root.clientWidth * ratio;
    sheet.height = this.root.clientHeight * ratio;
    this.draw(sheet.getContext("2d"), ratio);
    this.draw();
    sheet.toBlob((blob) => {
      const link = make("a");
      link.href = URL.createObjectURL(blob);
      link.download = "knowledge-graph.png";
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    });
  }

  // ------------------------------------------------------------ what is done with it

  listen() {
    const canvas = this.canvas;
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY / 400), { x: event.offsetX, y: event.offsetY });
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      const hit = this.hit(event.offsetX, event.offsetY);
      this.from = { x: event.offsetX, y: event.offsetY, shift: this.shift, hit, moved: false };
    });
    canvas.addEventListener("pointermove", (event) => this.pointed(event.offsetX, event.offsetY));
    canvas.addEventListener("pointerup", () => this.released());
    canvas.addEventListener("pointerleave", () => this.pointAt(null));
    canvas.addEventListener("dblclick", (event) => {
      const hit = this.hit(event.offsetX, event.offsetY);
      clearTimeout(this.pressing);
      const point = this.points[hit?.point];
      if (point && point.kind !== "value") this.act(point.kind === "group" ? "open" : "expand", { key: point.key });
    });
    canvas.addEventListener("keydown", (event) => {
      const middle = { x: canvas.clientWidth / 2, y: canvas.clientHeight / 2 };
      const by = { "+": 1.35, "=": 1.35, "-": 1 / 1.35 }[event.key];
      const way = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[event.key];
      if (by) this.zoom(by, middle);
      else if (way) this.move({ ...this.shift, x: this.shift.x + way[0], y: this.shift.y + way[1] });
      else if (event.key === "0") this.fit();
      else if (event.key === "Escape") this.act("leave");
      else return;
      event.preventDefault();
    });
  }

  pointed(x, y) {
    if (!this.from) {
      this.pointAt(this.hit(x, y), x, y);
      return;
    }
    const across = x - this.from.x, down = y - this.from.y;
    if (!this.from.moved && Math.hypot(across, down) < 4) return;
    this.from.moved = true;
    const point = this.points[this.from.hit?.point];
    if (point && point.kind !== "group") {
      const { k } = this.shift;
      this.dragged = {
        key: point.key,
        x: point.x + across / k / this.base.across,
        y: point.y + down / k / this.base.down,
      };
      this.later();
    } else this.move({ ...this.from.shift, x: this.from.shift.x + across, y: this.from.shift.y + down });
  }

  released() {
    const from = this.from;
    this.from = null;
    if (!from) return;
    if (this.dragged) {
      const { key, x, y } = this.dragged, { width, height } = this.data;
      const part = (value, edge) => Math.round(Math.min(Math.max(value / edge + 0.5, 0), 1) * 1000);
      Object.assign(this.points[this.byKey.get(key)], { x, y, pinned: true });
      this.dragged = null;
      this.later();
      this.act("pin", { key, across: part(x, width), down: part(y, height) });
    } else if (!from.moved) this.pressed(from.hit);
  }

  pressed(hit) {
    clearTimeout(this.pressing);
    const tell = () => {
      if (hit?.point !== undefined) {
        const point = this.points[hit.point];
        if (point.kind === "group") this.act("open", { key: point.key });
        else this.act("thing", { key: point.key });
      } else if (hit?.line !== undefined) {
        const line = this.lines[hit.line];
        if (line.id) this.act("statement", { key: line.id });
        else this.act("open", { key: this.points[line.s].key, relation: line.relation, other: this.points[line.t].key });
      } else if (this.data.chosen.thing || this.data.chosen.statement) this.act("leave");
    };
    this.pressing = setTimeout(tell, hit?.point !== undefined ? 230 : 0); // a second click means: expand
  }

  hit(x, y) {
    for (let place = this.points.length - 1; place >= 0; place -= 1) {
      const spot = this.at(this.points[place]);
      if (Math.hypot(spot.x - x, spot.y - y) <= this.size(this.points[place]) + 4) return { point: place };
    }
    let best = null, least = NEAR;
    (this.ways ?? []).forEach((run, place) => {
      const far = distance(run, x, y);
      if (far < least) [best, least] = [{ line: place }, far];
    });
    return best;
  }

  pointAt(hit, x = 0, y = 0) {
    const same = hit?.point === this.over?.point && hit?.line === this.over?.line;
    this.over = hit;
    this.canvas.style.cursor = hit ? "pointer" : "grab";
    if (!same) this.later();
    const point = this.points[hit?.point], line = this.lines[hit?.line];
    this.hint.style.display = point || line ? "block" : "none";
    if (!point && !line) return;
    if (!same) this.hint.replaceChildren(...(point ? this.aboutPoint(point) : this.aboutLine(line)));
    const wide = this.root.clientWidth, high = this.root.clientHeight;
    this.hint.style.left = `${Math.max(4, Math.min(x + 14, wide - this.hint.offsetWidth - 6))}px`;
    this.hint.style.top = `${Math.max(4, Math.min(y + 16, high - this.hint.offsetHeight - 6))}px`;
  }

  aboutPoint(point) {
    return [
      make("b", "", null, point.label),
      make("div", "gx-small", null, [point.id, point.category].filter(Boolean).join(" · ")),
      ...point.notes.map((note) => make("div", "gx-small", null, note)),
      make("div", "gx-small", null, point.kind === "group" ? "Click to open" :
        `${point.degree.toLocaleString("en")} statement${point.degree === 1 ? "" : "s"} · double-click to expand`),
    ];
  }

  aboutLine(line) {
    const ends = [this.points[line.s].label, line.words, this.points[line.t].label];
    const count = `${line.count.toLocaleString("en")} piece${line.count === 1 ? "" : "s"} of evidence`;
    return [make("b", "", null, ends.join(" → ")), make("div", "gx-small", null, line.id ? count : "Click to open")];
  }
}

// ---------------------------------------------------------------- shapes

function way(line, spots, sizes) {
  const start = spots[line.s], end = spots[line.t];
  if (line.s === line.t) {
    const reach = sizes[line.s] + 24 + 14 * line.bend;
    const top = { x: start.x, y: start.y - 2 * reach };
    return {
      loop: true, start: { x: start.x - 5, y: start.y }, by: top, end: { x: start.x + 5, y: start.y - sizes[line.s] },
      middle: { x: start.x, y: start.y - reach - 4 }, long: reach * 2,
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

function short(end, by, gap) {
  const long = Math.hypot(by.x - end.x, by.y - end.y) || 1;
  const share = Math.min(gap / long, 0.45);
  return { x: end.x + (by.x - end.x) * share, y: end.y + (by.y - end.y) * share };
}

function drawLine(pen, run, line, chosen) {
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

function distance(run, x, y) {
  let least = Infinity, last = null;
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

function fromPiece(start, end, x, y) {
  const across = end.x - start.x, down = end.y - start.y, long = across * across + down * down || 1;
  const share = Math.min(Math.max(((x - start.x) * across + (y - start.y) * down) / long, 0), 1);
  return Math.hypot(start.x + across * share - x, start.y + down * share - y);
}

function ring(spot, middle) {
  const across = spot.x - middle.x, down = spot.y - middle.y;
  const side = across > 0 ? "right" : "left";
  return Math.abs(across) > 0.35 * Math.max(Math.abs(down), 1)
    ? [side, "below", "above", "left", "right"] : [down < 0 ? "above" : "below", side, "right", "left"];
}

function shortened(pen, words, most) {
  if (pen.measureText(words).width <= most) return words;
  let low = 0, high = words.length;
  while (low < high) {
    const half = Math.ceil((low + high) / 2);
    if (pen.measureText(`${words.slice(0, half).trimEnd()}…`).width <= most) low = half;
    else high = half - 1;
  }
  return `${words.slice(0, low).trimEnd()}…`;
}

function halo(pen, words, x, y, ink, paper) {
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.lineJoin = "round";
  pen.lineWidth = 3;
  pen.strokeStyle = paper;
  pen.strokeText(words, x, y);
  pen.fillStyle = ink;
  pen.fillText(words, x, y);
}

function sample(colour, dashes) {
  const canvas = make("canvas", "gx-sample");
  canvas.width = 44;
  canvas.height = 12;
  const pen = canvas.getContext("2d");
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

function box(x, y, wide, high) {
  return [x - wide / 2, y - high / 2, x + wide / 2, y + high / 2];
}

function inside(element, root) {
  const own = element.getBoundingClientRect(), all = root.getBoundingClientRect();
  return [own.left - all.left, own.top - all.top, own.right - all.left, own.bottom - all.top];
}

// Boxes that are taken, in squares of 64 pixels. A box with an owner does not stand in that owner's own way.
class Taken {
  constructor() {
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

  * keys([left, top, right, bottom]) {
    for (let x = Math.floor(left / 64); x <= Math.floor(right / 64); x += 1) {
      for (let y = Math.floor(top / 64); y <= Math.floor(bottom / 64); y += 1) yield x * 4096 + y;
    }
  }

  add(room, owner) {
    const entry = [room, owner];
    for (const key of this.keys(room)) {
      if (!this.squares.has(key)) this.squares.set(key, []);
      this.squares.get(key).push(entry);
    }
  }

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
