// Limits of hostile and of ordinary images.
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { DisplaySettings, Raster } from "../types";
import { limitsOf, percentiles, rangeOf } from "./limits";
import { placeOf, valueAt } from "./tone";

const settings = (change: Partial<DisplaySettings> = {}): DisplaySettings => ({
  scale: "linear",
  power: 0.5,
  limits: { kind: "percentile", low: 0, high: 100 },
  map: "gray",
  invert: false,
  symmetric: false,
  smooth: false,
  colorBar: false,
  scaleBar: false,
  ...change,
});
const row = (values: Raster["values"]): Raster => ({ rows: 1, cols: values.length, values });

/** By sorting, as NumPy's default. */
function reference(values: Raster["values"], percent: number): number {
  const sorted = Array.from(values)
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  const at = (percent / 100) * (sorted.length - 1);
  const below = sorted[Math.floor(at)]!;
  return below + (at - Math.floor(at)) * (sorted[Math.ceil(at)]! - below);
}

function random(count: number, make: (u: number) => number): Float32Array {
  let seed = 12345;
  return Float32Array.from({ length: count }, () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return make(seed / 2147483648);
  });
}

describe("percentiles", () => {
  const images: [string, Raster["values"]][] = [
    ["even", random(70000, (u) => u)],
    ["heavy tail", random(70000, (u) => (u > 0.9999 ? 1e9 : -Math.log(u + 1e-9)))],
    ["counts", Uint16Array.from(random(70000, (u) => u * u * 9))],
    ["few", Float64Array.of(5, 1, 3)],
    ["holes", random(70000, (u) => (u < 0.3 ? NaN : u > 0.99 ? -Infinity : u))],
    ["few with holes", Float32Array.of(NaN, 4, Infinity, 2)],
    ["huge", Float64Array.from(random(20000, (u) => u - 0.5), (v) => 2 * v * 1.7e308)],
    ["two values far apart", random(20000, (u) => (u < 0.5 ? 1e-30 : 1e30))],
  ];
  for (const [name, values] of images)
    it(`are exact: ${name}`, () => {
      const { low, high } = percentiles(values, 0.5, 99.3)!;
      expect(low).toBeCloseTo(reference(values, 0.5), 9);
      expect(high / reference(values, 99.3)).toBeCloseTo(1, 9);
    });
  it("takes swapped and impossible percents", () => {
    const values = Float32Array.of(1, 2, 3);
    expect(percentiles(values, 100, 0)).toEqual({ low: 1, high: 3 });
    expect(percentiles(values, -5, 700)).toEqual({ low: 1, high: 3 });
    expect(percentiles(values, NaN, 100)).toEqual({ low: 1, high: 3 });
  });
  it("are none where nothing is finite", () => {
    expect(percentiles(Float32Array.of(NaN, Infinity), 0, 100)).toBeNull();
    expect(percentiles(new Uint8Array(0), 0, 100)).toBeNull();
  });
});

describe("limits", () => {
  it("of settings", () => {
    const image = row(Float32Array.of(-3, 0, 1, NaN));
    expect(rangeOf(image.values)).toEqual({ min: -3, max: 1, count: 3 });
    expect(limitsOf(image, settings())).toEqual({ low: -3, high: 1 });
    expect(limitsOf(image, settings({ symmetric: true }))).toEqual({ low: -3, high: 3 });
    const absolute = { kind: "absolute", low: 7, high: 2 } as const;
    expect(limitsOf(image, settings({ limits: absolute }))).toEqual({ low: 2, high: 7 });
  });
  it("of constant images and of images without a number are apart", () => {
    expect(limitsOf(row(Uint8Array.of(0, 0)), settings())).toEqual({ low: 0, high: 1 });
    expect(limitsOf(row(Uint8Array.of(9, 9)), settings())).toEqual({ low: 0, high: 9 });
    expect(limitsOf(row(Float32Array.of(-2)), settings())).toEqual({ low: -2, high: 0 });
    expect(limitsOf(row(Float32Array.of(NaN)), settings())).toEqual({ low: 0, high: 1 });
    expect(limitsOf(row(Float32Array.of(0)), settings({ symmetric: true }))).toEqual({
      low: -1,
      high: 1,
    });
    const broken = { kind: "absolute", low: NaN, high: 3 } as const;
    expect(limitsOf(row(Uint8Array.of(1)), settings({ limits: broken }))).toEqual({
      low: 0,
      high: 1,
    });
  });
  it("of a vector field begin at 0", () => {
    const field = { rows: 1, cols: 2, down: Float32Array.of(3, 0), right: Float32Array.of(4, 1) };
    expect(limitsOf(field, settings({ symmetric: true }))).toEqual({ low: 0, high: 5 });
  });

  it("begin the logarithmic scale at the small values, whatever their unit", () => {
    const values = Float64Array.from({ length: 1000 }, (_, i) => (i < 900 ? 0.002 : i < 990 ? 0.2 : 5));
    const of = (factor: number) => {
      const picture = { rows: 10, cols: 100, values: values.map((v) => v * factor) };
      return limitsOf(picture, settings({ scale: "log" }));
    };
    expect(of(1).knee).toBeCloseTo(0.002, 12);
    expect(of(4096).knee).toBeCloseTo(0.002 * 4096, 9);
    // A disk of 0.2 of 5 counts is seen: it was within a thirtieth of the scale from its beginning.
    const log = settings({ scale: "log" });
    expect(placeOf(0.2, log, { low: 0, high: 5, knee: 0.002 })).toBeGreaterThan(0.5);
    expect(valueAt(placeOf(0.2, log, of(1)), log, of(1))).toBeCloseTo(0.2, 9);
  });
});
