// Labels of the graph stand where there is room.
import assert from "node:assert/strict";
import { test } from "node:test";

import { box, Taken } from "../../pages/components/graph/browser/room.js";
import { distance, shortened, way } from "../../pages/components/graph/browser/shapes.js";

test("a label does not cover another", () => {
  const taken = new Taken();
  taken.add(box(100, 100, 40, 14), "one");
  assert.equal(taken.meets(box(110, 105, 40, 14), "other"), true);
  assert.equal(taken.meets(box(200, 100, 40, 14), "other"), false);
});

test("a point does not stand in the way of its own label", () => {
  const taken = new Taken();
  taken.add(box(100, 100, 40, 14), "one");
  assert.equal(taken.meets(box(110, 105, 40, 14), "one"), false);
});

test("boxes across many squares are met from each of them", () => {
  const taken = new Taken();
  taken.add(box(300, 300, 500, 20), "line");
  for (const x of [60, 300, 540]) assert.equal(taken.meets(box(x, 300, 10, 10), "label"), true);
});

test("words are shortened to the room that they have", () => {
  const pen = { measureText: (words) => ({ width: words.length * 10 }) };
  assert.equal(shortened(pen, "aspirin", 70), "aspirin");
  assert.equal(shortened(pen, "acetylsalicylic acid", 70), "acetyl…");
});

test("a line is as far away as its nearest piece", () => {
  const spots = [{ x: 0, y: 0 }, { x: 100, y: 0 }];
  const run = way({ s: 0, t: 1, bend: 0 }, spots, [0, 0]);
  assert.ok(Math.abs(distance(run, 50, 7) - 7) < 0.01);
});
