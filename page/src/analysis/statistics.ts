// Mean, deviation and extremes of a raster, or of a part of it.
// SPDX-License-Identifier: Apache-2.0
import type { Values } from "./values";

export interface Statistics {
  /** Of all values that took part; NaN where there are none, as are the four below. */
  readonly mean: number;
  readonly min: number;
  readonly max: number;
  /** Of the population: divided by the count. */
  readonly std: number;
  readonly sum: number;
  /** Finite values. */
  readonly count: number;
  /** Values that are NaN or infinite. */
  readonly notFinite: number;
}

/** Over finite values, where `mask` is not 0. */
export function statistics(values: Values, mask?: Uint8Array): Statistics {
  let [count, notFinite, sum, min, max] = [0, 0, 0, Infinity, -Infinity];
  for (let i = 0; i < values.length; ++i) {
    if (mask && !mask[i]) continue;
    const v = values[i]!;
    if (v - v !== 0) {
      ++notFinite;
      continue;
    }
    ++count;
    sum += v;
    if (v < min) min = v;
    if (v > max) max = v;
  }
  if (count === 0)
    return { mean: NaN, min: NaN, max: NaN, std: NaN, sum: 0, count, notFinite };
  const mean = sum / count;
  // About the mean in a second pass: large values with small differences keep their digits.
  let squares = 0;
  for (let i = 0; i < values.length; ++i) {
    if (mask && !mask[i]) continue;
    const d = values[i]! - mean;
    if (d - d === 0) squares += d * d;
  }
  return { mean, min, max, std: Math.sqrt(squares / count), sum, count, notFinite };
}
