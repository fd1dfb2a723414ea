// A spot in the Fourier transform: where it is, and the spacing in the image that makes it.
// SPDX-License-Identifier: Apache-2.0
import type { Point, Raster } from "../types";
import { valueAt } from "./values";

export interface Spot {
  /** Of the spot in the transform, to a fraction of a pixel. */
  readonly at: Point;
  /** From frequency 0, in cycles per image pixel: down, right. */
  readonly frequency: Point;
  /** Spacing of the lattice lines in image pixels; Infinity at the centre. */
  readonly period: number;
  /** Of the frequency in the image, anticlockwise from the columns' axis as seen, -180 to 180 degrees. */
  readonly angle: number;
  readonly magnitude: number;
}

/** Distance in pixels within which a click finds the brightest pixel. */
export const snapRadius = 5;

function brightest(raster: Raster, [row, col]: Point, radius: number): Point | null {
  let best: Point | null = null;
  let most = -Infinity;
  for (let r = Math.ceil(row - radius); r <= row + radius; ++r)
    for (let c = Math.ceil(col - radius); c <= col + radius; ++c) {
      if (Math.hypot(r - row, c - col) > radius) continue;
      const v = valueAt(raster, r, c);
      if (v > most) [best, most] = [[r, c], v];
    }
  return best;
}

/** Centre of mass of the 3 x 3 pixels about one. */
function centroid(raster: Raster, [row, col]: Point): Point {
  let [sum, down, right] = [0, 0, 0];
  for (let dr = -1; dr <= 1; ++dr)
    for (let dc = -1; dc <= 1; ++dc) {
      const v = valueAt(raster, row + dr, col + dc);
      if (!(v > 0) || v === Infinity) continue;
      sum += v;
      down += v * dr;
      right += v * dc;
    }
  return sum > 0 ? [row + down / sum, col + right / sum] : [row, col];
}

/** The spot that a click on a transform means; null where there is no pixel. */
export function findSpot(transform: Raster, click: Point, radius = snapRadius): Spot | null {
  const peak = brightest(transform, click, radius);
  if (!peak) return null;
  const at = centroid(transform, peak);
  const frequency: Point = [
    (at[0] - Math.floor(transform.rows / 2)) / transform.rows,
    (at[1] - Math.floor(transform.cols / 2)) / transform.cols,
  ];
  const length = Math.hypot(...frequency);
  return {
    at,
    frequency,
    period: length > 0 ? 1 / length : Infinity,
    angle: (Math.atan2(-frequency[0], frequency[1]) * 180) / Math.PI + 0,
    magnitude: valueAt(transform, peak[0], peak[1]),
  };
}

/** d-spacing in nm for image pixels of `pixel` nm; null where either is unknown. */
export function spacing(spot: Spot, pixel: number): number | null {
  return pixel > 0 && Number.isFinite(spot.period) ? spot.period * pixel : null;
}
