// The line profile: where it lies and on which panel.
// SPDX-License-Identifier: Apache-2.0
import { signal } from "@preact/signals";
import type { Point } from "../../types";
import { clampPoint } from "../geometry/measure";
import type { PanelName } from "./settings";

export interface ProfileLine {
  panel: PanelName;
  from: Point;
  to: Point;
  /** Pixels across the line that are averaged. */
  width: number;
}

export const profileLine = signal<ProfileLine | null>(null);

/** Switches the profile of a panel on, across its middle, or off. */
export function toggleProfile(panel: PanelName, rows: number, cols: number): void {
  if (profileLine.value?.panel === panel) {
    profileLine.value = null;
    return;
  }
  const row = Math.floor(rows / 2);
  profileLine.value = {
    panel,
    from: [row, Math.round(0.15 * (cols - 1))],
    to: [row, Math.round(0.85 * (cols - 1))],
    width: profileLine.value?.width ?? 1,
  };
}

/** Length of a pixel's way along the line, where pixels are `right` wide and `down` high. */
export function stepAlong({ from, to }: ProfileLine, right: number, down: number): number {
  const [rows, cols] = [to[0] - from[0], to[1] - from[1]];
  const pixels = Math.hypot(rows, cols);
  return pixels > 0 ? Math.hypot(rows * down, cols * right) / pixels : right;
}

export type ProfilePart = "from" | "to" | "line";

/** What of the line is within `tolerance` pixels of a point. */
export function profilePartAt(line: ProfileLine, at: Point, tolerance: number): ProfilePart | null {
  const distance = (a: Point): number => Math.hypot(a[0] - at[0], a[1] - at[1]);
  const [toFrom, toTo] = [distance(line.from), distance(line.to)];
  if (Math.min(toFrom, toTo) <= tolerance) return toFrom < toTo ? "from" : "to";
  const [dr, dc] = [line.to[0] - line.from[0], line.to[1] - line.from[1]];
  const squared = dr * dr + dc * dc;
  if (squared === 0) return null;
  const t = ((at[0] - line.from[0]) * dr + (at[1] - line.from[1]) * dc) / squared;
  if (t < 0 || t > 1) return null;
  return distance([line.from[0] + t * dr, line.from[1] + t * dc]) <= tolerance ? "line" : null;
}

/** The line with a part moved as the pointer went from `start` to `at`. */
export function movedProfile(
  line: ProfileLine,
  part: ProfilePart,
  start: Point,
  at: Point,
  bounds: readonly [number, number],
): ProfileLine {
  const by = (p: Point): Point =>
    clampPoint([p[0] + at[0] - start[0], p[1] + at[1] - start[1]], bounds);
  return {
    ...line,
    from: part === "to" ? line.from : by(line.from),
    to: part === "from" ? line.to : by(line.to),
  };
}
