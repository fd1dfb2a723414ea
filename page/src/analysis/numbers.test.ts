// Statistics, percentiles, histograms, vectors and units.
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { binEdge, histogram } from "./histogram";
import { percentile, percentiles } from "./percentile";
import { statistics } from "./statistics";
import * as units from "./units";
import { polar } from "./vector";

describe("statistics", () => {
  it("leaves out what is not finite", () => {
    const s = statistics(Float32Array.of(1, 2, NaN, 3, 4, Infinity, -Infinity));
    expect(s).toMatchObject({ mean: 2.5, min: 1, max: 4, sum: 10, count: 4, notFinite: 3 });
    expect(s.std).toBeCloseTo(Math.sqrt(1.25), 12);
  });

  it("takes the masked part only", () => {
    const s = statistics(Uint16Array.of(1, 100, 3), Uint8Array.of(1, 0, 1));
    expect(s).toMatchObject({ mean: 2, max: 3, count: 2, std: 1 });
  });

  it("keeps digits where values are large and alike", () => {
    const values = Float64Array.from({ length: 1000 }, (_, i) => 1e9 + (i % 2));
    expect(statistics(values).std).toBeCloseTo(0.5, 6);
  });

  it("says NaN of nothing", () => {
    for (const values of [new Float32Array(0), Float32Array.of(NaN)]) {
      const s = statistics(values);
      expect([s.mean, s.min, s.max, s.std]).toEqual([NaN, NaN, NaN, NaN]);
      expect(s.count).toBe(0);
    }
  });
});

describe("percentiles", () => {
  it("interpolates as NumPy does", () => {
    const values = Float32Array.of(4, 1, NaN, 3, 2);
    expect(percentiles(values, [0, 25, 50, 90, 100])).toEqual([1, 1.75, 2.5, 3.7, 4]);
    expect(percentile(values, 200)).toBe(4);
    expect(percentile(values, -5)).toBe(1);
    expect(percentile(Uint8Array.of(7), 33)).toBe(7);
    expect(percentile(new Float32Array(0), 50)).toBeNaN();
  });
});

describe("histogram", () => {
  it("counts every finite value, the largest in the last bin", () => {
    const h = histogram(Float32Array.of(0, 1, 2, 3, 4, NaN, Infinity), 4)!;
    expect([...h.counts]).toEqual([1, 1, 1, 2]);
    expect(h).toMatchObject({ min: 0, max: 4, count: 5 });
    expect([0, 1, 4].map((i) => binEdge(h, i))).toEqual([0, 1, 4]);
  });

  it("has one bar for equal values and none for no values", () => {
    const h = histogram(Uint8Array.of(5, 5))!;
    expect(h.counts).toHaveLength(256);
    expect(h.counts[0]).toBe(2);
    expect(histogram(Float32Array.of(NaN))).toBeNull();
    expect(histogram(new Float64Array(0))).toBeNull();
  });

  it("stands ranges that overflow", () => {
    const h = histogram(Float64Array.of(-1.7e308, 0, 1.7e308), 2)!;
    expect([...h.counts]).toEqual([1, 2]);
    expect(binEdge(h, 1)).toBe(0);
    expect(histogram(Float64Array.of(0, 5e-324), 4)!.count).toBe(2);
  });
});

describe("polar", () => {
  const of = (...v: number[]) => ({ rows: 1, cols: v.length, values: Float64Array.from(v) });

  it("measures angles anticlockwise on the screen", () => {
    const { magnitude, angle } = polar(of(0, -3, 0, 3), of(2, 0, -2, 4))!;
    expect([...magnitude.values]).toEqual([2, 3, 2, 5]);
    const degrees = Array.from(angle.values, (a) => Math.round((a * 180) / Math.PI));
    expect(degrees).toEqual([0, 90, 180, -37]);
  });

  it("keeps NaN, and refuses two sizes", () => {
    expect(polar(of(NaN), of(1))!.magnitude.values[0]).toBeNaN();
    expect(polar(of(1, 2), of(1))).toBeNull();
  });
});

describe("units", () => {
  it("knows the wavelengths of the usual voltages", () => {
    expect(units.wavelength(300)).toBeCloseTo(0.0196875, 6);
    expect(units.wavelength(200)).toBeCloseTo(0.0250793, 6);
    expect(units.wavelength(80)).toBeCloseTo(0.0417572, 6);
    expect(units.wavelength(0)).toBeNaN();
    expect(units.wavelength(-5)).toBeNaN();
  });

  it("turns angles into frequencies and back", () => {
    expect(units.perAngstrom(20, 300)).toBeCloseTo(1.01587, 4);
    expect(units.milliradians(units.perAngstrom(13, 80), 80)).toBeCloseTo(13, 12);
  });

  it("writes lengths and angles briefly", () => {
    expect(units.lengthText(1.25)).toBe("1.25 nm");
    expect(units.lengthText(0.2404)).toBe("240.4 pm");
    expect(units.lengthText(-1500)).toBe("−1.5 µm");
    expect(units.lengthText(0)).toBe("0 nm");
    expect(units.lengthText(999.99)).toBe("1 µm");
    expect(units.lengthText(NaN)).toBe("–");
    expect(units.angleText(21.4)).toBe("21.4 mrad");
    expect(units.angleText(1200)).toBe("1.2 rad");
    expect(units.scanLength(3, 0)).toBe("3 px");
    expect(units.scanLength(3, 0.5)).toBe("1.5 nm");
    expect(units.detectorAngle(10, 0.82)).toBe("8.2 mrad");
    expect(units.detectorAngle(10.04, 0)).toBe("10.04 px");
    expect(units.plain(1e9)).toBe("1.000e+9");
    expect(units.plain(-Infinity)).toBe("−∞");
  });
});
