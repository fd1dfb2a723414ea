// Detectors relative to the measured disk, new shapes, and one kind of shape made into another.
// SPDX-License-Identifier: Apache-2.0
import type { Point } from "../../types";
import type { Disk, Shape } from "../types";
import { boxOf, centerOf, clampPoint, farthestPixel, halfSizeOf } from "./measure";
import type { Bounds } from "./measure";

export type ShapeKind = Shape["shape"];
export type PresetName = "BF" | "ABF" | "ADF" | "HAADF" | "point";

interface Preset {
  readonly name: PresetName;
  readonly inner: number;
  readonly outer: number;
  /** For the button's tool tip. */
  readonly title: string;
}

/** In the order of their buttons; radii in multiples of the disk's. */
export const presets: readonly Preset[] = [
  { name: "BF", inner: 0, outer: 1, title: "Bright field: the whole disk" },
  { name: "ABF", inner: 0.5, outer: 1, title: "Annular bright field: the disk's outer half" },
  { name: "ADF", inner: 1, outer: 2, title: "Annular dark field: 1 to 2 disk radii" },
  { name: "HAADF", inner: 2, outer: 4, title: "High-angle annular dark field: 2 to 4 radii" },
  { name: "point", inner: 0, outer: 0, title: "The pixel at the disk's centre" },
];

/** The preset on a detector of `bounds` pixels; null where the detector does not reach so far. */
export function presetShape(name: PresetName, disk: Disk, bounds: Bounds): Shape | null {
  const preset = presets.find((p) => p.name === name);
  const usable = [disk.row, disk.col, disk.radius].every(Number.isFinite);
  if (!preset || !usable || disk.radius <= 0) return null;
  const center: Point = [disk.row, disk.col];
  if (name === "point") return { shape: "point", center: clampPoint(center, bounds) };
  const inner = preset.inner * disk.radius;
  const outer = Math.min(preset.outer * disk.radius, Math.ceil(farthestPixel(center, bounds)));
  if (inner === 0) return { shape: "disk", center, outer };
  return inner + 1 <= outer ? { shape: "annulus", center, inner, outer } : null;
}

/** The usual size of a new shape on an image: a radius in pixels. */
export const defaultRadius = ([rows, cols]: Bounds): number =>
  Math.max(3, Math.round(1.5 * Math.min(rows, cols)) / 10);

/** Centre of an image, a pixel centre. */
export const middleOf = ([rows, cols]: Bounds): Point => [
  Math.floor(rows / 2),
  Math.floor(cols / 2),
];

/** A new shape of a kind; a hexagon stands for a polygon. */
export function shapeOf(kind: ShapeKind, center: Point, radius: number): Shape {
  switch (kind) {
    case "point":
      return { shape: kind, center };
    case "disk":
    case "square":
      return { shape: kind, center, outer: radius };
    case "annulus":
      return { shape: kind, center, inner: radius / 2, outer: radius };
    case "rectangle": {
      const half: Point = [radius / 2, radius];
      const [row, col] = center;
      return {
        shape: kind,
        from: [row - half[0], col - half[1]],
        to: [row + half[0], col + half[1]],
      };
    }
    case "polygon":
      return { shape: kind, corners: ring(center, radius, 6) };
  }
}

const tidy = (v: number): number => Math.round(v * 100) / 100;

/** Corners of a regular polygon, the first to the right. */
function ring([row, col]: Point, radius: number, count: number): Point[] {
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count;
    return [tidy(row + radius * Math.sin(angle)), tidy(col + radius * Math.cos(angle))];
  });
}

/** A new detector or scan region in the middle of the image, or about `center`. */
export function newShape(kind: ShapeKind, bounds: Bounds, center = middleOf(bounds)): Shape {
  const inside = clampPoint(center, bounds);
  const shape = shapeOf(kind, inside, defaultRadius(bounds));
  if (shape.shape !== "annulus") return shape;
  // On a tiny image the usual hole would swallow every pixel.
  return { ...shape, inner: Math.min(shape.inner, Math.floor(farthestPixel(inside, bounds))) };
}

/** The same place and size as another kind of shape; a point takes the default size. */
export function convertShape(shape: Shape, kind: ShapeKind, bounds: Bounds): Shape {
  if (shape.shape === kind) return shape;
  const center = clampPoint(centerOf(shape), bounds);
  const half = halfSizeOf(shape);
  if (kind === "polygon" && (shape.shape === "rectangle" || shape.shape === "square")) {
    const { from, to } = boxOf(shape);
    return { shape: kind, corners: [from, [from[0], to[1]], to, [to[0], from[1]]] };
  }
  if (kind === "rectangle" && shape.shape !== "point") {
    const { from, to } = boxOf(shape);
    return { shape: kind, from, to };
  }
  return shapeOf(kind, center, half >= 1 ? half : defaultRadius(bounds));
}
