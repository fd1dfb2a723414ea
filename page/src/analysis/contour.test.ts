// Lines of equal value: of a cone they are circles, and they stay between what is above and below.
// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { contour, pathOf } from "./contour";

function cone(rows: number, cols: number): { rows: number; cols: number; values: Float32Array } {
  const values = new Float32Array(rows * cols);
  for (let r = 0; r < rows; ++r)
    for (let c = 0; c < cols; ++c) values[r * cols + c] = Math.hypot(r - 20, c - 25);
  return { rows, cols, values };
}

it("makes a circle of a cone, closed and as long as it is", () => {
  const pieces = contour(cone(41, 51), 12.3);
  let length = 0;
  const ends = new Map<string, number>();
  for (let i = 0; i < pieces.length; i += 4) {
    const [r0, c0, r1, c1] = pieces.slice(i, i + 4) as [number, number, number, number];
    for (const [r, c] of [
      [r0, c0],
      [r1, c1],
    ] as const) {
      expect(Math.hypot(r - 20, c - 25)).toBeCloseTo(12.3, 1);
      const key = `${r.toFixed(4)} ${c.toFixed(4)}`;
      ends.set(key, (ends.get(key) ?? 0) + 1);
    }
    length += Math.hypot(r1 - r0, c1 - c0);
  }
  expect(length).toBeCloseTo(2 * Math.PI * 12.3, 0);
  expect([...ends.values()].every((n) => n === 2)).toBe(true);
});

it("interpolates between pixels", () => {
  const ramp = { rows: 2, cols: 3, values: Float32Array.of(0, 10, 20, 0, 10, 20) };
  expect([...contour(ramp, 12.5)]).toEqual([0, 1.25, 1, 1.25]);
  expect(pathOf(contour(ramp, 12.5))).toBe("M1.250 0.000L1.250 1.000");
});

it("joins saddles by the value in their middle, and each edge once", () => {
  const saddle = (high: number): number[] => [
    ...contour({ rows: 2, cols: 2, values: Float32Array.of(high, 0, 0, high) }, 5),
  ];
  const sorted = (pieces: number[]): string[] =>
    [0, 4].map((i) => [pieces.slice(i, i + 2), pieces.slice(i + 2, i + 4)].sort().join(" "));
  // Middle above the level: the high corners are one, so each line cuts off a low corner.
  expect(sorted(saddle(12)).sort()).toEqual(["0,0.5833333333333334 0.4166666666666667,1", "0.5833333333333334,0 1,0.4166666666666667"].sort());
  expect(saddle(9)).toHaveLength(8);
  expect(sorted(saddle(9)).sort()).not.toEqual(sorted(saddle(12)).sort());
});

it("draws nothing beside what is no number, nor where all is equal", () => {
  expect(contour({ rows: 2, cols: 2, values: Float32Array.of(0, NaN, 9, 9) }, 5)).toEqual([]);
  expect(contour({ rows: 2, cols: 2, values: Float32Array.of(0, Infinity, 9, 9) }, 5)).toEqual([]);
  expect(contour({ rows: 2, cols: 2, values: Float32Array.of(7, 7, 7, 7) }, 7)).toEqual([]);
  expect(contour({ rows: 1, cols: 3, values: Float32Array.of(0, 9, 0) }, 5)).toEqual([]);
});
