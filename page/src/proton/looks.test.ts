// Windows, levels and colours.
// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { levelColour, levelsOf, settingsOf, usualLimits, usualMap, windowOf } from "./looks";
import { ct, volume } from "./test_volumes";

it("shows a CT in gray about soft tissue and a dose from 0 to its highest value", () => {
  expect(usualLimits(ct())).toEqual({ low: -160, high: 240 });
  expect(usualMap(ct(), false)).toBe("gray");
  expect(usualLimits(volume({ least: 2 }))).toEqual({ low: 0, high: 50 });
  expect(usualLimits(volume({ kind: "other", least: -3, most: 5 }))).toEqual({ low: -3, high: 5 });
  for (const most of [null, 0]) expect(usualLimits(volume({ most }))).toEqual({ low: 0, high: 1 });
});

it("shows what lies over another in colours about 0 where it has both signs", () => {
  const signed = volume({ kind: "other", least: -3, most: 2 });
  expect(usualLimits(signed, true)).toEqual({ low: -3, high: 3 });
  expect(usualMap(signed, true)).toBe("balance");
  expect([usualMap(volume(), true), usualMap(signed, false)]).toEqual(["turbo", "ember"]);
});

it("makes windows of level and width", () => {
  expect(windowOf(40, 400)).toEqual({ low: -160, high: 240 });
  const { low, high } = windowOf(0, -5);
  expect(high).toBeGreaterThan(low);
  expect(settingsOf({ low: 1, high: 2 }, "hot").limits).toEqual({ kind: "absolute", low: 1, high: 2 });
});

it("takes levels as people type them, highest first", () => {
  expect(levelsOf("50, 95;10 50%")).toEqual([95, 50, 10]);
  expect(levelsOf("")).toEqual([]);
  for (const text of ["ten", "0", "-5", "1e9", "1,2,3,4,5,6,7,8,9"])
    expect(levelsOf(text)).toBeNull();
  const most = levelsOf("1,2,3,4,5,6,7,8")!;
  expect(new Set(most.map((_, i) => levelColour(i))).size).toBe(8);
});
