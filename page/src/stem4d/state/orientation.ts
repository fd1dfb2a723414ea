// Orientations of the whole scan: asked for by a button, with progress, and what stands.
// SPDX-License-Identifier: Apache-2.0
import { computed, signal } from "@preact/signals";
import { Recent } from "../../shell/recent";
import type { Raster } from "../../types";
import type { KnownCrystal, OrientationWords } from "../protocol/orientation";
import type { Answer, Progress } from "../protocol/messages";
import type { Dataset, OrientationOptions } from "../types";
import { detectorStepOf, ownCalibration, rotation } from "./calibration";
import { linkedCursor } from "./compare";
import { dataset, usable } from "./datasets";
import { changedOptions, diskOptions } from "./disks";
import { identity, keyOf, type Query } from "./keys";
import { ask, drop, isBusy, onHello, tell } from "./live";
import { type Bound, Question, visible, type Wish } from "./question";
import { disksOpen } from "./settings";
import { drawn, since } from "./timing";

export type OrientationRequest = Extract<Query, { op: "orientation" }>;

/** What the command line named. */
export const crystals = signal<readonly KnownCrystal[]>([]);
/** There is a calibration of the command line. */
export const calibrated = signal(false);
/** Those that are left out, by their files. */
export const leftOut = signal<ReadonlySet<string>>(new Set());

export const USUAL_ORIENTATION: OrientationOptions = {
  kilovolts: 0,
  zoneStep: 1,
  leastProbability: 0.9,
  by: "automatic",
};
export const orientationOptions = signal<OrientationOptions>(USUAL_ORIENTATION);
export function setOrientationOptions(change: Partial<OrientationOptions>): void {
  orientationOptions.value = { ...orientationOptions.value, ...change };
}

onHello((hello) => {
  crystals.value = hello.crystals;
  calibrated.value = hello.calibrated;
});

export interface RgbPicture {
  rows: number;
  cols: number;
  /** [row][col][red, green, blue]. */
  rgb: Raster["values"];
}

export interface ShownOrientation extends Bound<OrientationRequest> {
  /** In the order of the words' directions; black where a pattern is not indexed. */
  colors: readonly RgbPicture[];
  /** 0: not indexed, else 1 + its number. */
  phase: Raster;
  reason: Raster;
  diskReason: Raster["values"];
  probability: Raster;
  /** Degrees. */
  error: Raster;
  /** [point][phi1, Phi, phi2] in degrees; NaN: not indexed. */
  euler: Raster["values"];
  /** The triangle of each phase. */
  legends: readonly RgbPicture[];
  words: OrientationWords;
}

const SLOT = "orientation";
const cache = new Recent<ShownOrientation>(128 << 20, ({ reason }) => 64 * reason.values.length);

/** The request that the options of now make. */
function requestOf(of: Dataset): OrientationRequest {
  const { kilovolts, zoneStep, leastProbability, by } = orientationOptions.value;
  const { center } = ownCalibration(of);
  const turn = rotation.value;
  const list = crystals.value;
  const numbers = list.flatMap((one, i) => (leftOut.value.has(one.file) ? [] : [i]));
  return {
    op: "orientation",
    dataset: of.id,
    disks: changedOptions(diskOptions.value),
    // None is as good as all.
    crystals: numbers.length === list.length ? [] : numbers,
    library: {
      ...(kilovolts > 0 && { kilovolts }),
      ...(zoneStep !== USUAL_ORIENTATION.zoneStep && { zone_step: zoneStep }),
    },
    match:
      leastProbability === USUAL_ORIENTATION.leastProbability
        ? {}
        : { least_probability: leastProbability },
    calibration: {
      by,
      ...(detectorStepOf(of) > 0 && { step_mrad: detectorStepOf(of) }),
      ...(center && { center }),
      ...(typeof turn === "object" && { rotation: turn }),
    },
  };
}

/** What the button asked for. */
const pressed = signal<OrientationRequest | null>(null);

function orientationWish(of: Dataset): Wish<OrientationRequest> | null {
  const request = pressed.value;
  if (!disksOpen.value || request?.dataset !== of.id || !usable(of)) return null;
  const key = keyOf(request);
  return { key, subject: JSON.stringify([identity(of), SLOT, key]), request };
}

/** The arrays of an answer by name; null: they are not those of a scan of this size. */
export function orientationOf(answer: Answer, [rows, cols]: readonly [number, number]) {
  const words = answer.orientation;
  if (!words || words.directions.length !== 3) return null;
  const named = (name: string, ...shape: number[]): Raster["values"] | null => {
    const found = answer.arrays.find((one) => one.name === name);
    return found?.shape.join() === shape.join() ? found.values : null;
  };
  const raster = (name: string): Raster | null => {
    const values = named(name, rows, cols);
    return values && { rows, cols, values };
  };
  const colors = named("colors", 3, rows, cols, 3);
  const [phase, reason, probability] = [raster("phase"), raster("reason"), raster("probability")];
  const [error, diskReason] = [raster("error"), named("disk_reason", rows, cols)];
  const euler = named("euler", rows, cols, 3);
  const legends = words.phases.flatMap((_, i): RgbPicture[] => {
    const found = answer.arrays.find((one) => one.name === `legend ${i}`);
    const [high, wide, deep] = found?.shape ?? [];
    return found && high && wide && deep === 3 ? [{ rows: high, cols: wide, rgb: found.values }] : [];
  });
  if (!colors || !phase || !reason || !probability || !error || !diskReason || !euler) return null;
  if (legends.length !== words.phases.length) return null;
  const area = 3 * rows * cols;
  const cut = [0, 1, 2].map((i) => ({ rows, cols, rgb: colors.subarray(i * area, (i + 1) * area) }));
  return { colors: cut, phase, reason, probability, error, diskReason, euler, legends, words };
}

/** How far the search is; null: none is at work. */
export const orientationProgress = signal<Progress | null>(null);

function askOrientation(
  wish: Wish<OrientationRequest>,
  done: (found: ShownOrientation) => void,
  failed: (why: string) => void,
): void {
  const from = since();
  ask(SLOT, wish.request, {
    progress: (far) => (orientationProgress.value = far),
    answered: (answer) => {
      orientationProgress.value = null;
      const parts = orientationOf(answer, dataset.peek()?.scan ?? [0, 0]);
      if (!parts || answer.dataset !== wish.request.dataset || answer.op !== "orientation") {
        failed("The server answered something else than was asked for.");
        return;
      }
      const found: ShownOrientation = { ...wish, step: 1, since: from, ...parts };
      cache.put(found.key, found);
      drawn(SLOT, from);
      done(found);
    },
    failed: ({ message }) => {
      orientationProgress.value = null;
      failed(message);
    },
  });
}

export const orientationQuestion = new Question<OrientationRequest, ShownOrientation>(
  computed(() => (dataset.value ? orientationWish(dataset.value) : null)),
  { known: (key) => cache.get(key), more: () => false, ask: askOrientation },
);

export const shownOrientation = computed<ShownOrientation | null>(() =>
  visible(orientationQuestion.standing.value),
);

/** It waits for the server. */
export const orientationBusy = computed(() => {
  const { kind } = orientationQuestion.standing.value;
  return kind === "waiting" || kind === "trailing";
});

/** The maps were made of something else than what is set now. */
export const orientationIsOld = computed(() => {
  const [now, of] = [shownOrientation.value, dataset.value];
  return now !== null && of !== null && JSON.stringify(now.request) !== JSON.stringify(requestOf(of));
});

function stop(of: string): void {
  drop(SLOT);
  tell({ op: "stop", dataset: of }, SLOT);
  orientationProgress.value = null;
}

/** Asks with what is set now. */
export function findOrientations(): void {
  const of = dataset.value;
  if (!of) return;
  if (isBusy(SLOT)) stop(of.id);
  const request = requestOf(of);
  if (JSON.stringify(pressed.value) === JSON.stringify(request)) orientationQuestion.retry();
  else pressed.value = request;
}

/** Ends a search, and closes the maps. */
export function cancelOrientations(): void {
  const asked = pressed.value;
  if (!asked) return;
  if (isBusy(SLOT)) stop(asked.dataset);
  linkedCursor.value = null;
  pressed.value = null;
}

/** Maps are there, or on their way. */
export const orientationPanelOpen = computed(
  () => orientationQuestion.standing.value.kind !== "nothing",
);
