// On the scan: the probe's position, the region, and what the diffraction panel shows of them.
// SPDX-License-Identifier: Apache-2.0
import { computed, effect, signal, untracked } from "@preact/signals";
import type { Point } from "../../types";
import { clamp } from "../geometry/measure";
import { middleOf, newShape, type ShapeKind } from "../geometry/presets";
import type { PatternKind, RegionKind, Shape } from "../types";
import { dataset } from "./datasets";

/** What the diffraction panel shows: one frame, the whole scan, or the region's frames. */
export type PatternSource = "probe" | "region" | PatternKind;

/** Scan point, whole numbers. */
export const probe = signal<Point>([0, 0]);
export const region = signal<Shape | null>(null);
export const regionKind = signal<RegionKind>("mean");
export const patternSource = signal<PatternSource>("mean");

/** Size of the scan in points. */
export const scanBounds = computed<readonly [number, number]>(() => dataset.value?.scan ?? [1, 1]);

/** Puts the probe on the nearest scan point, and shows its frame. */
export function moveProbe(to: Point): void {
  const [rows, cols] = scanBounds.value;
  const next: Point = [
    clamp(Math.round(to[0]), 0, rows - 1),
    clamp(Math.round(to[1]), 0, cols - 1),
  ];
  if (next[0] !== probe.value[0] || next[1] !== probe.value[1]) probe.value = next;
  patternSource.value = "probe";
}

export function nudgeProbe(dRow: number, dCol: number): void {
  moveProbe([probe.value[0] + dRow, probe.value[1] + dCol]);
}

/** Adds or changes the scan region, and shows its pattern. */
export function setRegion(shape: Shape): void {
  region.value = shape;
  patternSource.value = "region";
}

export function addRegion(kind: ShapeKind): void {
  setRegion(newShape(kind, scanBounds.value));
}

export function removeRegion(): void {
  region.value = null;
  if (patternSource.value === "region") patternSource.value = "probe";
}

let sized = "";
// The probe starts in the middle, and stays on the scan when a smaller one comes.
effect(() => {
  const here = dataset.value;
  if (!here || here.scan[0] === 0) return;
  const size = here.scan.join();
  if (size === sized) return;
  const first = sized === "";
  sized = size;
  untracked(() => {
    const [row, col] = probe.value;
    const outside = row >= here.scan[0] || col >= here.scan[1];
    const untouched = first && row === 0 && col === 0;
    if (outside || untouched) probe.value = middleOf(here.scan);
    if (first) return;
    region.value = null;
    if (patternSource.value === "region") patternSource.value = "mean";
  });
});
