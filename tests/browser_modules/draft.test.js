// A statement that is not saved comes back after a reload, whole or not at all.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Draft } from "../../pages/components/documents/browser/draft.js";

const END = { id: "MESH:D001241", label: "aspirin", category: "chemical", start: 0, end: 7 };
const LEFT = {
  subject: END, object: { ...END, start: 15, end: 22 }, quotes: [[0, 30]], qualifiers: [{ name: "dose", value: "5 mg" }],
  predicate: "treats", negated: false, modality: "asserted", approve: false,
};

function desk() {
  return {
    data: { kinds: ["chemical", "disease"], modalities: ["asserted", "hypothesis"], sentences: [[0, 30]], off: false },
    units: { length: 31 }, chosen: {}, evidence: [], qualifiers: [], said: "", outbox: { waiting: [] },
    predicate: { value: "" }, negated: { checked: false }, modality: { value: "" }, approve: { checked: false },
    clear() { this.chosen = {}; },
    say(words) { this.said = words; },
  };
}

let kept;
beforeEach(() => {
  kept = {};
  globalThis.sessionStorage = {
    getItem: (name) => kept[name] ?? null,
    setItem: (name, words) => { kept[name] = words; },
    removeItem: (name) => { delete kept[name]; },
  };
});

function opened(left) {
  kept.mine = JSON.stringify(left);
  const form = desk();
  new Draft(form).open("mine");
  return form;
}

test("what was begun is there again", () => {
  const form = opened(LEFT);
  assert.equal(form.chosen.subject.label, "aspirin");
  assert.equal(form.predicate.value, "treats");
  assert.deepEqual(form.evidence, [[0, 30]]);
  assert.equal(form.said, "This statement is not saved yet.");
});

const WRONG = {
  "a place outside the text": { subject: { ...END, end: 99 } },
  "a quote that is no sentence of it": { quotes: [[0, 12]] },
  "a kind that nobody offers": { subject: { ...END, category: "planet" } },
  "a name without end": { predicate: "x".repeat(2001) },
  "a modality of its own": { modality: "rumour" },
};
for (const [name, change] of Object.entries(WRONG)) {
  test(`nothing is taken up with ${name}`, () => {
    const form = opened({ ...LEFT, ...change });
    assert.deepEqual(form.chosen, {});
    assert.equal(form.said, "");
  });
}

test("another text has a form of its own", () => {
  kept.mine = JSON.stringify(LEFT);
  const form = desk();
  new Draft(form).open("another");
  assert.deepEqual(form.chosen, {});
});
