// Which pixels belong to a shape, by the same rules as the server's.
// SPDX-License-Identifier: Apache-2.0
import type { Point } from "../../types";
import type { Shape } from "../types";
import { boxOf } from "./measure";
import type { Bounds } from "./measure";

// The server's slack: pixels exactly on a radius like 0.1 + 0.2 must not be lost to rounding.
const edge = 1e-9;

/** The server rounds halves away from 0; Math.round would round -0.5 up. */
const roundAway = (v: number): number => Math.sign(v) * Math.round(Math.abs(v)) + 0;

function insidePolygon(corners: readonly Point[], row: number, col: number): boolean {
  let inside = false;
  let b = corners[corners.length - 1];
  for (const a of corners) {
    if (b === undefined) return false;
    const cross = (b[1] - a[1]) * (row - a[0]) - (b[0] - a[0]) * (col - a[1]);
    const between =
      row >= Math.min(a[0], b[0]) - edge &&
      row <= Math.max(a[0], b[0]) + edge &&
      col >= Math.min(a[1], b[1]) - edge &&
      col <= Math.max(a[1], b[1]) + edge;
    if (Math.abs(cross) <= edge && between) return true;
    const crosses = a[0] > row !== b[0] > row;
    if (crosses && col < ((b[1] - a[1]) * (row - a[0])) / (b[0] - a[0]) + a[1]) inside = !inside;
    b = a;
  }
  return inside;
}

/** Whether the point (row, col) is inside a shape or exactly on its edge. */
export function contains(shape: Shape, [row, col]: Point): boolean {
  if (shape.shape === "polygon") return insidePolygon(shape.corners, row, col);
  if (shape.shape === "rectangle") {
    const { from, to } = shape;
    const rows = row >= from[0] - edge && row <= to[0] + edge;
    return rows && col >= from[1] - edge && col <= to[1] + edge;
  }
  const dr = row - shape.center[0];
  const dc = col - shape.center[1];
  switch (shape.shape) {
    case "point":
      return (
        roundAway(shape.center[0]) === roundAway(row) &&
        roundAway(shape.center[1]) === roundAway(col)
      );
    case "square":
      return Math.abs(dr) <= shape.outer + edge && Math.abs(dc) <= shape.outer + edge;
    case "disk":
      return dr * dr + dc * dc <= shape.outer * shape.outer + edge;
    case "annulus": {
      const r2 = dr * dr + dc * dc;
      return (
        r2 <= shape.outer * shape.outer + edge && r2 >= shape.inner * shape.inner - edge
      );
    }
  }
}

export interface Mask {
  readonly rows: number;
  readonly cols: number;
  /** 1 inside, 0 outside: [row][col]. */
  readonly values: Uint8Array;
  /** Pixels inside. */
  readonly count: number;
}

/** The pixels of a rows x cols image that belong to a shape. */
export function rasterize(shape: Shape, [rows, cols]: Bounds): Mask {
  const values = new Uint8Array(rows * cols);
  const box = boxOf(shape);
  const top = Math.max(0, Math.floor(box.from[0]) - 1);
  const bottom = Math.min(rows - 1, Math.ceil(box.to[0]) + 1);
  const left = Math.max(0, Math.floor(box.from[1]) - 1);
  const right = Math.min(cols - 1, Math.ceil(box.to[1]) + 1);
  let count = 0;
  for (let row = top; row <= bottom; ++row)
    for (let col = left; col <= right; ++col)
      if (contains(shape, [row, col])) {
        values[row * cols + col] = 1;
        ++count;
      }
  return { rows, cols, values, count };
}
