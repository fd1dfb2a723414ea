// What the page of a reconstruction shows, as signals, and how it changes.
// SPDX-License-Identifier: Apache-2.0
import { batch, computed, signal } from "@preact/signals";
import type { View } from "../display/view";
import type { DisplaySettings } from "../types";
import { usualLook } from "./looks";
import type { Job, Positions, Status, Told, Wave } from "./types";
import { meanPhase, scannedArea, usualStretch, wholeArea } from "./waves";

export const job = signal<Job | null>(null);
export const status = signal<Status | null>(null);
/** Finished results to choose from; none: a job is at work. */
export const results = signal<readonly Told[]>([]);

/** R of every iteration that is done. */
export const curve = signal<readonly number[]>([]);
/** The first iterations of stages but the first one, from 1. */
export const stageStarts = signal<readonly number[]>([]);
export const object = signal<{ wave: Wave; slice: number; iteration: number } | null>(null);
/** Why there is no newer object; empty: nothing is amiss. */
export const lacking = signal("");
/** By the number of the mode. */
export const modes = signal<Readonly<Record<number, Wave>>>({});
export const positions = signal<Positions | null>(null);

export const slice = signal(0);
export const mode = signal(0);

export const PICTURES = ["phase", "amplitude", "probe"] as const;
export type PictureKey = (typeof PICTURES)[number];
export const looks = signal<Readonly<Record<PictureKey, DisplaySettings>>>({
  phase: usualLook("phase"),
  amplitude: usualLook("amplitude"),
  probe: usualLook("probe"),
});
/** What is drawn of the probe. */
export const probePart = signal<"complex" | "amplitude" | "phase">("complex");
/** The phase is shown about its mean over what was scanned. */
export const aboutMean = signal(true);
/** Moves of positions are drawn so many times as long; null: as suits them. */
export const stretch = signal<number | null>(null);
export const underPositions = signal(true);
export const logarithmic = signal(false);
/** Of the object's pictures together; null: all of it. */
export const objectView = signal<View | null>(null);
export const sideColumn = signal(true);
export const helpOpen = signal(false);

/** A result that was finished before: the server has all of it, and gives it as long as it runs. */
export const saved = computed(() => status.value?.state === "saved");
/** Nothing more will come, and the server may go. */
export const over = computed(() =>
  ["finished", "stopped", "failed"].includes(status.value?.state ?? ""),
);
/** Of the object, where its contrast is taken from. */
export const area = computed(() => {
  const [here, wave] = [job.value, object.value?.wave];
  if (!here || !wave) return null;
  return (positions.value && scannedArea(positions.value, here)) ?? wholeArea(wave);
});
export const zeroPhase = computed(() => {
  const [wave, where] = [object.value?.wave, area.value];
  return aboutMean.value && wave && where ? meanPhase(wave, where) : 0;
});
export const drawnStretch = computed(
  () => stretch.value ?? (positions.value ? usualStretch(positions.value) : 1),
);
export const shownMode = computed(() => Math.min(mode.value, (job.value?.modes ?? 1) - 1));
export const shownSlice = computed(() => Math.min(slice.value, (job.value?.slices ?? 1) - 1));

export function setLook(key: PictureKey, change: Partial<DisplaySettings>): void {
  looks.value = { ...looks.value, [key]: { ...looks.value[key], ...change } };
}

export function setSlice(to: number): void {
  slice.value = Math.min(Math.max(Math.round(to), 0), (job.value?.slices ?? 1) - 1);
}

export function setMode(to: number): void {
  const count = job.value?.modes ?? 1;
  mode.value = ((Math.round(to) % count) + count) % count;
}

/** Another job: what was shown of the last one is not of this one. */
export function beginJob(next: Job | null): void {
  const follows = next?.follows && job.value !== null;
  batch(() => {
    job.value = next;
    curve.value = [];
    stageStarts.value = [];
    if (follows) return;
    object.value = null;
    lacking.value = "";
    modes.value = {};
    positions.value = null;
    slice.value = 0;
    mode.value = 0;
  });
}

export function forgetCurve(): void {
  batch(() => {
    curve.value = [];
    stageStarts.value = [];
  });
}

/** Adds what came of the curve from an iteration on. */
export function addToCurve(from: number, r: ArrayLike<number>, stages: ArrayLike<number>): void {
  if (from !== curve.value.length) return;
  const starts = [...stageStarts.value];
  let stage = starts.length;
  for (let i = 0; i < stages.length; ++i)
    if (stages[i]! > stage) {
      stage = stages[i]!;
      starts.push(from + i + 1);
    }
  batch(() => {
    curve.value = [...curve.value, ...Array.from(r)];
    stageStarts.value = starts;
  });
}
