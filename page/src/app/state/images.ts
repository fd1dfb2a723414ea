// The image panel: what is asked for when detectors, mode or dataset change, and what came.
// SPDX-License-Identifier: Apache-2.0
import { batch, computed, effect, signal, untracked } from "@preact/signals";
import type { Picture } from "../../display/limits";
import type { Answer, Request } from "../../protocol/messages";
import { rasters } from "../../protocol/wire";
import type { Dataset, Descan, ImageMode, Raster } from "../../types";
import { type Answered, AnswerCache } from "./cache";
import { rotation } from "./calibration";
import { stretched } from "./coarse";
import { dataset, datasets, finished, usable } from "./datasets";
import { selected } from "./detectors";
import { ask } from "./live";
import { complain } from "./notices";
import { drawn, since } from "./timing";

export type ImageRequest = Extract<Request, { op: "image" }>;

export const mode = signal<ImageMode>("sum");
/** What the centre of mass is taken of: the selected detector's pixels, or all. */
export const mask = signal<"selected" | "whole">("whole");
/** What is subtracted from the centre of mass. */
export const descan = signal<Descan>("plane");

export interface Shown extends Answered {
  mode: ImageMode;
  /** performance.now() of the event that asked for it. */
  since: number;
}

export const shown = signal<Shown | null>(null);
/** The shown image is not yet the one that was asked for. */
export const pending = signal(false);

const CACHE_BYTES = 256 << 20;
const cache = new AnswerCache(CACHE_BYTES);

export const isMoment = (of: ImageMode): boolean => of !== "sum" && of !== "mean";

/** What the image panel of a dataset would show. */
export function requestFor(of: Dataset): ImageRequest | null {
  const detector = selected.value;
  if (!usable(of) || !detector) return null;
  const moment = isMoment(mode.value);
  const masked = !moment || mask.value === "selected";
  return {
    op: "image",
    dataset: of.id,
    mode: mode.value,
    detectors: masked ? [detector.region] : [],
    rotation: moment ? rotation.value : "none",
    ...(moment && { descan: descan.value }),
  };
}

/** Equal for equal answers; a dataset that got further has another key. */
export function keyOf(request: ImageRequest): string {
  const of = datasets.value.find((one) => one.id === request.dataset);
  return JSON.stringify([request, of?.step, of?.state === "streaming"]);
}

/** The answer's images on the whole scan. */
export function imagesOf(answer: Answer): Raster[] {
  const of = datasets.value.find((one) => one.id === answer.dataset);
  const [rows, cols] = of?.scan ?? [0, 0];
  return rasters(answer).map((raster) =>
    of ? stretched(raster, answer.step, rows, cols) : raster,
  );
}

export function keep(key: string, answer: Answer): Answered {
  const { dataset: id, step, rotation: used, notes, ms } = answer;
  const images = imagesOf(answer);
  const answered = { key, dataset: id, images, step, rotation: used, notes, ms };
  cache.put(answered);
  if (step === 1) finished(id);
  return answered;
}

export const cached = (key: string): Answered | undefined => cache.get(key);

const wanted = computed<ImageRequest | null>(() =>
  dataset.value ? requestFor(dataset.value) : null,
);

/** What is on the screen or asked for there. */
export const wantedKey = computed(() => (wanted.value ? keyOf(wanted.value) : ""));

effect(() => {
  const key = wantedKey.value;
  const request = wanted.peek();
  if (request) untracked(() => show(request, key));
  else blank();
});

/** Another dataset's image must not stand under the name of one that has none. */
function blank(): void {
  batch(() => {
    shown.value = null;
    pending.value = false;
  });
}

function show(request: ImageRequest, key: string): void {
  const from = since();
  const known = cache.get(key);
  if (known) {
    batch(() => {
      pending.value = known.step > 1;
      shown.value = { ...known, mode: request.mode, since: from };
    });
    if (known.step === 1 || request.dataset !== dataset.value?.id) return;
    // What is known is coarse: the sharp one may be there now.
    if (dataset.value.state !== "streaming") return;
  } else {
    pending.value = true;
  }
  ask("image", request, {
    answered: (answer) => {
      const answered = keep(key, answer);
      if (request.dataset !== dataset.peek()?.id) return;
      batch(() => {
        pending.value = wantedKey.value !== key;
        shown.value = { ...answered, mode: request.mode, since: from };
      });
    },
    failed: (failure) => {
      pending.value = false;
      complain(failure.message);
    },
  });
}

let counted: Shown | null = null;
/** The panel has drawn what is shown. */
export function imageDrawn(): void {
  const now = shown.peek();
  if (!now || now === counted) return;
  counted = now;
  drawn("image", now.since);
}

/** What the panel draws: one image, or the two of a vector map. */
export const picture = computed<Picture | null>(() => {
  const now = shown.value;
  const [first, second] = now?.images ?? [];
  if (!first) return null;
  if (now?.mode !== "com_vector" || !second) return first;
  const { rows, cols } = first;
  return { rows, cols, down: first.values, right: second.values };
});

export const UNITS: Record<ImageMode, string> = {
  sum: "counts",
  mean: "counts",
  com_row: "px",
  com_col: "px",
  com_magnitude: "px",
  com_vector: "px",
  divergence: "",
  curl: "",
  icom: "",
};

export const MODE_NAMES: Record<ImageMode, string> = {
  sum: "Sum of counts",
  mean: "Mean per pixel",
  com_row: "CoM, rows",
  com_col: "CoM, columns",
  com_magnitude: "CoM, magnitude",
  com_vector: "CoM, colour wheel",
  divergence: "Divergence (dCoM)",
  curl: "Curl",
  icom: "iCoM (phase)",
};

export const MODES: readonly ImageMode[] = [
  "sum",
  "mean",
  "com_row",
  "com_col",
  "com_magnitude",
  "com_vector",
  "divergence",
  "curl",
  "icom",
];
