// The planes that came, and what they were asked for; pure functions about them.
// SPDX-License-Identifier: Apache-2.0
import { statistics, type Statistics } from "../analysis/statistics";
import type { Limits } from "../display/limits";
import { toRgba } from "../display/renderer_2d";
import type { Raster } from "../types";
import { settingsOf } from "./looks";

/** A plane of a volume at the points of another's. */
export interface Slice {
  readonly volume: string;
  readonly onto: string;
  /** Along the third axis. */
  readonly at: number;
  readonly raster: Raster;
}

/** a - b, point by point; null where the two are not of one size. */
export function minus(a: Raster, b: Raster): Raster | null {
  if (a.rows !== b.rows || a.cols !== b.cols) return null;
  const values = new Float32Array(a.values.length);
  for (let i = 0; i < values.length; ++i) values[i] = a.values[i]! - b.values[i]!;
  return { rows: a.rows, cols: a.cols, values };
}

/** Limits about 0 that hold all values of a difference. */
export function aboutZero(...values: readonly number[]): Limits {
  const most = Math.max(0, ...values.filter(Number.isFinite).map(Math.abs));
  return most > 0 ? { low: -most, high: most } : { low: -1, high: 1 };
}

/** RGBA of what lies over a base: nothing where there is no value or one nearer to 0 than `least`. */
export function overlayRgba(
  raster: Raster,
  limits: Limits,
  map: string,
  least: number,
  opacity: number,
): Uint8ClampedArray<ArrayBuffer> {
  const rgba = toRgba(raster, settingsOf(limits, map), limits);
  const alpha = Math.round(255 * Math.min(Math.max(opacity, 0), 1));
  for (let i = 0; i < raster.values.length; ++i)
    rgba[4 * i + 3] = Math.abs(raster.values[i]!) >= least ? alpha : 0;
  return rgba;
}

const known = new WeakMap<Raster, Statistics>();

/** Of the finite values; remembered as long as the raster lives. */
export function statisticsOf(raster: Raster): Statistics {
  let found = known.get(raster);
  if (!found) known.set(raster, (found = statistics(raster.values)));
  return found;
}
