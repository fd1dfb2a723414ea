// Paths over a scan.
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { drawnPath, linePoints, pathLength, rasterPath, reversePath } from "./path";

describe("rasterPath", () => {
  it("visits every step-th row and column", () => {
    expect(rasterPath([3, 3], { step: 2, bidirectional: false })).toEqual([
      [0, 0],
      [0, 2],
      [2, 0],
      [2, 2],
    ]);
    expect(rasterPath([2, 3], { step: 1, bidirectional: true })).toEqual([
      [0, 0],
      [0, 1],
      [0, 2],
      [1, 2],
      [1, 1],
      [1, 0],
    ]);
  });

  it("takes a step that makes no sense as 1", () => {
    for (const step of [0, -3, NaN, 0.5])
      expect(rasterPath([4, 4], { step, bidirectional: false })).toHaveLength(16);
    expect(rasterPath([4, 4], { step: Infinity, bidirectional: false })).toHaveLength(1);
  });

  it("does not overflow the stack on a large scan", () => {
    expect(rasterPath([1024, 1024], { step: 1, bidirectional: true })).toHaveLength(1 << 20);
  });
});

describe("drawnPath", () => {
  it("steps to neighbours only, from end to end", () => {
    const ends = [[7, 3], [-7, 3], [3, -7], [0, 9], [9, 0], [-5, -5], [0, 0]] as const;
    for (const [row, col] of ends) {
      const points = linePoints([0, 0], [row, col]);
      expect(points).toHaveLength(Math.max(Math.abs(row), Math.abs(col)) + 1);
      expect(points[0]).toEqual([0, 0]);
      expect(points.at(-1)!.map((v) => v + 0)).toEqual([row, col]);
      points.slice(1).forEach((p, i) => {
        const q = points[i]!;
        expect(Math.max(Math.abs(p[0] - q[0]), Math.abs(p[1] - q[1]))).toBe(1);
        const off = Math.abs(p[0] * col - p[1] * row) / Math.hypot(row, col);
        expect(off).toBeLessThan(0.75);
      });
    }
  });

  it("gives each scan point once and none outside the scan", () => {
    const points = drawnPath([[0, 0], [0, 5], [5, 5], [5, 0], [0, 0], [-30, 900]], [6, 6]);
    const keys = points.map((p) => `${p[0]},${p[1]}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(points).toHaveLength(20);
    expect(points[1]).toEqual([0, 1]);
  });

  it("passes over what is no number, and has no points for no line", () => {
    expect(drawnPath([[NaN, 1], [1, 1]], [6, 6])).toEqual([[1, 1]]);
    expect(drawnPath([], [6, 6])).toEqual([]);
  });

  it("has a length and a way back", () => {
    expect(pathLength([[0, 0], [3, 4], [3, 5]])).toBe(6);
    expect(pathLength([])).toBe(0);
    expect(reversePath([[0, 0], [3, 4]])).toEqual([[3, 4], [0, 0]]);
  });
});
