// What is not yet kept by the server is sent again, and stays in this browser over a reload.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Outbox } from "../../pages/components/shared/browser/outbox.js";

beforeEach(() => {
  const kept = {};
  globalThis.localStorage = new Proxy(kept, {
    get: (store, name) => ({
      getItem: (key) => store[key] ?? null,
      setItem: (key, words) => { store[key] = words; },
      removeItem: (key) => { delete store[key]; },
    })[name],
  });
});

test("messages are numbered in the order in which they were put in", () => {
  const outbox = new Outbox();
  outbox.put({ kind: "approve" });
  assert.equal(outbox.next(), 2); // a question takes a number, too
  outbox.put({ kind: "reject" });
  assert.deepEqual(outbox.waiting.map(({ number, kind }) => [number, kind]), [[1, "approve"], [3, "reject"]]);
});

test("what the server keeps is no longer sent; the rest is", () => {
  const outbox = new Outbox();
  for (const kind of ["a", "x", "s"]) outbox.put({ kind });
  const kept = outbox.settle(({ number }) => number <= 2);
  assert.deepEqual(kept.map(({ kind }) => kind), ["a", "x"]);
  assert.deepEqual(outbox.waiting.map(({ kind }) => kind), ["s"]);
});

test("a page takes up what an earlier one could not get kept, of the same person and in its order", () => {
  const earlier = new Outbox("review mine ");
  earlier.put({ curator: "ada", kind: "a" });
  earlier.put({ curator: "bob", kind: "x" });
  earlier.put({ curator: "ada", kind: "s" });
  const page = new Outbox("review mine ");
  page.adopt(({ curator }) => curator === "ada");
  assert.deepEqual(page.waiting.map(({ kind }) => kind), ["a", "s"]);
  page.settle(() => true);
  const next = new Outbox("review mine ");
  next.adopt(({ curator }) => curator === "ada");
  assert.deepEqual(next.waiting, []);
});

test("another project's messages stay where they are", () => {
  new Outbox("review other ").put({ kind: "a" });
  const page = new Outbox("review mine ");
  page.adopt(() => true);
  assert.deepEqual(page.waiting, []);
});

test("what the browser holds and is no message is thrown away", () => {
  localStorage.setItem("review mine 1", "{ not JSON");
  const page = new Outbox("review mine ");
  page.adopt(() => true);
  assert.deepEqual(page.waiting, []);
  assert.equal(localStorage.getItem("review mine 1"), null);
});

test("a browser that may keep nothing still sends, and says so", () => {
  globalThis.localStorage = { setItem() { throw new Error("full"); }, removeItem() { throw new Error("not allowed"); } };
  const outbox = new Outbox("review mine ");
  outbox.put({ kind: "a" });
  assert.equal(outbox.memoryOnly, true);
  assert.equal(outbox.settle(() => true).length, 1);
});

test("no two pages have one name", () => {
  assert.notEqual(new Outbox().window, new Outbox().window);
});
