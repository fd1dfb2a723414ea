// What a pixel is worth: the file's words, unless the user set something else.
// SPDX-License-Identifier: Apache-2.0
import { computed, signal } from "@preact/signals";
import { wavelength } from "../../analysis/units";
import type { Calibration, Dataset, Disk, Point, Rotation } from "../../types";
import { dataset } from "./datasets";

const NOTHING: Calibration = { scanStep: 0, detectorStep: 0, center: null, rotation: "auto" };

/** What the user set; it holds for all datasets of the session. */
export const calibration = signal<Calibration>(NOTHING);

/** nm; 0: unknown. */
export const scanStep = computed(
  () => calibration.value.scanStep || dataset.value?.scan_step_nm || 0,
);
/** mrad; 0: unknown. */
export const detectorStep = computed(
  () => calibration.value.detectorStep || dataset.value?.detector_step_mrad || 0,
);

export function middle(of: Dataset): Point {
  return [(of.detector[0] - 1) / 2, (of.detector[1] - 1) / 2];
}

/** Of the pattern, detector pixels. */
export const patternCenter = computed<Point>(() => {
  const here = dataset.value;
  const { center } = calibration.value;
  if (center) return center;
  if (!here) return [0, 0];
  return here.disk ? [here.disk.row, here.disk.col] : middle(here);
});

/** The measured disk at the centre that the user set; an eighth of the detector when none was
 *  found. */
export const disk = computed<Disk>(() => {
  const here = dataset.value;
  const radius = here?.disk?.radius ?? Math.min(...(here?.detector ?? [64, 64])) / 8;
  const [row, col] = patternCenter.value;
  return { row, col, radius };
});

export function calibrate(change: Partial<Calibration>): void {
  calibration.value = { ...calibration.value, ...change };
}

export const rotation = computed<Rotation>(() => calibration.value.rotation);

export function forgetCalibration(): void {
  calibration.value = NOTHING;
}

/** nm per pixel such that two scan points are `distance` nm apart. */
export function stepFromDistance(a: Point, b: Point, distance: number): number {
  const pixels = Math.hypot(a[0] - b[0], a[1] - b[1]);
  return pixels > 0 && distance > 0 ? distance / pixels : 0;
}

/** mrad per pixel such that a spot `pixels` from the centre is of spacing `d` nm. */
export function stepFromSpot(pixels: number, d: number, kilovolts: number): number {
  if (!(pixels > 0 && d > 0 && kilovolts > 0)) return 0;
  return (100 * wavelength(kilovolts)) / d / pixels;
}
