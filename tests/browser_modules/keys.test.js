// Keys act on the page only where nobody types.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { pageKey } from "../../pages/components/shared/browser/keys.js";

class Field {
  constructor(kind) { this.kind = kind; }

  closest(selector) { return selector.split(", ").includes(this.kind) ? this : null; }
}

const press = (key, more = {}) => ({ key, target: new Field("body"), ctrlKey: false, metaKey: false, altKey: false, ...more });

beforeEach(() => {
  globalThis.Element = Field;
  globalThis.document = { querySelector: () => null };
});

test("a letter is small whatever Caps Lock says", () => {
  assert.equal(pageKey(press("A")), "a");
  assert.equal(pageKey(press("Enter")), "Enter");
});

for (const kind of ["input", "textarea", "select", "[contenteditable]", "[role=combobox]", "[role=grid]", "[role=listbox]"]) {
  test(`no key acts while somebody types in ${kind}`, () => {
    assert.equal(pageKey(press("a", { target: new Field(kind) })), "");
  });
}

test("a field may let a key through", () => {
  const escape = (key) => key === "Escape";
  assert.equal(pageKey(press("Escape", { target: new Field("input") }), escape), "Escape");
  assert.equal(pageKey(press("a", { target: new Field("input") }), escape), "");
});

for (const modifier of ["ctrlKey", "metaKey", "altKey", "isComposing"]) {
  test(`no key acts with ${modifier}`, () => assert.equal(pageKey(press("a", { [modifier]: true })), ""));
}

test("no key acts behind a dialog", () => {
  globalThis.document = { querySelector: () => ({}) };
  assert.equal(pageKey(press("a")), "");
});
