// Values of any type as doubles.
// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { doublesOf } from "./values";

it("doubles are the values of any type, and none where there are none", () => {
  for (const kind of [Uint8Array, Uint16Array, Uint32Array, Float32Array, Float64Array]) {
    expect([...doublesOf(kind.of(3, 1, 2))]).toEqual([3, 1, 2]);
    expect([...doublesOf(kind.of(3, 1, 2), 2)]).toEqual([3, 1]);
    expect([...doublesOf(kind.of(7), 3)]).toEqual([7, NaN, NaN]);
  }
  expect([...doublesOf(Uint32Array.of(2 ** 32 - 1))]).toEqual([2 ** 32 - 1]);
  expect(doublesOf(new Uint8Array(0))).toHaveLength(0);
});
it("doubles of large rasters are right, and those of small ones after them", () => {
  const large = new Uint8Array((1 << 20) + 1).fill(9);
  expect(doublesOf(large).every((v) => v === 9)).toBe(true);
  expect([...doublesOf(Float32Array.of(0.5))]).toEqual([0.5]);
});
