// Shapes that follow the pointer or the keyboard.
// SPDX-License-Identifier: Apache-2.0
import type { Point } from "../../types";
import type { Shape } from "../types";
import type { Compass, Edge, Grab } from "./grab";
import { boxOf, centerOf, clamp, clampPoint, distance, farthestPixel } from "./measure";
import type { Bounds, Box } from "./measure";

export interface DragOptions {
  /** Keep a rectangle's proportions, or an annulus' ratio of radii. */
  aspect?: boolean;
  bounds: Bounds;
}

// One pixel: a disk, ring or rectangle that is this large always covers some pixel centre.
const smallest = 1;

/** Most corners that the protocol allows. */
export const mostCorners = 1000;

/** The shape moved by whole or fractional pixels, without limits. */
export function translate(shape: Shape, dRow: number, dCol: number): Shape {
  const by = (p: Point): Point => [p[0] + dRow, p[1] + dCol];
  if (shape.shape === "rectangle") return { ...shape, from: by(shape.from), to: by(shape.to) };
  if (shape.shape === "polygon") return { ...shape, corners: shape.corners.map(by) };
  return { ...shape, center: by(shape.center) };
}

/** The shape moved so that its centre is at `center`, or as near as the image allows. */
export function moveTo(shape: Shape, center: Point, bounds: Bounds): Shape {
  const old = centerOf(shape);
  const target = clampPoint(center, bounds);
  return translate(shape, target[0] - old[0], target[1] - old[1]);
}

/** The shape moved by an arrow key; its centre stays on the image. */
export function nudge(shape: Shape, dRow: number, dCol: number, bounds: Bounds): Shape {
  const [row, col] = centerOf(shape);
  return moveTo(shape, [row + dRow, col + dCol], bounds);
}

function dragRadius(
  shape: Shape & { shape: "disk" | "annulus" },
  which: Edge,
  change: number,
  { aspect, bounds }: DragOptions,
): Shape {
  const largest = Math.hypot(...bounds);
  if (shape.shape === "disk")
    return { ...shape, outer: clamp(shape.outer + change, smallest, largest) };
  if (which === "inner") {
    const most = Math.min(shape.outer - smallest, farthestPixel(shape.center, bounds));
    return { ...shape, inner: clamp(shape.inner + change, 0, most) };
  }
  if (!aspect) {
    const outer = clamp(shape.outer + change, shape.inner + smallest, shape.inner + largest);
    return { ...shape, outer };
  }
  const outer = clamp(shape.outer + change, smallest, largest);
  const inner = shape.outer > 0 ? (shape.inner / shape.outer) * outer : 0;
  return { ...shape, outer, inner: clamp(inner, 0, outer - smallest) };
}

function dragSquare(
  shape: Shape & { shape: "square" },
  which: Compass,
  from: Point,
  to: Point,
  bounds: Bounds,
): Shape {
  const reach = (p: Point): number => {
    const down = Math.abs(p[0] - shape.center[0]);
    const across = Math.abs(p[1] - shape.center[1]);
    if (which === "n" || which === "s") return down;
    return which === "e" || which === "w" ? across : Math.max(down, across);
  };
  const outer = shape.outer + reach(to) - reach(from);
  return { ...shape, outer: clamp(outer, smallest, Math.hypot(...bounds)) };
}

/** Moves one end of the interval [low, high]; the ends may cross. */
function stretch(low: number, high: number, end: -1 | 0 | 1, by: number, size: number) {
  if (end === 0) return [low, high] as const;
  const fixed = end < 0 ? high : low;
  let moved = clamp((end < 0 ? low : high) + by, -0.5, size - 0.5);
  if (Math.abs(moved - fixed) < smallest) {
    const side = moved === fixed ? end : Math.sign(moved - fixed);
    moved = fixed + side * smallest;
  }
  return [Math.min(fixed, moved), Math.max(fixed, moved)] as const;
}

/** The pointer's travel, bent so that a corner keeps the proportions of the box. */
function proportional(
  box: Box,
  [rowEnd, colEnd]: readonly [number, number],
  by: Point,
  [rows, cols]: Bounds,
): Point {
  const height = Math.max(box.to[0] - box.from[0], smallest);
  const width = Math.max(box.to[1] - box.from[1], smallest);
  const most = Math.min(
    (rowEnd < 0 ? box.to[0] + 0.5 : rows - 0.5 - box.from[0]) / height,
    (colEnd < 0 ? box.to[1] + 0.5 : cols - 0.5 - box.from[1]) / width,
  );
  const wanted = Math.max(1 + (rowEnd * by[0]) / height, 1 + (colEnd * by[1]) / width);
  const scale = clamp(wanted, smallest / Math.min(height, width), most);
  return [rowEnd * (scale - 1) * height, colEnd * (scale - 1) * width];
}

function dragRectangle(
  shape: Shape & { shape: "rectangle" },
  which: Compass,
  by: Point,
  { aspect, bounds }: DragOptions,
): Shape {
  const box = boxOf(shape);
  const rowEnd = which.startsWith("n") ? -1 : which.startsWith("s") ? 1 : 0;
  const colEnd = which.endsWith("w") ? -1 : which.endsWith("e") ? 1 : 0;
  const keep = aspect === true && rowEnd !== 0 && colEnd !== 0;
  const [dRow, dCol] = keep ? proportional(box, [rowEnd, colEnd], by, bounds) : by;
  const [top, bottom] = stretch(box.from[0], box.to[0], rowEnd, dRow, bounds[0]);
  const [left, right] = stretch(box.from[1], box.to[1], colEnd, dCol, bounds[1]);
  return { ...shape, from: [top, left], to: [bottom, right] };
}

function dragVertex(
  shape: Shape & { shape: "polygon" },
  which: Edge,
  from: Point,
  to: Point,
  bounds: Bounds,
): Shape {
  if (typeof which !== "object") return shape;
  const target = "after" in which ? insertVertex(shape, which.after) : shape;
  const vertex = "after" in which ? which.after + 1 : which.vertex;
  const old = target.corners[vertex];
  if (!old || ("after" in which && target === shape)) return shape;
  const moved = clampPoint([old[0] + to[0] - from[0], old[1] + to[1] - from[1]], bounds);
  return { ...shape, corners: target.corners.map((c, i) => (i === vertex ? moved : c)) };
}

/**
 * The shape as it is once the pointer is at `to`; `shape` is the one that was there when the
 * pointer went down, so that corners can cross and come back.
 */
export function drag(shape: Shape, grab: Grab, to: Point, options: DragOptions): Shape {
  if (grab.kind === "body")
    return moveTo(shape, [to[0] - grab.offset[0], to[1] - grab.offset[1]], options.bounds);
  const { which, from } = grab;
  switch (shape.shape) {
    case "point":
      return moveTo(shape, to, options.bounds);
    case "disk":
    case "annulus": {
      const change = distance(to, shape.center) - distance(from, shape.center);
      return dragRadius(shape, which, change, options);
    }
    case "square":
      return isCompass(which) ? dragSquare(shape, which, from, to, options.bounds) : shape;
    case "rectangle": {
      const by: Point = [to[0] - from[0], to[1] - from[1]];
      return isCompass(which) ? dragRectangle(shape, which, by, options) : shape;
    }
    case "polygon":
      return dragVertex(shape, which, from, to, options.bounds);
  }
}

const isCompass = (which: Edge): which is Compass =>
  typeof which === "string" && which !== "outer" && which !== "inner";

/** The polygon with a new corner in the middle of the edge that follows corner `after`. */
export function insertVertex(
  shape: Shape & { shape: "polygon" },
  after: number,
): Shape & { shape: "polygon" } {
  const a = shape.corners[after];
  const b = shape.corners[(after + 1) % shape.corners.length];
  if (!a || !b || shape.corners.length >= mostCorners) return shape;
  const corners = [...shape.corners];
  corners.splice(after + 1, 0, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
  return { ...shape, corners };
}

/** The polygon without a corner; three always stay. */
export function deleteVertex(
  shape: Shape & { shape: "polygon" },
  vertex: number,
): Shape & { shape: "polygon" } {
  if (shape.corners.length <= 3 || !shape.corners[vertex]) return shape;
  return { ...shape, corners: shape.corners.filter((_, i) => i !== vertex) };
}
