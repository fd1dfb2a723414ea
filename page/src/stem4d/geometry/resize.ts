// Larger and smaller by the keyboard.
// SPDX-License-Identifier: Apache-2.0
import type { Point } from "../../types";
import type { Shape } from "../types";
import { centerOf, clamp, farthestPixel, halfSizeOf } from "./measure";
import type { Bounds } from "./measure";

/** The shape scaled about its centre; radii stay between one pixel and the image's diagonal. */
export function scale(shape: Shape, factor: number, bounds: Bounds): Shape {
  const half = halfSizeOf(shape);
  if (shape.shape === "point" || !(half > 0) || !Number.isFinite(factor)) return shape;
  const wanted = clamp(half * factor, 1, Math.hypot(...bounds));
  const by = wanted / half;
  if (shape.shape === "disk" || shape.shape === "square") return { ...shape, outer: wanted };
  if (shape.shape === "annulus")
    return { ...shape, outer: wanted, inner: clamp(shape.inner * by, 0, wanted - 1) };
  const [row, col] = centerOf(shape);
  const away = (p: Point): Point => [row + (p[0] - row) * by, col + (p[1] - col) * by];
  if (shape.shape === "polygon") return { ...shape, corners: shape.corners.map(away) };
  return { ...shape, from: away(shape.from), to: away(shape.to) };
}

/** The shape with its radius or half side larger by `delta` pixels; an annulus keeps its hole. */
export function resize(shape: Shape, delta: number, bounds: Bounds): Shape {
  const largest = Math.hypot(...bounds);
  switch (shape.shape) {
    case "point":
      return shape;
    case "disk":
    case "square":
      return { ...shape, outer: clamp(shape.outer + delta, 1, largest) };
    case "annulus": {
      const outer = clamp(shape.outer + delta, shape.inner + 1, shape.inner + largest);
      return { ...shape, outer };
    }
    case "rectangle":
      return resizeRectangle(shape, delta);
    case "polygon": {
      const half = halfSizeOf(shape);
      return half > 0 ? scale(shape, (half + delta) / half, bounds) : shape;
    }
  }
}

/** The annulus with another hole, at least one pixel smaller than its outer radius. */
export function resizeInner(
  shape: Shape & { shape: "annulus" },
  delta: number,
  bounds: Bounds,
): Shape {
  const most = Math.min(shape.outer - 1, farthestPixel(shape.center, bounds));
  return { ...shape, inner: clamp(shape.inner + delta, 0, most) };
}

function resizeRectangle(shape: Shape & { shape: "rectangle" }, delta: number): Shape {
  const [row, col] = centerOf(shape);
  const half = (a: number, b: number): number => Math.max(Math.abs(b - a) / 2 + delta, 0.5);
  const down = half(shape.from[0], shape.to[0]);
  const across = half(shape.from[1], shape.to[1]);
  return { ...shape, from: [row - down, col - across], to: [row + down, col + across] };
}
