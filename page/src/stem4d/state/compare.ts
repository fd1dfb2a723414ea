// Compare: the same image of several datasets or frames, side by side.
// SPDX-License-Identifier: Apache-2.0
import { computed, effect, signal, untracked } from "@preact/signals";
import type { Limits, Picture } from "../../display/limits";
import { limitsOf } from "../../display/limits";
import type { View } from "../../display/view";
import { complain } from "../../shell/notices";
import type { Point } from "../../types";
import type { Dataset } from "../types";
import { askImage, cached } from "./asking";
import type { Answered, ImageRequest } from "./answered";
import { datasets, selectedId, usable } from "./datasets";
import { imageWish, pictureOf } from "./images";
import { keepFresh } from "./fresh";
import { moreToCome } from "./keys";
import { drop } from "./live";
import { Question, visible } from "./question";
import { compareOpen, settings } from "./settings";

const MOST = 12;
const FIRST = 4;

/** Ids of the datasets in the grid. */
export const compared = signal<readonly string[]>([]);
export const linkedContrast = signal(true);
export const linkedView = signal<View | null>(null);
export const linkedCursor = signal<Point | null>(null);

/** Cells by dataset; each asks while it is in the open grid. */
const cells = new Map<string, Question<ImageRequest, Answered>>();

export const chosen = computed<readonly Dataset[]>(() =>
  compared.value.flatMap((id) => datasets.value.find((one) => one.id === id) ?? []),
);

export function setCompared(id: string, on: boolean): void {
  const others = compared.value.filter((one) => one !== id);
  if (on && others.length >= MOST) {
    complain(`At most ${MOST} images stand side by side.`);
    return;
  }
  compared.value = on ? [...others, id] : others;
}

function newCell(id: string): Question<ImageRequest, Answered> {
  const wish = computed(() => {
    const of = compareOpen.value ? chosen.value.find((one) => one.id === id) : undefined;
    return of ? imageWish(of) : null;
  });
  return new Question(wish, {
    known: cached,
    more: ({ request, step }) => moreToCome(request.dataset, step),
    ask: (asked, done, failed) => askImage(slotOf(id), asked, done, failed),
  });
}

function newFreshCell(id: string): Question<ImageRequest, Answered> {
  const cell = newCell(id);
  keepFresh(cell, slotOf(id), askImage);
  return cell;
}

const slotOf = (id: string): string => `compare-${id}`.slice(0, 32);

/** What is asked for a dataset's cell, and what stands in it. */
export function cellOf({ id }: Dataset): Question<ImageRequest, Answered> {
  const cell = cells.get(id) ?? untracked(() => newFreshCell(id));
  cells.set(id, cell);
  return cell;
}

export function cellPicture(of: Dataset): Picture | null {
  const answer = visible(cellOf(of).standing.value);
  return answer && pictureOf(answer);
}

/** Limits that hold for all: the widest of each one's own. */
export const commonLimits = computed<Limits | null>(() => {
  if (!linkedContrast.value) return null;
  const all = chosen.value.flatMap((of) => cellPicture(of) ?? []);
  if (all.length === 0) return null;
  const limits = all.map((picture) => limitsOf(picture, settings.image.value));
  return {
    low: Math.min(...limits.map((one) => one.low)),
    high: Math.max(...limits.map((one) => one.high)),
    knee: Math.min(...limits.map((one) => one.knee ?? 1)),
  };
});

/** The current one first, then its neighbours in the list. */
function firstOnes(): string[] {
  const ids = datasets.value.filter(usable).map((one) => one.id);
  const here = selectedId.value;
  const others = ids.filter((id) => id !== here);
  return (here && ids.includes(here) ? [here, ...others] : ids).slice(0, FIRST);
}

effect(() => {
  if (!compareOpen.value) return;
  // The current frame is always among them.
  const here = selectedId.value;
  untracked(() => {
    if (compared.value.length === 0) compared.value = firstOnes();
    else if (here && !compared.value.includes(here))
      compared.value = [here, ...compared.value].slice(0, MOST);
  });
});

effect(() => {
  if (!compareOpen.value) untracked(() => compared.value.forEach((id) => drop(slotOf(id))));
  else for (const of of chosen.value) cellOf(of);
});
