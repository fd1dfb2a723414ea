// What a pixel is worth: the file's words, unless the user set something else.
// SPDX-License-Identifier: Apache-2.0
import { computed, signal } from "@preact/signals";
import { wavelength } from "../../analysis/units";
import type { Point } from "../../types";
import type { Calibration, Dataset, Disk, Rotation } from "../types";
import { dataset } from "./datasets";

/** What the user set of one dataset; 0 or null: as the file says. */
export type OwnCalibration = Omit<Calibration, "rotation">;

const NOTHING: OwnCalibration = { scanStep: 0, detectorStep: 0, center: null };

/** By the dataset's path: what holds for one acquisition need not hold for the next. */
export const calibrations = signal<ReadonlyMap<string, OwnCalibration>>(new Map());
/** Of the scan against the detector; for all datasets, since each answer tells what was used. */
export const rotation = signal<Rotation>("auto");

export const isSet = ({ scanStep: scan, detectorStep: pixel, center }: OwnCalibration): boolean =>
  scan > 0 || pixel > 0 || center !== null;

export const ownCalibration = (of: Dataset | null): OwnCalibration =>
  (of && calibrations.value.get(of.path)) ?? NOTHING;

/** What the user set of the selected dataset. */
export const calibration = computed<Calibration>(() => ({
  ...ownCalibration(dataset.value),
  rotation: rotation.value,
}));

/** Size of a scan step of a dataset in nm; 0: unknown. */
export const scanStepOf = (of: Dataset | null): number =>
  ownCalibration(of).scanStep || of?.scan_step_nm || 0;
/** Size of a detector pixel of a dataset in mrad; 0: unknown. */
export const detectorStepOf = (of: Dataset | null): number =>
  ownCalibration(of).detectorStep || of?.detector_step_mrad || 0;

export const scanStep = computed(() => scanStepOf(dataset.value));
export const detectorStep = computed(() => detectorStepOf(dataset.value));

export function middle(of: Dataset): Point {
  return [(of.detector[0] - 1) / 2, (of.detector[1] - 1) / 2];
}

/** Of the pattern, detector pixels. */
export const patternCenter = computed<Point>(() => {
  const here = dataset.value;
  const { center } = ownCalibration(here);
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

function setOwn(of: Dataset, own: OwnCalibration): void {
  calibrations.value = new Map(calibrations.value).set(of.path, own);
}

/** Sets something of the selected dataset. */
export function calibrate(change: Partial<Calibration>): void {
  const { rotation: turn, ...more } = change;
  const here = dataset.value;
  if (turn !== undefined) rotation.value = turn;
  if (here && Object.keys(more).length > 0) setOwn(here, { ...ownCalibration(here), ...more });
}

/** What was set of the selected dataset holds for others, too. */
export function calibrateAlike(others: readonly Dataset[]): void {
  const own = ownCalibration(dataset.value);
  for (const of of others) setOwn(of, own);
}

export function forgetCalibration(): void {
  const here = dataset.value;
  rotation.value = "auto";
  if (here) setOwn(here, NOTHING);
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
