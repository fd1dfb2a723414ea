// How strain is looked at: which maps, which point, and what is said of it.
// SPDX-License-Identifier: Apache-2.0
import { computed, signal } from "@preact/signals";
import type { View } from "../../display/view";
import type { Point } from "../../types";
import { linkedCursor } from "./compare";
import { probe } from "./scan";
import type { ShownStrain } from "./strain";

export type StrainShows = "maps" | "errors" | "both";
export const strainShows = signal<StrainShows>("maps");
export const strainView = signal<View | null>(null);

/** The point whose values are told: under the cursor, else the probe's. */
export const strainPoint = computed<Point>(() => {
  const at = linkedCursor.value ?? probe.value;
  return [Math.round(at[0]), Math.round(at[1])];
});

/** The number of a scan point in the arrays; -1: it is not on the scan. */
export function indexOf({ maps: [map] }: ShownStrain, [row, col]: Point): number {
  const there = map && row >= 0 && col >= 0 && row < map.rows && col < map.cols;
  return there ? row * map.cols + col : -1;
}

/** Why a point has no lattice, in words; "": it has one. */
export function reasonAt(of: ShownStrain, index: number): string {
  const code = of.reason[index] ?? 0;
  if (code === 0) return "";
  const words = of.words.reasons[code] ?? "no lattice";
  const disks = of.diskReason[index] ?? 0;
  return disks > 0 ? `${words} (${of.words.diskReasons[disks] ?? "no reason"})` : words;
}
