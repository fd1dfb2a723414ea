// The Fourier transform against a naive one, and what is read from it.
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { Raster } from "../types";
import { fftMagnitude, hann, paddedSize, transform } from "./fft";
import { fftSteps } from "./fft_axes";
import { findSpot, spacing } from "./spot";

let seed = 12345;
const random = (): number => (seed = (seed * 16807) % 2147483647) / 2147483647;

/** |sum x exp(-2 pi i (u r / R + v c / C))| of the raster less its mean, zero padded to R x C. */
function naive(image: Raster, window: boolean): number[] {
  const { rows: R, cols: C } = paddedSize(image.rows, image.cols);
  const mean = Array.from(image.values).reduce((a, v) => a + v, 0) / image.values.length;
  const [down, across] = [hann(image.rows), hann(image.cols)];
  const out: number[] = [];
  for (let y = 0; y < R; ++y)
    for (let x = 0; x < C; ++x) {
      let [re, im] = [0, 0];
      for (let r = 0; r < image.rows; ++r)
        for (let c = 0; c < image.cols; ++c) {
          const w = window ? down[r]! * across[c]! : 1;
          const v = (image.values[r * image.cols + c]! - mean) * w;
          const phase = -2 * Math.PI * (((y - R / 2) * r) / R + ((x - C / 2) * c) / C);
          re += v * Math.cos(phase);
          im += v * Math.sin(phase);
        }
      out.push(Math.hypot(re, im));
    }
  return out;
}

const noise = (rows: number, cols: number): Raster => ({
  rows,
  cols,
  values: Float64Array.from({ length: rows * cols }, random),
});

function waves(rows: number, cols: number, down: number, right: number): Raster {
  const values = Float32Array.from({ length: rows * cols }, (_, i) => {
    const [r, c] = [Math.floor(i / cols), i % cols];
    return 5 + Math.cos(2 * Math.PI * (down * r + right * c));
  });
  return { rows, cols, values };
}

describe("fftMagnitude", () => {
  it.each([
    [8, 8],
    [16, 4],
    [5, 12],
    [1, 8],
    [7, 1],
    [2, 2],
  ])("agrees with the definition for %i x %i", (rows, cols) => {
    const image = noise(rows, cols);
    for (const window of [true, false]) {
      const got = fftMagnitude(image, { window });
      const want = naive(image, window);
      expect(got.values).toHaveLength(want.length);
      want.forEach((v, i) => expect(got.values[i]!).toBeCloseTo(v, 5));
    }
  });

  it("treats missing values as the mean and has nothing at frequency 0", () => {
    const image = { rows: 2, cols: 2, values: Float32Array.of(1, NaN, 3, Infinity) };
    const { values } = fftMagnitude(image, { window: false });
    expect(values.every((v) => Number.isFinite(v))).toBe(true);
    expect(values[3]).toBeCloseTo(0, 6);
    expect(fftMagnitude({ rows: 0, cols: 0, values: new Float32Array(0) }).values).toHaveLength(0);
  });

  it("transforms an impulse into ones", () => {
    const [re, im] = [Float64Array.of(1, 0, 0, 0), new Float64Array(4)];
    transform(re, im);
    expect([...re]).toEqual([1, 1, 1, 1]);
    expect([...im].every((v) => Math.abs(v) === 0)).toBe(true);
  });
});

describe("findSpot", () => {
  it("finds the spacing and the direction of a lattice from a click nearby", () => {
    const image = waves(100, 120, 0, 1 / 8);
    const transformed = fftMagnitude(image);
    const spot = findSpot(transformed, [62, 83])!;
    expect(spot.at[0]).toBeCloseTo(64, 1);
    expect(spot.at[1]).toBeCloseTo(80, 1);
    expect(spot.period).toBeCloseTo(8, 1);
    expect(spot.angle).toBeCloseTo(0, 0);
    expect(spacing(spot, 0.02)).toBeCloseTo(0.16, 2);
    expect(spacing(spot, 0)).toBeNull();
  });

  it("has pixels of one size both ways, whatever the image's sides", () => {
    expect(paddedSize(48, 160)).toEqual({ rows: 256, cols: 256 });
    expect(paddedSize(1, 200)).toEqual({ rows: 1, cols: 256 });
    // Too large to be made square: the axes differ, and the read-out counts with both.
    expect(paddedSize(16, 9000)).toEqual({ rows: 16, cols: 16384 });
    // Of 48 x 160 points 0.0125 nm apart: row 42 of the old 64 rows was 12.5 per nm from 0.
    const transformed = fftMagnitude(waves(48, 160, 0.25, 0));
    expect(fftSteps(transformed, 0.0125)).toEqual([0.3125, 0.3125]);
    const spot = findSpot(transformed, [128 + 64, 128])!;
    expect((spot.at[0] - 128) * 0.3125).toBeCloseTo(20, 0);
    expect(fftSteps({ rows: 16, cols: 16384 }, 0.5)).toEqual([0.125, 2 / 16384]);
    expect(fftSteps(transformed, 0)).toEqual([0, 0]);
  });

  it("measures frequencies per axis where the sides differ", () => {
    const spot = findSpot(fftMagnitude(waves(64, 256, -1 / 8, 1 / 16)), [96, 144])!;
    expect(spot.frequency[0]).toBeCloseTo(-1 / 8, 3);
    expect(spot.frequency[1]).toBeCloseTo(1 / 16, 3);
    expect(spot.angle).toBeCloseTo(63.4, 0);
  });

  it("reads fractions of a pixel", () => {
    const spot = findSpot(fftMagnitude(waves(128, 128, 20.3 / 128, 0)), [84, 64])!;
    expect(spot.frequency[0] * 128).toBeCloseTo(20.3, 0);
  });

  it("has no spacing at the centre and no spot off the raster", () => {
    const flat = { rows: 8, cols: 8, values: new Float32Array(64) };
    flat.values[4 * 8 + 4] = 1;
    const spot = findSpot(flat, [4, 4])!;
    expect(spot.period).toBe(Infinity);
    expect(spacing(spot, 1)).toBeNull();
    expect(findSpot(flat, [100, 100])).toBeNull();
    expect(findSpot(flat, [NaN, 0])).toBeNull();
  });
});
