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

/** Where a parabola through the logarithms of three neighbours has its top: -0.5 to 0.5. */
function top(before: number, at: number, after: number): number {
  const [a, b, c] = [Math.log(before), Math.log(at), Math.log(after)];
  const bend = a - 2 * b + c;
  const off = (0.5 * (a - c)) / bend;
  return bend < 0 && Number.isFinite(off) ? Math.max(-0.5, Math.min(0.5, off)) : 0;
}

/**
 * The top of the peak about a pixel. Hann's window makes spots that are nearly parabolas in their
 * logarithm; a centre of mass of so few pixels would stay near the brightest.
 */
function peakTop(raster: Raster, [row, col]: Point): Point {
  const at = (dr: number, dc: number): number => valueAt(raster, row + dr, col + dc);
  return [
    row + top(at(-1, 0), at(0, 0), at(1, 0)),
    col + top(at(0, -1), at(0, 0), at(0, 1)),
  ];
}

/** The spot that a click on a transform means; null where there is no pixel. */
export function findSpot(transform: Raster, click: Point, radius = snapRadius): Spot | null {
  const peak = brightest(transform, click, radius);
  if (!peak) return null;
  const at = peakTop(transform, peak);
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
