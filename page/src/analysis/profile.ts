// Values along a line, averaged over its width.
// SPDX-License-Identifier: Apache-2.0
import type { Point, Raster } from "../types";

export interface Profile {
  /** From the first point, in pixels. */
  readonly distance: Float64Array;
  /** Mean over the width; NaN where no sample is on the raster. */
  readonly values: Float64Array;
}

/** Between pixels, bilinearly, without those that are not finite; NaN off the raster. */
export function sample({ rows, cols, values }: Raster, row: number, col: number): number {
  // Half a pixel beyond the outer centres still belongs to the outer pixels.
  if (!(row >= -0.5 && col >= -0.5 && row <= rows - 0.5 && col <= cols - 0.5)) return NaN;
  const y = Math.min(Math.max(row, 0), rows - 1);
  const x = Math.min(Math.max(col, 0), cols - 1);
  const [top, left] = [Math.floor(y), Math.floor(x)];
  const [ty, tx] = [y - top, x - left];
  let [sum, weight] = [0, 0];
  for (let dr = 0; dr <= 1; ++dr)
    for (let dc = 0; dc <= 1; ++dc) {
      const w = (dr ? ty : 1 - ty) * (dc ? tx : 1 - tx);
      if (w === 0) continue;
      const v = values[(top + dr) * cols + left + dc]!;
      if (v - v !== 0) continue;
      sum += w * v;
      weight += w;
    }
  return weight > 0 ? sum / weight : NaN;
}

/** Samples from `from` to `to`, about one per pixel, each the mean of `width` parallel lines. */
export function profile(raster: Raster, from: Point, to: Point, width = 1): Profile {
  const [dRow, dCol] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dRow, dCol);
  if (!Number.isFinite(length))
    return { distance: new Float64Array(0), values: new Float64Array(0) };
  const n = Math.max(2, Math.ceil(length) + 1);
  const lines = Math.max(1, Math.round(width) || 1);
  const across: Point = length > 0 ? [dCol / length, -dRow / length] : [0, 0];
  const distance = Float64Array.from({ length: n }, (_, i) => (i / (n - 1)) * length);
  const values = Float64Array.from({ length: n }, (_, i) => {
    const t = i / (n - 1);
    const [row, col] = [from[0] + t * dRow, from[1] + t * dCol];
    let [sum, count] = [0, 0];
    for (let k = 0; k < lines; ++k) {
      const off = k - (lines - 1) / 2;
      const v = sample(raster, row + off * across[0], col + off * across[1]);
      if (v - v !== 0) continue;
      sum += v;
      ++count;
    }
    return count > 0 ? sum / count : NaN;
  });
  return { distance, values };
}
