// What a pointer takes hold of: the body, an edge or a corner of a shape.
// SPDX-License-Identifier: Apache-2.0
import type { Point } from "../../types";
import type { Shape } from "../types";
import { contains } from "./contains";
import { boxOf, centerOf, distance, segmentDistance } from "./measure";

/** A side or corner of a box; north is towards row 0. */
export type Compass = "n" | "s" | "e" | "w" | "nw" | "ne" | "sw" | "se";

/** The part of an outline: a radius, a side or corner, a polygon's vertex or edge. */
export type Edge = "outer" | "inner" | Compass | { vertex: number } | { after: number };

/** What is held; `offset` is pointer minus centre, `from` where the pointer went down. */
export type Grab =
  | { kind: "body"; offset: Point }
  | { kind: "edge"; which: Edge; from: Point };

/** The pointer is on `|d|` pixels outside (d > 0) or inside (d < 0) of an edge: is it on it? */
const near = (d: number, out: number, inwards: number): boolean => d <= out && d >= -inwards;

function radiusAt(shape: Shape, at: Point, tolerance: number): "outer" | "inner" | null {
  if (shape.shape !== "disk" && shape.shape !== "annulus") return null;
  const r = distance(at, shape.center);
  const inner = shape.shape === "annulus" ? shape.inner : 0;
  // Part of a small disk or thin ring stays free of the edges, so that it can still be moved.
  const inwards = Math.min(tolerance, (shape.outer - inner) * 0.35);
  if (near(r - shape.outer, tolerance, inwards)) return "outer";
  if (inner > 0 && near(inner - r, Math.min(tolerance, inner * 0.5), inwards)) return "inner";
  return null;
}

function sideAt(shape: Shape, at: Point, tolerance: number): Compass | null {
  if (shape.shape !== "square" && shape.shape !== "rectangle") return null;
  const { from, to } = boxOf(shape);
  const inRows = Math.min(tolerance, (to[0] - from[0]) * 0.2);
  const inCols = Math.min(tolerance, (to[1] - from[1]) * 0.2);
  const north = near(from[0] - at[0], tolerance, inRows);
  const south = near(at[0] - to[0], tolerance, inRows);
  const west = near(from[1] - at[1], tolerance, inCols);
  const east = near(at[1] - to[1], tolerance, inCols);
  if (north && west) return "nw";
  if (north && east) return "ne";
  if (south && west) return "sw";
  if (south && east) return "se";
  const rows = at[0] >= from[0] && at[0] <= to[0];
  const cols = at[1] >= from[1] && at[1] <= to[1];
  if (cols && (north || south)) return north ? "n" : "s";
  if (rows && (west || east)) return west ? "w" : "e";
  return null;
}

function vertexAt(shape: Shape, at: Point, tolerance: number): Edge | null {
  if (shape.shape !== "polygon") return null;
  const { corners } = shape;
  let best: Edge | null = null;
  let least = tolerance;
  corners.forEach((corner, vertex) => {
    const d = distance(at, corner);
    if (d <= least) [best, least] = [{ vertex }, d];
  });
  if (best) return best;
  corners.forEach((corner, after) => {
    const next = corners[(after + 1) % corners.length] ?? corner;
    const middle: Point = [(corner[0] + next[0]) / 2, (corner[1] + next[1]) / 2];
    const d = distance(at, middle);
    if (d <= least) [best, least] = [{ after }, d];
  });
  return best;
}

function edgeGrab(shape: Shape, at: Point, tolerance: number): Grab | null {
  const round = radiusAt(shape, at, tolerance);
  const which = round ?? sideAt(shape, at, tolerance) ?? vertexAt(shape, at, tolerance);
  return which === null ? null : { kind: "edge", which, from: at };
}

function onBody(shape: Shape, at: Point, tolerance: number): boolean {
  if (shape.shape === "point") return distance(at, shape.center) <= Math.max(tolerance, 0.75);
  if (shape.shape === "rectangle") return contains({ ...shape, ...boxOf(shape) }, at);
  if (contains(shape, at)) return true;
  if (shape.shape === "annulus") return distance(at, shape.center) <= tolerance;
  if (shape.shape !== "polygon") return false;
  return shape.corners.some((corner, i) => {
    const next = shape.corners[(i + 1) % shape.corners.length] ?? corner;
    return segmentDistance(at, corner, next) <= tolerance / 2;
  });
}

const inHole = (shape: Shape, at: Point): boolean =>
  shape.shape === "annulus" && distance(at, shape.center) < shape.inner;

function bodyGrab(shape: Shape, at: Point): Grab {
  const center = centerOf(shape);
  return { kind: "body", offset: [at[0] - center[0], at[1] - center[1]] };
}

/** What a pointer at `at` holds of one shape; the hole of an annulus counts as its body. */
export function grab(shape: Shape, at: Point, tolerance: number): Grab | null {
  const edge = edgeGrab(shape, at, tolerance);
  if (edge) return edge;
  return onBody(shape, at, tolerance) || inHole(shape, at) ? bodyGrab(shape, at) : null;
}

/** The shape that is held, of several drawn in order (the last is on top), and by what. */
export function grabAmong(
  shapes: readonly Shape[],
  selected: number,
  at: Point,
  tolerance: number,
): { index: number; grab: Grab } | null {
  const order = shapes.map((_, i) => i).reverse();
  if (selected >= 0 && selected < shapes.length)
    order.unshift(...order.splice(order.indexOf(selected), 1));
  // A disk in the hole of an annulus must be reachable even when the annulus is selected.
  const tries: ((shape: Shape) => Grab | null)[] = [
    (shape) => edgeGrab(shape, at, tolerance),
    (shape) => (onBody(shape, at, tolerance) ? bodyGrab(shape, at) : null),
    (shape) => (inHole(shape, at) ? bodyGrab(shape, at) : null),
  ];
  for (const attempt of tries)
    for (const index of order) {
      const shape = shapes[index];
      const held = shape && attempt(shape);
      if (held) return { index, grab: held };
    }
  return null;
}

function radialCursor(shape: Shape, at: Point): string {
  const [row, col] = centerOf(shape);
  const eighth = Math.round((Math.atan2(at[0] - row, at[1] - col) / Math.PI) * 4);
  return ["ew-resize", "nwse-resize", "ns-resize", "nesw-resize"][((eighth % 4) + 4) % 4]!;
}

/** Name of the CSS cursor over what would be held; "default" where there is nothing. */
export function cursorOf(shape: Shape | null, held: Grab | null): string {
  if (!shape || !held) return "default";
  if (held.kind === "body") return "move";
  const { which } = held;
  if (typeof which === "object") return "vertex" in which ? "pointer" : "copy";
  if (which === "outer" || which === "inner") return radialCursor(shape, held.from);
  if (which === "n" || which === "s") return "ns-resize";
  if (which === "e" || which === "w") return "ew-resize";
  return which === "nw" || which === "se" ? "nwse-resize" : "nesw-resize";
}
