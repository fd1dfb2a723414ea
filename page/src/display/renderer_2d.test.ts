// Values to colours.
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { DisplaySettings, Raster } from "../types";
import { mapTable, NO_DATA, wheelTable } from "./colormaps";
import { chosenKind } from "./renderer";
import { toRgba } from "./renderer_2d";
import { needsDouble } from "./renderer_gl";
import { placeOf, scaled, unscaled, valueAt } from "./tone";

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
/** The red of each pixel; with the gray map its place in the table. */
const reds = (values: number[], change: Partial<DisplaySettings>, low: number, high: number) => {
  const rgba = toRgba(row(Float64Array.from(values)), settings(change), { low, high });
  return values.map((_, i) => rgba[4 * i]);
};

describe("toRgba", () => {
  it("spans the map between the limits and stops there", () => {
    expect(reds([-1, 0, 5, 10, 99, Infinity, -Infinity], {}, 0, 10)).toEqual([
      0, 0, 128, 255, 255, 255, 0,
    ]);
    expect(reds([0, 10], { invert: true }, 0, 10)).toEqual([255, 0]);
  });
  it("scales by logarithm and by power, with the sign", () => {
    expect(reds([0, 9, 99], { scale: "log" }, 0, 99)).toEqual([0, 128, 255]);
    expect(reds([-99, 0, 99], { scale: "log" }, -99, 99)).toEqual([0, 128, 255]);
    expect(reds([0, 25, 100], { scale: "power" }, 0, 100)).toEqual([0, 128, 255]);
    expect(reds([-100, -25, 100], { scale: "power" }, -100, 100)).toEqual([0, 64, 255]);
    expect(reds([0, 51, 100], { scale: "power", power: NaN }, 0, 100)).toEqual([0, 130, 255]);
  });
  it("shows small differences of large numbers", () => {
    expect(reds([1e9, 1e9 + 5, 1e9 + 10], {}, 1e9, 1e9 + 10)).toEqual([0, 128, 255]);
  });
  it("has a colour for no number, also for values that are missing", () => {
    const rgba = toRgba({ rows: 1, cols: 3, values: Float32Array.of(NaN, 1) }, settings());
    expect([...rgba.slice(0, 4)]).toEqual([...NO_DATA, 255]);
    expect([...rgba.slice(8, 12)]).toEqual([...NO_DATA, 255]);
  });
  it("takes any kind of values, and none", () => {
    for (const kind of [Uint8Array, Uint16Array, Uint32Array, Float32Array, Float64Array]) {
      const rgba = toRgba(row(kind.of(0, 1, 2)), settings());
      expect([rgba[0], rgba[4], rgba[8]]).toEqual([0, 128, 255]);
    }
    expect(toRgba({ rows: 0, cols: 0, values: new Uint8Array(0) }, settings())).toHaveLength(0);
  });
  it("draws equal or overflowing limits as a step", () => {
    expect(reds([1, 2, 3], {}, 2, 2)).toEqual([0, 255, 255]);
    expect(reds([-1e308, 0, 1e308], {}, -1.7e308, 1.7e308)).toEqual([0, 0, 0]);
  });
  it("uses an unknown map as gray", () => {
    expect(reds([5], { map: "__proto__" }, 0, 10)).toEqual([128]);
  });
});

describe("vector fields", () => {
  const one = (down: number, right: number, change: Partial<DisplaySettings> = {}): number[] => [
    ...toRgba(
      { rows: 1, cols: 1, down: Float32Array.of(down), right: Float32Array.of(right) },
      settings(change),
      { low: 0, high: 1 },
    ),
  ];
  const table = (hue: number, step: number): number[] => {
    const at = 4 * (step * 256 + hue);
    return [...wheelTable().slice(at, at + 4)];
  };
  it("have the direction as hue, from right by up, and the length as brightness", () => {
    expect(one(0, 1)).toEqual(table(0, 63));
    expect(one(-1, 0)).toEqual(table(64, 63));
    expect(one(0, -1)).toEqual(table(128, 63));
    expect(one(5, 0)).toEqual(table(192, 63));
    expect(one(0, 0)).toEqual(table(0, 0));
    expect(one(0, 0, { invert: true })).toEqual(table(0, 63));
  });
  it("have holes", () => {
    expect(one(NaN, 1)).toEqual([...NO_DATA, 255]);
    expect(one(Infinity, 1)).toEqual([...NO_DATA, 255]);
  });
});

describe("tone", () => {
  it("goes back and forth", () => {
    for (const scale of ["linear", "log", "power"] as const)
      for (const x of [-40, -0.1, 0, 1e-6, 3, 1e5]) {
        const s = settings({ scale });
        expect(unscaled(scaled(x, s), s)).toBeCloseTo(x, 6);
        const limits = { low: -50, high: 2e5 };
        expect(valueAt(placeOf(x, s, limits), s, limits)).toBeCloseTo(x, 4);
      }
  });
});

describe("the choice of a painter", () => {
  it("follows the address and refuses what is unknown", () => {
    expect(chosenKind("?renderer=2d&x")).toBe("2d");
    expect(chosenKind("?renderer=webgl2")).toBe("webgl2");
    expect(chosenKind("?renderer=vulkan")).toBe("auto");
    expect(chosenKind("")).toBe("auto");
  });
  it("leaves to the processor what float32 would round", () => {
    const counts = row(Uint32Array.of(4e9, 4e9 + 9));
    expect(needsDouble(counts, { low: 4e9, high: 4e9 + 9 })).toBe(true);
    expect(needsDouble(counts, { low: 0, high: 4e9 })).toBe(false);
    expect(needsDouble(row(new Float32Array(2)), { low: 4e9, high: 4e9 + 9 })).toBe(false);
  });
});

it("tables are opaque and whole", () => {
  for (let i = 0; i < 256; ++i) expect(mapTable("ember")[4 * i + 3]).toBe(255);
});
