// The Fourier transform of an image: magnitudes about the centre.
// SPDX-License-Identifier: Apache-2.0
import type { Raster } from "../types";

/** Smallest power of two that is not less than n. */
export const powerOfTwo = (n: number): number => 2 ** Math.ceil(Math.log2(Math.max(n, 1)));

/** Transforms of one length n, a power of two. */
class Plan {
  private readonly cos: Float64Array;
  private readonly sin: Float64Array;
  private readonly swaps: Uint32Array;

  constructor(readonly n: number) {
    const half = Math.max(n / 2, 1);
    this.cos = Float64Array.from({ length: half }, (_, k) => Math.cos((2 * Math.PI * k) / n));
    this.sin = Float64Array.from({ length: half }, (_, k) => -Math.sin((2 * Math.PI * k) / n));
    const bits = Math.log2(n);
    this.swaps = Uint32Array.from({ length: n }, (_, i) => {
      let reversed = 0;
      for (let b = 0; b < bits; ++b) reversed |= ((i >> b) & 1) << (bits - 1 - b);
      return reversed;
    });
  }

  /** In place, forwards, not divided by n. */
  run(re: Float64Array, im: Float64Array): void {
    this.permute(re, im);
    for (let size = 2; size <= this.n; size *= 2) this.stage(re, im, size);
  }

  private permute(re: Float64Array, im: Float64Array): void {
    for (let i = 0; i < this.n; ++i) {
      const j = this.swaps[i]!;
      if (j <= i) continue;
      [re[i], re[j]] = [re[j]!, re[i]!];
      [im[i], im[j]] = [im[j]!, im[i]!];
    }
  }

  private stage(re: Float64Array, im: Float64Array, size: number): void {
    const { n, cos, sin } = this;
    const half = size / 2;
    const step = n / size;
    for (let start = 0; start < n; start += size)
      for (let k = 0; k < half; ++k) {
        const [wr, wi] = [cos[k * step]!, sin[k * step]!];
        const a = start + k;
        const b = a + half;
        const tr = re[b]! * wr - im[b]! * wi;
        const ti = re[b]! * wi + im[b]! * wr;
        re[b] = re[a]! - tr;
        im[b] = im[a]! - ti;
        re[a]! += tr;
        im[a]! += ti;
      }
  }
}

const plans = new Map<number, Plan>();

function planOf(n: number): Plan {
  const plan = plans.get(n) ?? new Plan(n);
  plans.set(n, plan);
  return plan;
}

/** In-place transform of a line whose length is a power of two. */
export function transform(re: Float64Array, im: Float64Array): void {
  planOf(re.length).run(re, im);
}

/** Periodic Hann window of n samples; 1 for a line of one. */
export function hann(n: number): Float64Array {
  if (n === 1) return Float64Array.of(1);
  return Float64Array.from({ length: n }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / n));
}

interface Complex {
  rows: number;
  cols: number;
  re: Float64Array;
  im: Float64Array;
}

const LONGEST = 4096;

/** Powers of two that hold the image: the same for both axes, so that a frequency is as long in
 *  either direction; each its own where that would be too large, or where there is one line only. */
export function paddedSize(rows: number, cols: number): { rows: number; cols: number } {
  const [down, across] = [powerOfTwo(rows), powerOfTwo(cols)];
  const longer = Math.max(down, across);
  const square = Math.min(rows, cols) > 1 && longer <= LONGEST;
  return square ? { rows: longer, cols: longer } : { rows: down, cols: across };
}

/** The image less its mean, under the window, in the corner of a field of powers of two. */
function prepare({ rows, cols, values }: Raster, window: boolean): Complex {
  let [sum, count] = [0, 0];
  for (let i = 0; i < values.length; ++i) {
    const v = values[i]!;
    if (v - v !== 0) continue;
    sum += v;
    ++count;
  }
  const mean = count ? sum / count : 0;
  const [down, across] = [window ? hann(rows) : null, window ? hann(cols) : null];
  const out = paddedSize(rows, cols);
  const re = new Float64Array(out.rows * out.cols);
  for (let row = 0; row < rows; ++row)
    for (let col = 0; col < cols; ++col) {
      const v = values[row * cols + col]! - mean;
      // A missing value counts as the mean.
      if (v - v !== 0) continue;
      re[row * out.cols + col] = down && across ? v * down[row]! * across[col]! : v;
    }
  return { ...out, re, im: new Float64Array(re.length) };
}

function alongRows({ rows, cols, re, im }: Complex, used: number): void {
  const plan = planOf(cols);
  for (let row = 0; row < Math.min(rows, used); ++row) {
    const from = row * cols;
    plan.run(re.subarray(from, from + cols), im.subarray(from, from + cols));
  }
}

function alongColumns({ rows, cols, re, im }: Complex): void {
  const plan = planOf(rows);
  const [a, b] = [new Float64Array(rows), new Float64Array(rows)];
  // The input is real: column -k is the mirrored conjugate of column k.
  for (let col = 0; col <= cols / 2; ++col) {
    for (let row = 0; row < rows; ++row) {
      a[row] = re[row * cols + col]!;
      b[row] = im[row * cols + col]!;
    }
    plan.run(a, b);
    for (let row = 0; row < rows; ++row) {
      re[row * cols + col] = a[row]!;
      im[row * cols + col] = b[row]!;
    }
  }
}

/**
 * Magnitudes of the transform of an image less its mean; frequency 0 is at (rows/2, cols/2) of the
 * result, whose sides are those of `paddedSize`.
 */
export function fftMagnitude(image: Raster, options = { window: true }): Raster {
  if (image.rows < 1 || image.cols < 1) return { rows: 0, cols: 0, values: new Float32Array(0) };
  const field = prepare(image, options.window);
  const { rows, cols, re, im } = field;
  alongRows(field, image.rows);
  alongColumns(field);
  const values = new Float32Array(rows * cols);
  for (let row = 0; row < rows; ++row)
    for (let col = 0; col <= cols / 2; ++col) {
      const i = row * cols + col;
      const magnitude = Math.sqrt(re[i]! * re[i]! + im[i]! * im[i]!);
      const [y, x] = [(row + rows / 2) % rows | 0, (col + cols / 2) % cols | 0];
      values[y * cols + x] = magnitude;
      const [my, mx] = [(rows - row + rows / 2) % rows | 0, (cols - col + cols / 2) % cols | 0];
      values[my * cols + mx] = magnitude;
    }
  return { rows, cols, values };
}
