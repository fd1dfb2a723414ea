// Centres, boxes and distances that all shape code needs.
// SPDX-License-Identifier: Apache-2.0
import type { Point } from "../../types";
import type { Shape } from "../types";

/** Size of the image that a shape lies on: rows, columns. */
export type Bounds = readonly [rows: number, cols: number];

/** Smallest and largest corner, pixels. */
export interface Box {
  readonly from: Point;
  readonly to: Point;
}

export const clamp = (v: number, low: number, high: number): number =>
  Math.min(Math.max(v, low), Math.max(low, high));

export const distance = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** Nearest point whose pixel is on the image. */
export const clampPoint = (p: Point, [rows, cols]: Bounds): Point => [
  clamp(p[0], 0, rows - 1),
  clamp(p[1], 0, cols - 1),
];

/** What a shape covers at most; polygons and rectangles may be given in any order. */
export function boxOf(shape: Shape): Box {
  if (shape.shape === "rectangle") return boxAround([shape.from, shape.to]);
  if (shape.shape === "polygon") return boxAround(shape.corners);
  const r = shape.shape === "point" ? 0 : shape.outer;
  const [row, col] = shape.center;
  return { from: [row - r, col - r], to: [row + r, col + r] };
}

function boxAround(points: readonly Point[]): Box {
  const rows = points.map((p) => p[0]);
  const cols = points.map((p) => p[1]);
  return {
    from: [Math.min(...rows), Math.min(...cols)],
    to: [Math.max(...rows), Math.max(...cols)],
  };
}

/** Centre of a shape; the middle of its box for rectangles and polygons. */
export function centerOf(shape: Shape): Point {
  if ("center" in shape) return shape.center;
  const { from, to } = boxOf(shape);
  return [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
}

/** Half the larger side of the box around a shape, pixels. */
export function halfSizeOf(shape: Shape): number {
  const { from, to } = boxOf(shape);
  return Math.max(to[0] - from[0], to[1] - from[1]) / 2;
}

/** Distance from a point to the farthest pixel of the image. */
export function farthestPixel(center: Point, [rows, cols]: Bounds): number {
  const down = Math.max(Math.abs(center[0]), Math.abs(rows - 1 - center[0]));
  const across = Math.max(Math.abs(center[1]), Math.abs(cols - 1 - center[1]));
  return Math.hypot(down, across);
}

/** Distance from a point to the line segment a-b. */
export function segmentDistance(p: Point, a: Point, b: Point): number {
  const dr = b[0] - a[0];
  const dc = b[1] - a[1];
  const squared = dr * dr + dc * dc;
  if (squared === 0) return distance(p, a);
  const t = clamp(((p[0] - a[0]) * dr + (p[1] - a[1]) * dc) / squared, 0, 1);
  return distance(p, [a[0] + t * dr, a[1] + t * dc]);
}
