// Shapes as SVG paths in image coordinates (x is the column, y the row), and their handles.
// SPDX-License-Identifier: Apache-2.0
import type { Point } from "../../types";
import type { Shape } from "../types";
import type { Compass, Edge } from "./grab";
import { boxOf, centerOf } from "./measure";

const short = (v: number): string => String(Math.round(v * 1000) / 1000 + 0);
const at = ([row, col]: Point): string => `${short(col)} ${short(row)}`;

function circle([row, col]: Point, radius: number): string {
  const r = short(radius);
  const arc = `a${r} ${r} 0 1 0`;
  const across = short(2 * radius);
  return `M${short(col - radius)} ${short(row)}${arc} ${across} 0${arc} -${across} 0z`;
}

const closed = (corners: readonly Point[]): string =>
  corners.length ? `M${corners.map(at).join("L")}z` : "";

/** The `d` of a path; to be filled with fill-rule="evenodd", so that an annulus has its hole. */
export function outline(shape: Shape): string {
  switch (shape.shape) {
    case "point": {
      const [row, col] = shape.center;
      return closed([
        [row - 0.5, col - 0.5],
        [row - 0.5, col + 0.5],
        [row + 0.5, col + 0.5],
        [row + 0.5, col - 0.5],
      ]);
    }
    case "disk":
      return circle(shape.center, shape.outer);
    case "annulus":
      return circle(shape.center, shape.outer) + circle(shape.center, shape.inner);
    case "polygon":
      return closed(shape.corners);
    case "square":
    case "rectangle": {
      const { from, to } = boxOf(shape);
      return closed([from, [from[0], to[1]], to, [to[0], from[1]]]);
    }
  }
}

/** A line through points, for a path over a scan or a profile. */
export const polylineOutline = (points: readonly Point[]): string =>
  points.length ? `M${points.map(at).join("L")}` : "";

export interface Handle {
  /** What a pointer there would hold; null: the centre, which moves the whole shape. */
  readonly edge: Edge | null;
  readonly at: Point;
}

/** Where to draw what can be dragged, the centre first. */
export function handles(shape: Shape): Handle[] {
  const center: Handle = { edge: null, at: centerOf(shape) };
  switch (shape.shape) {
    case "point":
      return [center];
    case "disk":
      return [center, ...onCircle("outer", shape.center, shape.outer)];
    case "annulus": {
      const inner = shape.inner > 0 ? onCircle("inner", shape.center, shape.inner) : [];
      return [center, ...onCircle("outer", shape.center, shape.outer), ...inner];
    }
    case "square":
    case "rectangle":
      return [center, ...onBox(shape)];
    case "polygon":
      return [center, ...onPolygon(shape.corners)];
  }
}

function onCircle(edge: "outer" | "inner", [row, col]: Point, r: number): Handle[] {
  return [
    { edge, at: [row, col + r] },
    { edge, at: [row + r, col] },
    { edge, at: [row, col - r] },
    { edge, at: [row - r, col] },
  ];
}

function onBox(shape: Shape): Handle[] {
  const { from, to } = boxOf(shape);
  const [row, col] = centerOf(shape);
  const places: readonly (readonly [Compass, Point])[] = [
    ["nw", from],
    ["n", [from[0], col]],
    ["ne", [from[0], to[1]]],
    ["e", [row, to[1]]],
    ["se", to],
    ["s", [to[0], col]],
    ["sw", [to[0], from[1]]],
    ["w", [row, from[1]]],
  ];
  return places.map(([edge, place]) => ({ edge, at: place }));
}

function onPolygon(corners: readonly Point[]): Handle[] {
  const vertices = corners.map((corner, vertex): Handle => ({ edge: { vertex }, at: corner }));
  const middles = corners.map((corner, after): Handle => {
    const next = corners[(after + 1) % corners.length] ?? corner;
    return { edge: { after }, at: [(corner[0] + next[0]) / 2, (corner[1] + next[1]) / 2] };
  });
  return [...vertices, ...middles];
}
