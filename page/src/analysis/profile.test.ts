// Profiles along lines.
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { Raster } from "../types";
import { profile, sample } from "./profile";

/** 10 row + col */
const ramp: Raster = {
  rows: 6,
  cols: 8,
  values: Float32Array.from({ length: 48 }, (_, i) => 10 * Math.floor(i / 8) + (i % 8)),
};

describe("sample", () => {
  it("is exact on a plane, and repeats the outer pixels for half a pixel", () => {
    expect(sample(ramp, 2.25, 3.5)).toBeCloseTo(26, 12);
    expect(sample(ramp, 5, 7)).toBe(57);
    expect(sample(ramp, -0.4, 3)).toBe(3);
    expect(sample(ramp, -0.6, 3)).toBeNaN();
    expect(sample(ramp, NaN, 3)).toBeNaN();
  });

  it("passes over missing neighbours", () => {
    const holes: Raster = { rows: 1, cols: 3, values: Float32Array.of(4, NaN, 8) };
    expect(sample(holes, 0, 0.25)).toBe(4);
    expect(sample(holes, 0, 1)).toBeNaN();
    expect(sample(holes, 0, 2)).toBe(8);
  });
});

describe("profile", () => {
  it("has a sample at both ends and at most a pixel between", () => {
    const { distance, values } = profile(ramp, [0, 0], [0, 7]);
    expect([...distance]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect([...values]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    const slanted = profile(ramp, [0, 0], [3, 4.1]);
    expect(slanted.distance).toHaveLength(7);
    expect(slanted.distance.at(-1)).toBeCloseTo(Math.hypot(3, 4.1), 12);
    expect(slanted.values.at(-1)).toBeCloseTo(34.1, 5);
  });

  it("has two samples where both points are the same", () => {
    const { distance, values } = profile(ramp, [2, 3], [2, 3]);
    expect([...distance]).toEqual([0, 0]);
    expect([...values]).toEqual([23, 23]);
  });

  it("averages over its width, across the line", () => {
    const bumps: Raster = { rows: 3, cols: 2, values: Float32Array.of(0, 0, 9, 9, 3, 3) };
    expect([...profile(bumps, [1, 0], [1, 1], 3).values]).toEqual([4, 4]);
    expect([...profile(bumps, [1, 0], [1, 1], 1).values]).toEqual([9, 9]);
    // Off the raster there is nothing to average.
    expect([...profile(bumps, [0, 0], [0, 1], 3).values]).toEqual([4.5, 4.5]);
    expect([...profile(bumps, [1, 0], [1, 1], NaN).values]).toEqual([9, 9]);
  });

  it("is NaN off the raster and empty for points that are no numbers", () => {
    expect(profile(ramp, [0, 6], [0, 9]).values.at(-1)).toBeNaN();
    expect(profile(ramp, [NaN, 0], [0, 9]).values).toHaveLength(0);
  });
});
