// Fields in the address: written, read again, and hostile ones.
// SPDX-License-Identifier: Apache-2.0
import { expect, it, vi } from "vitest";
import { hashText, keepHash, numbersOf, parseHash } from "./hash";

it("reads what it wrote", () => {
  const fields = { base: "a b.mha", at: "1,-2.5,3", none: "" };
  expect(hashText(fields)).toBe("base=a+b.mha&at=1,-2.5,3");
  expect(parseHash(`#${hashText(fields)}`)).toEqual({ base: "a b.mha", at: "1,-2.5,3" });
  expect(parseHash("")).toEqual({});
  expect(parseHash("#%%%&=&x")).toBeTypeOf("object");
});

it("reads lists of numbers, and nothing else", () => {
  expect(numbersOf("1,-2.5,3")).toEqual([1, -2.5, 3]);
  for (const text of [undefined, "", "1,two", "1,Infinity", "NaN"]) expect(numbersOf(text)).toBeNull();
});

it("keeps the token and makes no history", () => {
  vi.useFakeTimers();
  const before = history.length;
  keepHash({ a: "1" });
  keepHash({ a: "2" });
  vi.advanceTimersByTime(300);
  expect(location.hash).toBe("#a=2");
  expect(history.length).toBe(before);
  vi.useRealTimers();
});
