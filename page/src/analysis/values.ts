// The values of rasters, as all analyses read them.
// SPDX-License-Identifier: Apache-2.0
import type { Raster } from "../types";

export type Values = Raster["values"];

/** The value of a pixel; NaN outside the raster. */
export function valueAt(raster: Raster, row: number, col: number): number {
  if (row < 0 || col < 0 || row >= raster.rows || col >= raster.cols) return NaN;
  return raster.values[row * raster.cols + col] ?? NaN;
}
