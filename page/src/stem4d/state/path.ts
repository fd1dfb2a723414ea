// Path animation: the probe walks along drawn points or over the whole scan.
// SPDX-License-Identifier: Apache-2.0
import { effect, signal } from "@preact/signals";
import type { Point } from "../../types";
import { drawnPath, rasterPath } from "../geometry/path";
import { moveProbe, scanBounds } from "./scan";
import { during } from "./timing";

/** Scan points in the order they are visited. */
export const path = signal<readonly Point[]>([]);
/** The user is clicking points of a path on the image. */
export const drawing = signal(false);
export const corners = signal<readonly Point[]>([]);
export const walking = signal(false);
export const pathLoop = signal(true);
/** Points per second. */
export const pathSpeed = signal(10);
export const position = signal(0);

export function addCorner(point: Point): void {
  corners.value = [...corners.value, point];
  path.value = drawnPath(corners.value, scanBounds.value);
  position.value = 0;
}

export function useRaster(step: number, bidirectional: boolean): void {
  corners.value = [];
  path.value = rasterPath(scanBounds.value, { step, bidirectional });
  position.value = 0;
}

export function clearPath(): void {
  walking.value = false;
  drawing.value = false;
  corners.value = [];
  path.value = [];
  position.value = 0;
}

export function walkTo(index: number): void {
  const point = path.value[index];
  if (!point) return;
  position.value = index;
  during(() => moveProbe(point));
}

function advance(): void {
  const next = position.value + 1;
  if (next < path.value.length) walkTo(next);
  else if (pathLoop.value) walkTo(0);
  else walking.value = false;
}

effect(() => {
  if (!walking.value) return undefined;
  const timer = setInterval(advance, 1000 / pathSpeed.value);
  return () => clearInterval(timer);
});
