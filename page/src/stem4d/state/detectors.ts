// The virtual detectors on the diffraction pattern.
// SPDX-License-Identifier: Apache-2.0
import { computed, effect, signal, untracked } from "@preact/signals";
import { type PresetName, presetShape, newShape, type ShapeKind } from "../geometry/presets";
import { nudge } from "../geometry/drag";
import { resize } from "../geometry/resize";
import type { Detector, Shape } from "../types";
import { disk } from "./calibration";
import { dataset, usable } from "./datasets";

/** Distinct on light and dark, and for the colour-blind; given out in turn. */
export const COLORS = [
  "#4fc3f7",
  "#ffb74d",
  "#aed581",
  "#f48fb1",
  "#ba9bf0",
  "#fff176",
  "#4db6ac",
  "#ff8a65",
];

export const detectors = signal<readonly Detector[]>([]);
export const selectedKey = signal<string | null>(null);

export const selected = computed<Detector | null>(
  () => detectors.value.find((one) => one.key === selectedKey.value) ?? null,
);

/** Size of the patterns in pixels. */
export const detectorBounds = computed<readonly [number, number]>(
  () => dataset.value?.detector ?? [1, 1],
);

const MOST = 16;
let lastKey = 0;
/** In `measuredOn`: what a session set stays, whatever dataset comes first. */
const KEEP = "keep";
let measuredOn = "";

/** A key that no detector has had. */
export const freshKey = (): string => `d${++lastKey}`;

function nextColor(): string {
  const taken = new Set(detectors.value.map((one) => one.color));
  return COLORS.find((color) => !taken.has(color)) ?? COLORS[lastKey % COLORS.length]!;
}

/** Adds a detector and selects it; false when there are too many. */
export function addDetector(name: string, region: Shape): boolean {
  if (detectors.value.length >= MOST) return false;
  const key = freshKey();
  detectors.value = [...detectors.value, { key, name, color: nextColor(), region }];
  selectedKey.value = key;
  return true;
}

export function addShape(kind: ShapeKind): boolean {
  const { row, col } = disk.value;
  const count = detectors.value.filter((one) => one.name.startsWith(kind)).length;
  const name = count === 0 ? kind : `${kind} ${count + 1}`;
  return addDetector(name, newShape(kind, detectorBounds.value, [row, col]));
}

export function editDetector(key: string, change: Partial<Omit<Detector, "key">>): void {
  detectors.value = detectors.value.map((one) => (one.key === key ? { ...one, ...change } : one));
}

export function removeDetector(key: string): void {
  const at = detectors.value.findIndex((one) => one.key === key);
  const left = detectors.value.filter((one) => one.key !== key);
  if (at < 0 || left.length === 0) return;
  detectors.value = left;
  if (selectedKey.value === key) selectedKey.value = left[Math.min(at, left.length - 1)]!.key;
}

/** Goes to the preset: selects the detector of its name, put back to where it belongs. */
export function choosePreset(name: PresetName): boolean {
  const region = presetShape(name, disk.value, detectorBounds.value);
  if (!region) return false;
  const there = detectors.value.find((one) => one.name === name);
  if (!there) return addDetector(name, region);
  editDetector(there.key, { region });
  selectedKey.value = there.key;
  return true;
}

export function moveSelected(dRow: number, dCol: number): void {
  const here = selected.value;
  if (here)
    editDetector(here.key, { region: nudge(here.region, dRow, dCol, detectorBounds.value) });
}

export function resizeSelected(delta: number): void {
  const here = selected.value;
  if (here) editDetector(here.key, { region: resize(here.region, delta, detectorBounds.value) });
}

/** Replaces all detectors, as a session does. */
export function setDetectors(list: readonly Detector[], key: string | null): void {
  detectors.value = list.map((one) => ({ ...one, key: freshKey() }));
  const at = Math.max(
    0,
    list.findIndex((one) => one.key === key),
  );
  selectedKey.value = detectors.value[at]?.key ?? null;
  measuredOn = KEEP;
}

function start(): void {
  const bf = presetShape("BF", disk.value, detectorBounds.value);
  const adf = presetShape("ADF", disk.value, detectorBounds.value);
  detectors.value = [];
  addDetector("BF", bf ?? newShape("disk", detectorBounds.value));
  const first = selectedKey.value;
  if (adf) addDetector("ADF", adf);
  selectedKey.value = first;
}

// BF and ADF at first; again when a dataset of another detector comes, or the disk gets known.
effect(() => {
  const here = dataset.value;
  if (!here || !usable(here)) return;
  const size = here.detector.join();
  if (measuredOn === size) return;
  const kept = measuredOn === KEEP;
  measuredOn = size;
  if (!kept) untracked(start);
});
