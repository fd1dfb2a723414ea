// Strain of the whole scan: asked for by a button, with progress, and what stands.
// SPDX-License-Identifier: Apache-2.0
import { computed, signal } from "@preact/signals";
import { Recent } from "../../shell/recent";
import type { Raster } from "../../types";
import type { DiskPlan, StrainWords } from "../protocol/crystal";
import type { Answer, Progress } from "../protocol/messages";
import type { Dataset } from "../types";
import { linkedCursor } from "./compare";
import { dataset, usable } from "./datasets";
import { changedOptions, diskOptions, type DiskWords } from "./disks";
import { identity, keyOf, type Query } from "./keys";
import { ask, drop, isBusy, tell } from "./live";
import { type Bound, Question, visible, type Wish } from "./question";
import { region } from "./scan";
import { disksOpen } from "./settings";
import { drawn, since } from "./timing";

export type StrainRequest = Extract<Query, { op: "strain" }>;

/** From what strain is measured: the median of the scan, or of the scan's region. */
export const reference = signal<"median" | "region">("median");
/** The scan's region, where strain can be measured from it. */
export const referenceRegion = computed(() =>
  region.value?.shape === "rectangle" ? region.value : null,
);
/** By how much the axes are turned from the row to the column axis. */
export const axisDegrees = signal(0);

export interface ShownStrain extends Bound<StrainRequest> {
  /** In the order of the words' maps. */
  maps: readonly Raster[];
  errors: readonly Raster[];
  /** [point][origin row, col, a row, col, b row, col] on the full detector. */
  lattices: Raster["values"];
  used: Raster["values"];
  reason: Raster["values"];
  diskReason: Raster["values"];
  words: StrainWords;
  plan: DiskPlan;
}

const SLOT = "strain";
const bytesOf = ({ maps, errors }: ShownStrain): number =>
  [...maps, ...errors].reduce((sum, one) => sum + 2 * one.values.byteLength, 0);
const cache = new Recent<ShownStrain>(128 << 20, bytesOf);

/** With what disks the button was pressed. */
const pressed = signal<{ dataset: string; disks: DiskWords } | null>(null);

function strainWish(of: Dataset): Wish<StrainRequest> | null {
  const asked = pressed.value;
  if (!disksOpen.value || asked?.dataset !== of.id || !usable(of)) return null;
  const request: StrainRequest = {
    op: "strain",
    dataset: of.id,
    disks: asked.disks,
    strain: axisDegrees.value === 0 ? {} : { axis_degrees: axisDegrees.value },
    ...(reference.value === "region" && referenceRegion.value && { region: referenceRegion.value }),
  };
  const subject = JSON.stringify([identity(of), SLOT, asked.disks]);
  return { key: keyOf(request), subject, request };
}

/** The arrays of an answer by name; null: they are not those of a scan of this size. */
export function strainOf(answer: Answer, [rows, cols]: readonly [number, number]) {
  const { strain: words, plan } = answer;
  if (!words || !plan || words.maps.length !== 4) return null;
  const named = (name: string, ...shape: number[]): Raster["values"] | null => {
    const found = answer.arrays.find((one) => one.name === name);
    return found?.shape.join() === shape.join() ? found.values : null;
  };
  const maps = named("maps", 4, rows, cols);
  const errors = named("errors", 4, rows, cols);
  const lattices = named("lattices", rows, cols, 6);
  const used = named("used", rows, cols);
  const reason = named("reason", rows, cols);
  const diskReason = named("disk_reason", rows, cols);
  if (!maps || !errors || !lattices || !used || !reason || !diskReason) return null;
  const area = rows * cols;
  const cut = (all: Raster["values"]): Raster[] =>
    [0, 1, 2, 3].map((i) => ({ rows, cols, values: all.subarray(i * area, (i + 1) * area) }));
  return { maps: cut(maps), errors: cut(errors), lattices, used, reason, diskReason, words, plan };
}

/** How far the search is; null: none is at work. */
export const strainProgress = signal<Progress | null>(null);

function askStrain(
  wish: Wish<StrainRequest>,
  done: (found: ShownStrain) => void,
  failed: (why: string) => void,
): void {
  const from = since();
  ask(SLOT, wish.request, {
    progress: (far) => (strainProgress.value = far),
    answered: (answer) => {
      strainProgress.value = null;
      const parts = strainOf(answer, dataset.peek()?.scan ?? [0, 0]);
      if (!parts || answer.dataset !== wish.request.dataset || answer.op !== "strain") {
        failed("The server answered something else than was asked for.");
        return;
      }
      const found: ShownStrain = { ...wish, step: 1, since: from, ...parts };
      cache.put(found.key, found);
      drawn(SLOT, from);
      done(found);
    },
    failed: ({ message }) => {
      strainProgress.value = null;
      failed(message);
    },
  });
}

export const strainQuestion = new Question<StrainRequest, ShownStrain>(
  computed(() => (dataset.value ? strainWish(dataset.value) : null)),
  { known: (key) => cache.get(key), more: () => false, ask: askStrain },
);

export const shownStrain = computed<ShownStrain | null>(() =>
  visible(strainQuestion.standing.value),
);

/** It waits for the server. */
export const strainBusy = computed(() => {
  const { kind } = strainQuestion.standing.value;
  return kind === "waiting" || kind === "trailing";
});

/** The maps were made of other disks than those that the options find now. */
export const strainIsOld = computed(() => {
  const now = shownStrain.value;
  const wanted = changedOptions(diskOptions.value);
  return now !== null && JSON.stringify(now.request.disks) !== JSON.stringify(wanted);
});

function stop(of: string): void {
  drop(SLOT);
  tell({ op: "stop", dataset: of }, SLOT);
  strainProgress.value = null;
}

/** Finds the disks of the scan with the options of now, and its strain. */
export function findStrain(): void {
  const of = dataset.value;
  if (!of) return;
  if (isBusy(SLOT)) stop(of.id);
  const disks = changedOptions(diskOptions.value);
  const before = pressed.value;
  const same =
    before?.dataset === of.id && JSON.stringify(before.disks) === JSON.stringify(disks);
  if (same) strainQuestion.retry();
  else pressed.value = { dataset: of.id, disks };
}

/** Ends a search, and closes the maps. */
export function cancelStrain(): void {
  const asked = pressed.value;
  if (!asked) return;
  if (isBusy(SLOT)) stop(asked.dataset);
  linkedCursor.value = null;
  pressed.value = null;
}

/** Maps are there, or on their way. */
export const strainPanelOpen = computed(() => strainQuestion.standing.value.kind !== "nothing");
