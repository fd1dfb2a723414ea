// What competes for the pattern at the probe, and which of it is drawn.
// SPDX-License-Identifier: Apache-2.0
import { computed, signal } from "@preact/signals";
import { Recent } from "../../shell/recent";
import type { Candidate, MatchWords } from "../protocol/orientation";
import type { Answer } from "../protocol/messages";
import { clamp } from "../geometry/measure";
import type { Dataset } from "../types";
import { askFor } from "./asking";
import { dataset, usable } from "./datasets";
import { identity, keyOf, type Query } from "./keys";
import { shownOrientation } from "./orientation";
import { shownPattern } from "./pattern";
import { type Bound, Question, visible, type Wish } from "./question";
import { probe } from "./scan";
import { drawn } from "./timing";

export type MatchRequest = Extract<Query, { op: "match" }>;

/** A reflection that a candidate predicts, in pixels of the full detector. */
export interface Spot {
  row: number;
  col: number;
  /** Of the strongest one, from 0 to 1. */
  intensity: number;
  hkl: readonly [number, number, number];
}

export interface ShownMatch extends Bound<MatchRequest> {
  words: MatchWords;
  /** Of each candidate. */
  spots: readonly (readonly Spot[])[];
}

const COLUMNS = 7;
const KEPT = 200;
const cache = new Recent<ShownMatch>(KEPT, () => 1);

export function spotsOf({ arrays: [array] }: Answer, candidates: number): Spot[][] | null {
  if (array?.name !== "spots" || array.shape.length !== 2 || array.shape[1] !== COLUMNS) return null;
  const all: Spot[][] = Array.from({ length: candidates }, () => []);
  for (let i = 0; i < (array.shape[0] ?? 0); ++i) {
    const at = (column: number): number => array.values[i * COLUMNS + column] ?? NaN;
    all[at(0)]?.push({ row: at(1), col: at(2), intensity: at(3), hkl: [at(4), at(5), at(6)] });
  }
  return all;
}

/** Only of a scan whose map is shown: the map says what is believed. */
function matchWish(of: Dataset): Wish<MatchRequest> | null {
  const map = shownOrientation.value;
  if (!map || map.request.dataset !== of.id || !usable(of)) return null;
  const [row, col] = probe.value;
  const [rows, cols] = of.scan;
  const request: MatchRequest = {
    ...map.request,
    op: "match",
    row: clamp(row, 0, rows - 1),
    col: clamp(col, 0, cols - 1),
  };
  return { key: keyOf(request), subject: JSON.stringify([identity(of), "match", map.key]), request };
}

export const matchQuestion = new Question<MatchRequest, ShownMatch>(
  computed(() => (dataset.value ? matchWish(dataset.value) : null)),
  {
    known: (key) => cache.get(key),
    more: () => false,
    ask: (wish, done, failed) => {
      const take = (answer: Answer, bound: Bound<MatchRequest>): boolean => {
        const words = answer.match;
        const spots = words && spotsOf(answer, words.candidates.length);
        if (!spots || answer.op !== "match" || answer.dataset !== wish.request.dataset) return false;
        const found: ShownMatch = { ...bound, words, spots };
        cache.put(found.key, found);
        drawn("match", bound.since);
        done(found);
        return true;
      };
      askFor("match", wish, take, failed);
    },
  },
);

export const shownMatch = computed<ShownMatch | null>(() => visible(matchQuestion.standing.value));

/** The match of the very frame that the diffraction panel shows; null: it shows something else. */
export const matchOnPattern = computed<ShownMatch | null>(() => {
  const [found, pattern] = [shownMatch.value, shownPattern.value];
  if (!found || pattern?.request.op !== "frame") return null;
  const { row, col, dataset: of } = pattern.request;
  const { request } = found;
  return request.row === row && request.col === col && request.dataset === of ? found : null;
});

/** Which candidate of which match was chosen; another pattern begins with its best one. */
const chosen = signal<{ key: string; index: number }>({ key: "", index: 0 });

/** The number of the candidate that is drawn. */
export const candidateIndex = computed(() =>
  chosen.value.key === shownMatch.value?.key ? chosen.value.index : 0,
);

export const shownCandidate = computed<Candidate | null>(
  () => shownMatch.value?.words.candidates[candidateIndex.value] ?? null,
);

/** Draws the next best match of the pattern, and after the last one the best. False: there is none. */
export function nextCandidate(): boolean {
  const match = shownMatch.value;
  const count = match?.words.candidates.length ?? 0;
  if (!match || count === 0) return false;
  chosen.value = { key: match.key, index: (candidateIndex.value + 1) % count };
  return true;
}
