// What was used last stays.
// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { Recent } from "./recent";

const sizes = (most: number, mayGo?: (name: string) => boolean): Recent<number> =>
  new Recent<number>(most, (size) => size, mayGo);

it("forgets what was used least recently when it is full", () => {
  const kept = sizes(1000);
  kept.put("a", 400);
  kept.put("b", 400);
  expect(kept.get("a")).toBe(400);
  kept.put("c", 400);
  expect(["a", "b", "c"].map((name) => kept.has(name))).toEqual([true, false, true]);
});

it("does not take a look for a use", () => {
  const kept = sizes(1000);
  kept.put("a", 400);
  kept.put("b", 400);
  expect(kept.peek("a")).toBe(400);
  kept.put("c", 400);
  expect(["a", "b", "c"].map((name) => kept.has(name))).toEqual([false, true, true]);
});

it("keeps the newest even when it is larger than all", () => {
  const kept = sizes(10);
  kept.put("a", 400);
  kept.put("b", 800);
  expect([kept.has("a"), kept.has("b"), kept.size]).toEqual([false, true, 1]);
});

it("counts what is put again once, and nothing after it is cleared", () => {
  const kept = sizes(1000);
  for (let time = 0; time < 5; time++) kept.put("a", 600);
  kept.put("b", 400);
  expect(kept.size).toBe(2);
  kept.clear();
  kept.put("c", 600);
  kept.put("d", 400);
  expect(kept.size).toBe(2);
});

it("keeps what may not go, and lets it go when it may", () => {
  let held = "a";
  const kept = sizes(500, (name) => name !== held);
  kept.put("a", 400);
  kept.put("b", 400);
  kept.put("c", 400);
  expect(["a", "b", "c"].map((name) => kept.has(name))).toEqual([true, false, false]);
  held = "";
  kept.put("d", 400);
  expect([kept.has("a"), kept.has("d")]).toEqual([false, true]);
});
