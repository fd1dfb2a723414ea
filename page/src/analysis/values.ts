// The values of rasters, as all analyses read them.
// SPDX-License-Identifier: Apache-2.0
import type { Raster } from "../types";

export type Values = Raster["values"];

/** The value of a pixel; NaN outside the raster. */
export function valueAt(raster: Raster, row: number, col: number): number {
  if (row < 0 || col < 0 || row >= raster.rows || col >= raster.cols) return NaN;
  return raster.values[row * raster.cols + col] ?? NaN;
}

/** So many values are converted without a new array each time. */
const KEPT = 1 << 20;
let scratch = new Float64Array(0);

/** The first `count` values as doubles, NaN where there are none; good until the next call. A loop
 *  over one type of array is several times as fast as one that has seen all of them. */
export function doublesOf(values: Values, count = values.length): Float64Array {
  if (values instanceof Float64Array && values.length === count) return values;
  if (scratch.length < count) scratch = new Float64Array(count);
  const out = scratch.subarray(0, count);
  if (count > KEPT) scratch = new Float64Array(0);
  if (values.length < count) out.fill(NaN);
  out.set(values.length > count ? values.subarray(0, count) : values);
  return out;
}
