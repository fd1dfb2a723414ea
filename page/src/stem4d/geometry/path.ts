// The scan points that an animation visits.
// SPDX-License-Identifier: Apache-2.0
import type { Point } from "../../types";
import { clamp, distance } from "./measure";
import type { Bounds } from "./measure";

export interface RasterOptions {
  /** Every how manyth row and column; 1: all. */
  step: number;
  /** Every second row from right to left. */
  bidirectional: boolean;
}

/** Scan points row by row. */
export function rasterPath([rows, cols]: Bounds, options: RasterOptions): Point[] {
  const step = Math.max(1, Math.floor(options.step) || 1);
  const out: Point[] = [];
  for (let row = 0, line = 0; row < rows; row += step, ++line) {
    const points: Point[] = [];
    for (let col = 0; col < cols; col += step) points.push([row, col]);
    if (options.bidirectional && line % 2 === 1) points.reverse();
    for (const p of points) out.push(p);
  }
  return out;
}

/** Integer points from a to b, both included, in steps of one row, one column or both. */
export function linePoints(a: Point, b: Point): Point[] {
  let [row, col] = [Math.round(a[0]), Math.round(a[1])];
  const [lastRow, lastCol] = [Math.round(b[0]), Math.round(b[1])];
  const dRow = Math.abs(lastRow - row);
  const dCol = Math.abs(lastCol - col);
  const out: Point[] = [[row, col]];
  for (let error = dCol - dRow; row !== lastRow || col !== lastCol; ) {
    const twice = 2 * error;
    if (twice > -dRow) {
      error -= dRow;
      col += Math.sign(lastCol - col);
    }
    if (twice < dCol) {
      error += dCol;
      row += Math.sign(lastRow - row);
    }
    out.push([row, col]);
  }
  return out;
}

/** The scan points under a drawn line, each once, in the order in which they are met. */
export function drawnPath(points: readonly Point[], [rows, cols]: Bounds): Point[] {
  const usable = points.filter((p) => Number.isFinite(p[0]) && Number.isFinite(p[1]));
  const inside = usable.map((p): Point => [clamp(p[0], 0, rows - 1), clamp(p[1], 0, cols - 1)]);
  const seen = new Map<number, Point>();
  inside.forEach((p, i) => {
    for (const [row, col] of linePoints(inside[i - 1] ?? p, p)) {
      const key = row * cols + col;
      if (!seen.has(key)) seen.set(key, [row, col]);
    }
  });
  return [...seen.values()];
}

/** Length of a line in pixels. */
export function pathLength(points: readonly Point[]): number {
  return points.reduce((sum, p, i) => sum + distance(points[i - 1] ?? p, p), 0);
}

/** The same points from the last to the first. */
export const reversePath = (points: readonly Point[]): Point[] => [...points].reverse();
