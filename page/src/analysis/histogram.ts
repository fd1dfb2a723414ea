// How often values occur.
// SPDX-License-Identifier: Apache-2.0
import type { Values } from "./values";

export interface Histogram {
  /** Edges of the bins: bin i is from min + i * width on; the last includes max. */
  readonly min: number;
  readonly max: number;
  readonly counts: Uint32Array;
  /** Finite values counted. */
  readonly count: number;
}

function rangeOf(values: Values): [number, number] {
  let [min, max] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; ++i) {
    const v = values[i]!;
    if (v - v !== 0) continue;
    if (v < min) min = v;
    if (v > max) max = v;
  }
  return [min, max];
}

/** Over the finite values; all in the first bin where they are equal, null where there are none. */
export function histogram(values: Values, bins = 256): Histogram | null {
  const [min, max] = rangeOf(values);
  if (min > max) return null;
  const counts = new Uint32Array(bins);
  // Halves, because the difference of two finite numbers may not be finite.
  const width = max / 2 - min / 2;
  let count = 0;
  for (let i = 0; i < values.length; ++i) {
    const v = values[i]!;
    if (v - v !== 0) continue;
    const place = width > 0 ? ((v / 2 - min / 2) / width) * bins : 0;
    counts[Math.min(Math.floor(place), bins - 1)]!++;
    ++count;
  }
  return { min, max, counts, count };
}

/** The value at the lower edge of bin `i`; exactly max for i = bins. */
export function binEdge(h: Histogram, i: number): number {
  const t = i / h.counts.length;
  return t === 1 ? h.max : h.min * (1 - t) + h.max * t;
}
