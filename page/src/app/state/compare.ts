// Compare: the same image of several datasets or frames, side by side.
// SPDX-License-Identifier: Apache-2.0
import { computed, effect, signal, untracked } from "@preact/signals";
import type { Limits, Picture } from "../../display/limits";
import { limitsOf } from "../../display/limits";
import type { View } from "../../display/view";
import type { Dataset, Point } from "../../types";
import { askImage, cached } from "./asking";
import type { Answered } from "./cache";
import { datasets, selectedId, usable } from "./datasets";
import { imageWish, pictureOf } from "./images";
import { moreToCome } from "./keys";
import { drop } from "./live";
import { complain } from "./notices";
import { type Failed, type Standing, standingOf, visible } from "./question";
import { compareOpen, settings } from "./settings";

const MOST = 12;
const FIRST = 4;

/** Ids of the datasets in the grid. */
export const compared = signal<readonly string[]>([]);
export const linkedContrast = signal(true);
export const linkedView = signal<View | null>(null);
export const linkedCursor = signal<Point | null>(null);

/** By dataset: what came, and what was refused. */
const answers = signal<ReadonlyMap<string, Answered>>(new Map());
const failures = signal<ReadonlyMap<string, Failed>>(new Map());

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

/** What stands in a dataset's cell. */
export function cellOf(of: Dataset): Standing<Answered> {
  const [answer, failure] = [answers.value.get(of.id), failures.value.get(of.id)];
  return standingOf(imageWish(of), answer ?? null, failure ?? null);
}

export function cellPicture(of: Dataset): Picture | null {
  const answer = visible(cellOf(of));
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

function place(id: string, answered: Answered): void {
  answers.value = new Map(answers.value).set(id, answered);
}

effect(() => {
  if (!compareOpen.value) {
    untracked(() => compared.value.forEach((id) => drop(`compare-${id}`.slice(0, 32))));
    return;
  }
  for (const of of chosen.value) {
    const wish = imageWish(of);
    if (!wish) continue;
    untracked(() => askCell(of, wish));
  }
});

function askCell(of: Dataset, wish: NonNullable<ReturnType<typeof imageWish>>): void {
  const before = answers.value.get(of.id);
  const known = cached(wish.key) ?? (before?.key === wish.key ? before : undefined);
  if (known && known !== before) place(of.id, known);
  if (known && !moreToCome(of.id, known.step)) return;
  askImage(
    `compare-${of.id}`.slice(0, 32),
    wish,
    (answered) => place(of.id, answered),
    (why) => {
      failures.value = new Map(failures.value).set(of.id, { key: wish.key, why });
    },
  );
}

/** Asks again for what a cell was refused. */
export function retryCell(of: Dataset): void {
  const left = new Map(failures.value);
  left.delete(of.id);
  failures.value = left;
  const wish = imageWish(of);
  if (wish) askCell(of, wish);
}
