// Pictures and numbers of complex waves; pure functions.
// SPDX-License-Identifier: Apache-2.0
import type { VectorField } from "../display/limits";
import type { Raster } from "../types";
import type { Area, Job, Positions, Wave } from "./types";

export function amplitudeOf({ rows, cols, real, imag }: Wave): Raster {
  const values = new Float32Array(rows * cols);
  for (let i = 0; i < values.length; ++i) values[i] = Math.hypot(real[i]!, imag[i]!);
  return { rows, cols, values };
}

/** In rad, −π to π, after a turn back by `zero`. */
export function phaseOf({ rows, cols, real, imag }: Wave, zero = 0): Raster {
  const values = new Float32Array(rows * cols);
  const [c, s] = [Math.cos(zero), Math.sin(zero)];
  for (let i = 0; i < values.length; ++i) {
    const [re, im] = [real[i]!, imag[i]!];
    values[i] = Math.atan2(im * c - re * s, re * c + im * s);
  }
  return { rows, cols, values };
}

/** Phase as a direction, amplitude as a length. */
export function fieldOf({ rows, cols, real, imag }: Wave): VectorField {
  // Counted from right by up, and rows grow downwards.
  return { rows, cols, right: real, down: imag.map((v) => -v) };
}

/** The area's bounds within a wave. */
function within(area: Area, { rows, cols }: Wave): Area {
  const clamp = (v: number, most: number): number => Math.min(Math.max(v, 0), most);
  return {
    rows: [clamp(area.rows[0], rows), clamp(area.rows[1], rows)],
    cols: [clamp(area.cols[0], cols), clamp(area.cols[1], cols)],
  };
}

/** The direction of the sum over an area, in rad; an object's phase is known but for a constant. */
export function meanPhase(wave: Wave, area: Area): number {
  const { rows, cols } = within(area, wave);
  let [re, im] = [0, 0];
  for (let r = rows[0]; r < rows[1]; ++r)
    for (let c = cols[0]; c < cols[1]; ++c) {
      // Each value counts with its direction alone, or bright places would decide for all.
      const i = r * wave.cols + c;
      const size = Math.hypot(wave.real[i]!, wave.imag[i]!) || 1;
      re += wave.real[i]! / size;
      im += wave.imag[i]! / size;
    }
  return Math.atan2(im, re);
}

/** Where the middle of the probe was, and so what is known well. */
export function scannedArea({ started, moved }: Positions, { window }: Job): Area | null {
  if (started.length === 0) return null;
  let [top, left, bottom, right] = [Infinity, Infinity, -Infinity, -Infinity];
  started.forEach(([row, col], i) => {
    const [r, c] = [row + moved[i]![0] + window / 2, col + moved[i]![1] + window / 2];
    [top, bottom] = [Math.min(top, r), Math.max(bottom, r)];
    [left, right] = [Math.min(left, c), Math.max(right, c)];
  });
  const first = Math.floor;
  return { rows: [first(top), first(bottom) + 1], cols: [first(left), first(right) + 1] };
}

/** All of a wave. */
export const wholeArea = ({ rows, cols }: Wave): Area => ({ rows: [0, rows], cols: [0, cols] });

/** The part of a raster that lies in an area. */
export function cropped(raster: Raster, area: Area): Raster {
  const clamp = (v: number, most: number): number => Math.min(Math.max(v, 0), most);
  const [top, bottom] = area.rows.map((v) => clamp(v, raster.rows));
  const [left, right] = area.cols.map((v) => clamp(v, raster.cols));
  const [rows, cols] = [bottom! - top!, right! - left!];
  if (!(rows > 0 && cols > 0)) return raster;
  const values = new Float32Array(rows * cols);
  for (let r = 0; r < rows; ++r)
    for (let c = 0; c < cols; ++c)
      values[r * cols + c] = raster.values[(top! + r) * raster.cols + left! + c]!;
  return { rows, cols, values };
}

export interface Moves {
  /** Root of the mean square, and the longest, in pixels. */
  rms: number;
  most: number;
}

export function movesOf({ moved }: Positions): Moves {
  let [sum, most] = [0, 0];
  for (const [row, col] of moved) {
    const square = row * row + col * col;
    sum += square;
    most = Math.max(most, square);
  }
  return { rms: Math.sqrt(sum / Math.max(moved.length, 1)), most: Math.sqrt(most) };
}

/** How much longer than they are moves are drawn, so that they are seen and tell neighbours apart. */
export function usualStretch(positions: Positions): number {
  const { most } = movesOf(positions);
  const { started } = positions;
  if (most === 0 || started.length < 2) return 1;
  const spread = (axis: 0 | 1): number => {
    let [low, high] = [Infinity, -Infinity];
    for (const p of started) {
      low = Math.min(low, p[axis]);
      high = Math.max(high, p[axis]);
    }
    return high - low;
  };
  const apart = Math.sqrt((spread(0) * spread(1)) / started.length) || 1;
  const wanted = apart / most;
  return [1000, 500, 200, 100, 50, 20, 10, 5, 2].find((by) => by <= wanted) ?? 1;
}
