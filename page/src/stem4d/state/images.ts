// The image panel: what is asked for when detectors, mode or dataset change, and what stands there.
// SPDX-License-Identifier: Apache-2.0
import { computed, signal } from "@preact/signals";
import type { Picture } from "../../display/limits";
import type { Dataset, Descan, ImageMode } from "../types";
import { askImage, cached } from "./asking";
import type { Answered, ImageRequest } from "./answered";
import { rotation } from "./calibration";
import { dataset, usable } from "./datasets";
import { selected } from "./detectors";
import { identity, keyOf, moreToCome } from "./keys";
import { tell } from "./live";
import { Question, visible, type Wish } from "./question";
import { keepFresh } from "./fresh";
import { drawn } from "./timing";

export type { ImageRequest } from "./answered";

export const mode = signal<ImageMode>("sum");
/** What the centre of mass is taken of: the selected detector's pixels, or all. */
export const mask = signal<"selected" | "whole">("whole");
/** What is subtracted from the centre of mass. */
export const descan = signal<Descan>("plane");

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

/** The same with what tells its answers from others. */
export function imageWish(of: Dataset): Wish<ImageRequest> | null {
  const request = requestFor(of);
  if (!request) return null;
  // Dragging a detector or the angle goes on with the same subject; anything else is another one.
  const { mode: what, detectors: list, rotation: turn, descan: less } = request;
  const which = list.length > 0 ? selected.value?.key : "";
  const angle = typeof turn === "string" ? turn : `by hand ${turn.transpose}`;
  const subject = JSON.stringify([identity(of), what, which, angle, less]);
  return { key: keyOf(request), subject, request };
}

export const imageQuestion = new Question<ImageRequest, Answered>(
  computed(() => (dataset.value ? imageWish(dataset.value) : null)),
  {
    known: cached,
    more: ({ request, step }) => moreToCome(request.dataset, step),
    ask: (wish, done, failed) => askImage("image", wish, done, failed),
  },
);

keepFresh(imageQuestion, "image", askImage);

/** The answer on the screen, also one that trails behind a drag. */
export const shown = computed<Answered | null>(() => visible(imageQuestion.standing.value));

/** The shown image is not yet the one that was asked for. */
export const pending = computed(() => {
  const { kind } = imageQuestion.standing.value;
  return kind === "waiting" || kind === "trailing";
});

let counted: Answered | null = null;
/** The panel has drawn what is shown. */
export function imageDrawn(): void {
  const now = shown.peek();
  if (!now || now === counted) return;
  if (!counted) afterFrame(() => tell({ op: "shown", dataset: now.request.dataset }));
  counted = now;
  drawn("image", now.since);
}

/** Once the browser has painted what was drawn. */
function afterFrame(call: () => void): void {
  requestAnimationFrame(() => setTimeout(call));
}

const fields = new WeakMap<object, Picture>();

/** What is drawn of an answer: one image, or the two of a vector map. The same object each time. */
export function pictureOf({ request, images }: Answered): Picture | null {
  const [first, second] = images;
  if (!first || request.mode !== "com_vector" || !second) return first ?? null;
  const known = fields.get(first);
  if (known) return known;
  const { rows, cols } = first;
  const field = { rows, cols, down: first.values, right: second.values };
  fields.set(first, field);
  return field;
}

/** What the panel draws. */
export const picture = computed<Picture | null>(() =>
  shown.value ? pictureOf(shown.value) : null,
);

const UNITS: Record<Exclude<ImageMode, "sum">, string> = {
  mean: "counts/pixel",
  com_row: "px",
  com_col: "px",
  com_magnitude: "px",
  com_vector: "px",
  divergence: "",
  curl: "",
  icom: "",
};

/** The unit of an image of a dataset: sums of bins that are means are no counts. */
export const imageUnit = (mode: ImageMode, of: Dataset | null): string =>
  mode === "sum" ? (of?.units.sum ?? "counts") : UNITS[mode];

export const MODE_NAMES: Record<ImageMode, string> = {
  sum: "Sum",
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
