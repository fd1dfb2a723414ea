// Percentiles, interpolated as NumPy does.
// SPDX-License-Identifier: Apache-2.0
import type { Values } from "./values";

/** Percentiles (each 0 to 100) of the finite values; NaN where there are none. */
export function percentiles(values: Values, wanted: readonly number[]): number[] {
  const sorted = Float64Array.from(values)
    .filter((v) => v - v === 0)
    .sort();
  return wanted.map((percent) => {
    const place = (Math.min(Math.max(percent, 0), 100) / 100) * (sorted.length - 1);
    const low = sorted[Math.floor(place)] ?? NaN;
    const high = sorted[Math.ceil(place)] ?? NaN;
    return low === high ? low : low + (place - Math.floor(place)) * (high - low);
  });
}

/** One percentile. */
export const percentile = (values: Values, percent: number): number =>
  percentiles(values, [percent])[0]!;
