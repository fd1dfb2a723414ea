// Shapes as the text that the command line takes, and in words.
// SPDX-License-Identifier: Apache-2.0
import type { Point } from "../../types";
import type { Descan, Rotation, Shape } from "../types";
import { boxOf } from "./measure";

const pair = ([row, col]: Point, between = ":"): string => `${row}${between}${col}`;

/** The shape as `sluice stem4d virtual-image` reads it; numbers keep all their digits. */
export function shapeText(shape: Shape): string {
  switch (shape.shape) {
    case "point":
      return `point:row=${shape.center[0]},col=${shape.center[1]}`;
    case "disk":
      return `disk:r=${shape.outer},center=${pair(shape.center)}`;
    case "annulus":
      return `annulus:r=${shape.inner}..${shape.outer},center=${pair(shape.center)}`;
    case "square":
      return `square:half=${shape.outer},center=${pair(shape.center)}`;
    case "rectangle": {
      const { from, to } = boxOf(shape);
      return `rectangle:rows=${from[0]}..${to[0]},cols=${from[1]}..${to[1]}`;
    }
    case "polygon":
      return `polygon:${shape.corners.map((c) => pair(c)).join("/")}`;
  }
}

/** NAME=SHAPE; what would end the name early is left out of it. */
export function detectorText(name: string, shape: Shape): string {
  const plain = name.replace(/[:=,\u0000-\u001f\u007f]+/g, " ").trim();
  return plain ? `${plain}=${shapeText(shape)}` : shapeText(shape);
}

const one = (v: number): string => String(Math.round(v * 10) / 10 + 0);

/** The shape in words, lengths in pixels. */
export function describeShape(shape: Shape): string {
  const place = (p: Point): string => `row ${one(p[0])}, column ${one(p[1])}`;
  switch (shape.shape) {
    case "point":
      return `point at ${place(shape.center)}`;
    case "disk":
      return `disk of radius ${one(shape.outer)} px at ${place(shape.center)}`;
    case "annulus":
      return (
        `annulus of radii ${one(shape.inner)} to ${one(shape.outer)} px ` +
        `at ${place(shape.center)}`
      );
    case "square":
      return `square of side ${one(2 * shape.outer)} px at ${place(shape.center)}`;
    case "rectangle": {
      const { from, to } = boxOf(shape);
      return (
        `rectangle of rows ${one(from[0])} to ${one(to[0])}, ` +
        `columns ${one(from[1])} to ${one(to[1])}`
      );
    }
    case "polygon": {
      const { from, to } = boxOf(shape);
      return (
        `polygon of ${shape.corners.length} corners, rows ${one(from[0])} to ${one(to[0])}, ` +
        `columns ${one(from[1])} to ${one(to[1])}`
      );
    }
  }
}

/** Where the pixels of an array lie on the full detector: pixel p is at origin + bin p. */
export interface Grid {
  readonly origin: Point;
  readonly bin: number;
}

/** The shape in pixels of the full detector, as the command line takes it. */
export function onDetector(shape: Shape, { origin, bin }: Grid): Shape {
  const place = ([row, col]: Point): Point => [origin[0] + bin * row, origin[1] + bin * col];
  switch (shape.shape) {
    case "point":
      return { ...shape, center: place(shape.center) };
    case "disk":
    case "square":
      return { ...shape, center: place(shape.center), outer: bin * shape.outer };
    case "annulus": {
      const { center, inner, outer } = shape;
      return { ...shape, center: place(center), inner: bin * inner, outer: bin * outer };
    }
    case "rectangle":
      return { ...shape, from: place(shape.from), to: place(shape.to) };
    case "polygon":
      return { ...shape, corners: shape.corners.map(place) };
  }
}

/** One argument for a POSIX shell, quoted only where it must be. */
export const shellQuote = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** The command that makes the centre of mass and what follows from it. */
export function centerOfMassCommand(
  path: string,
  options: {
    rotation: Rotation;
    descan: Descan;
    within: Shape | null;
    out: string;
    loading?: readonly string[];
  },
): string {
  const { rotation, descan, within, out } = options;
  // The command line takes "none" for "no phase contrast"; the page turns by nothing then.
  const turn = rotation === "none" ? { degrees: 0, transpose: false } : rotation;
  const angle =
    turn === "auto" ? turn : `${turn.degrees}${turn.transpose ? ",transpose" : ""}`;
  const loading = (options.loading ?? []).map(shellQuote);
  const parts = ["sluice stem4d center-of-mass", shellQuote(path), ...loading];
  // With "=", because an angle may begin with a minus as options do.
  parts.push(`--rotation=${angle}`, `--descan ${descan}`);
  if (within) parts.push(`--within ${shellQuote(shapeText(within))}`);
  parts.push(`--out ${shellQuote(out)}`);
  return parts.join(" ");
}

/** The command that makes the image of a detector on the screen. */
export function virtualImageCommand(
  path: string,
  detectors: readonly { name: string; region: Shape }[],
  options: { mean?: boolean; out: string; loading?: readonly string[] },
): string {
  const shapes = detectors.map((d) => shellQuote(detectorText(d.name, d.region)));
  const loading = (options.loading ?? []).map(shellQuote);
  const parts = ["sluice stem4d virtual-image", shellQuote(path), ...loading];
  for (const shape of shapes) parts.push(`--detector ${shape}`);
  if (options.mean) parts.push("--mean");
  parts.push(`--out ${shellQuote(options.out)}`);
  return parts.join(" ");
}
