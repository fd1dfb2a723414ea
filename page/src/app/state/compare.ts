// Compare: the same image of several datasets or frames, side by side.
// SPDX-License-Identifier: Apache-2.0
import { computed, effect, signal, untracked } from "@preact/signals";
import type { Limits, Picture } from "../../display/limits";
import { limitsOf } from "../../display/limits";
import type { View } from "../../display/view";
import type { Dataset, Point } from "../../types";
import { type Answered } from "./cache";
import { datasets, usable } from "./datasets";
import { cached, keep, keyOf, mode, requestFor } from "./images";
import { ask, drop } from "./live";
import { complain } from "./notices";
import { compareOpen, settings } from "./settings";

const MOST = 12;
const FIRST = 4;

/** Ids of the datasets in the grid. */
export const compared = signal<readonly string[]>([]);
export const linkedContrast = signal(true);
export const linkedView = signal<View | null>(null);
export const linkedCursor = signal<Point | null>(null);

/** By dataset: what came. */
const answers = signal<ReadonlyMap<string, Answered>>(new Map());

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

export function pictureOf(id: string): Picture | null {
  const [first, second] = answers.value.get(id)?.images ?? [];
  if (!first) return null;
  if (mode.value !== "com_vector") return first;
  if (!second) return null;
  return vector(id, first, second);
}

const vectors = new Map<string, { first: object; picture: Picture }>();
type Image = Answered["images"][number];

/** Stays the same object for the same answer, so that it is not drawn anew. */
function vector(id: string, first: Image, second: Image): Picture {
  const known = vectors.get(id);
  if (known?.first === first) return known.picture;
  const picture = { rows: first.rows, cols: first.cols, down: first.values, right: second.values };
  vectors.set(id, { first, picture });
  return picture;
}

/** Limits that hold for all: the widest of each one's own. */
export const commonLimits = computed<Limits | null>(() => {
  if (!linkedContrast.value) return null;
  const all = compared.value.flatMap((id) => pictureOf(id) ?? []);
  if (all.length === 0) return null;
  const limits = all.map((picture) => limitsOf(picture, settings.image.value));
  return {
    low: Math.min(...limits.map((one) => one.low)),
    high: Math.max(...limits.map((one) => one.high)),
  };
});

effect(() => {
  if (!compareOpen.value) return;
  untracked(() => {
    if (compared.value.length > 0) return;
    compared.value = datasets.value.filter(usable).slice(0, FIRST).map((one) => one.id);
  });
});

function place(answered: Answered): void {
  answers.value = new Map(answers.value).set(answered.dataset, answered);
}

effect(() => {
  if (!compareOpen.value) {
    untracked(() => compared.value.forEach((id) => drop(`compare-${id}`.slice(0, 32))));
    return;
  }
  for (const of of chosen.value) {
    const request = requestFor(of);
    if (!request) continue;
    const key = keyOf(request);
    untracked(() => {
      const known = cached(key);
      if (known) place(known);
      if (known?.step === 1 || answers.value.get(of.id)?.key === key) return;
      ask(`compare-${of.id}`.slice(0, 32), request, {
        answered: (answer) => place(keep(key, answer)),
        failed: (failure) => complain(`${of.name}: ${failure.message}`),
      });
    });
  }
});
