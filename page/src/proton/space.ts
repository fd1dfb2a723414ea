// Where elements, planes and places of volumes are; pure functions.
// SPDX-License-Identifier: Apache-2.0
import type { Point } from "../types";
import type { Axis, Place, PlaneKind, Volume } from "./types";

const LETTERS = ["x", "y", "z"] as const;
export const AXES: readonly Axis[] = [0, 1, 2];

/** "x", "-z": as a request names it. */
export const axisWord = (axis: Axis, back = false): string => (back ? "-" : "") + LETTERS[axis];

export const axesOf = (volume: Volume): readonly Axis[] => AXES.slice(0, volume.sides.length);

/** What people call an axis. */
export const axisName = (volume: Volume, axis: Axis): string =>
  volume.depth && axis === 1 ? "depth" : LETTERS[axis];

export const lengthUnit = ({ spaced }: Volume): string => (spaced ? "mm" : "elements");

/** Of positions: those of turned axes are no places of the patient. */
export const placeUnit = (volume: Volume): string =>
  lengthUnit(volume) + (volume.lies === "turned" ? " along the stored axis" : "");

/** Names of directions say where the patient is; those of a turned volume do not know it. */
const named = (volume: Volume, name: string, letters: string): string =>
  volume.lies === "turned" ? `Stored axes ${letters}` : `${name} (${letters})`;

/** The planes of a volume, in the order of the page. */
export function planesOf(volume: Volume): readonly PlaneKind[] {
  if (volume.sides.length < 3)
    // The beam goes to the right.
    return volume.depth
      ? [{ key: "flat", title: "Depth and x", across: 1, down: 0, up: true, normal: null }]
      : [{ key: "flat", title: "Plane", across: 0, down: 1, up: false, normal: null }];
  return [
    { key: "axial", title: named(volume, "Axial", "x, y"), across: 0, down: 1, up: false, normal: 2 },
    { key: "coronal", title: named(volume, "Coronal", "x, z"), across: 0, down: 2, up: true, normal: 1 },
    { key: "sagittal", title: named(volume, "Sagittal", "y, z"), across: 1, down: 2, up: true, normal: 0 },
  ];
}

/** The middle of an element along an axis. */
export const middle = (volume: Volume, axis: Axis, element: number): number =>
  (volume.origin[axis] ?? 0) + element * (volume.spacing[axis] ?? 1);

/** The element nearest to a place along an axis, within the volume. */
export function nearest(volume: Volume, axis: Axis, at: number): number {
  const side = volume.sides[axis] ?? 1;
  const element = Math.round((at - (volume.origin[axis] ?? 0)) / (volume.spacing[axis] ?? 1));
  return Math.min(Math.max(Number.isFinite(element) ? element : 0, 0), side - 1);
}

const place = (of: (axis: Axis) => number): Place => [of(0), of(1), of(2)];

/** The middle of the element nearest to a place; 0 along an axis that is not there. */
export const snapped = (volume: Volume, at: Place): Place =>
  place((axis) => (axis < volume.sides.length ? middle(volume, axis, nearest(volume, axis, at[axis])) : 0));

export const moved = (at: Place, axis: Axis, to: number): Place =>
  place((one) => (one === axis ? to : at[one]));

/** Where the highest value is; for a volume without any the middle. */
export const brightest = (volume: Volume): Place =>
  place((axis) => volume.mostAt[axis] ?? 0);

export const centre = (volume: Volume): Place =>
  snapped(
    volume,
    place((axis) => middle(volume, axis, ((volume.sides[axis] ?? 1) - 1) / 2)),
  );

/** Whether places mean the same in two volumes; the server refuses others. */
export function comparable(a: Volume, b: Volume): boolean {
  if (a.id === b.id) return true;
  if (a.sides.length !== b.sides.length || a.lies !== b.lies || a.lies === "turned") return false;
  return a.lies === "mm" || a.sides.every((side, i) => side === b.sides[i]);
}

/** Whether the elements of two volumes lie on each other. */
export function sameGrid(a: Volume, b: Volume): boolean {
  const near = (p: number, q: number, step: number): boolean => Math.abs(p - q) < 1e-6 * step;
  return a.sides.every((side, i) => {
    const step = a.spacing[i]!;
    return (
      side === b.sides[i] && near(step, b.spacing[i]!, step) && near(a.origin[i]!, b.origin[i]!, step)
    );
  });
}

/** Whether one can be subtracted from the other. */
export const subtractable = (a: Volume, b: Volume): boolean =>
  a.id !== b.id && comparable(a, b) && (a.kind === "ct") === (b.kind === "ct") && a.unit === b.unit;

/** Of a drawn plane: the pixel of a place. */
export function pixelOf(volume: Volume, { across, down, up }: PlaneKind, at: Place): Point {
  const row = (at[down] - volume.origin[down]!) / volume.spacing[down]!;
  const col = (at[across] - volume.origin[across]!) / volume.spacing[across]!;
  return [up ? volume.sides[down]! - 1 - row : row, col];
}

/** The place of a pixel of a drawn plane, at the middle of the nearest element. */
export function placeOf(volume: Volume, plane: PlaneKind, [row, col]: Point, at: Place): Place {
  const { across, down, up } = plane;
  const element = up ? volume.sides[down]! - 1 - row : row;
  const there = moved(moved(at, down, middle(volume, down, element)), across, middle(volume, across, col));
  return snapped(volume, there);
}

/** Height of a pixel of a plane in widths of it. */
export const aspectOf = ({ spacing }: Volume, { across, down }: PlaneKind): number =>
  spacing[down]! / spacing[across]!;
