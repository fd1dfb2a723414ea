// window.sluice: what the tests and the performance table read.
// SPDX-License-Identifier: Apache-2.0
import { untilDrawn } from "../shell/hooks";
import type { Counters } from "../shell/protocol/slots";
import type { Raster } from "../types";
import type { MatchWords } from "./protocol/orientation";
import { imageQuestion } from "./state/images";
import { counters, isIdle, phase } from "./state/live";
import { candidateIndex, matchQuestion } from "./state/match";
import { orientationQuestion } from "./state/orientation";
import { disksQuestion, type FoundDisk } from "./state/disks";
import { patternQuestion, sourceOf } from "./state/pattern";
import { strainQuestion } from "./state/strain";
import { drawCounts, drawLatencies, forgetTimes } from "./state/timing";

interface Plain {
  rows: number;
  cols: number;
  values: number[];
}

export interface Hooks {
  /** Milliseconds from event to drawn and images drawn, per slot; the connection's counters. */
  stats(): {
    latencies: Record<string, number[]>;
    drawn: Record<string, number>;
    counters: Counters;
    phase: string;
  };
  /** Forgets the latencies so far. */
  reset(): void;
  /** Until everything that was asked for is answered and drawn. */
  idle(): Promise<void>;
  /** What the image panel shows, as numbers; null: it does not show what was asked for. */
  images(): { dataset: string | null; mode: string; step: number; images: Plain[] } | null;
  /** The disks of the frame at the probe; null: they are not those that were asked for. */
  disks(): { row: number; col: number; reason: string; disks: readonly FoundDisk[] } | null;
  /** Maps and errors, in the order of `names`. */
  strain(): { names: string[]; maps: Plain[]; errors: Plain[] } | null;
  /** Of each point, and what is said of them. */
  orientation(): { phases: string[]; indexed: number; reason: number[]; euler: number[] } | null;
  /** What competes for the pattern at the probe, and which of it is drawn. */
  match(): { row: number; col: number; drawn: number; words: MatchWords; spots: number } | null;
  pattern(): { dataset: string; source: string; step: number; pattern: Plain } | null;
}

const plain = ({ rows, cols, values }: Raster): Plain => ({ rows, cols, values: [...values] });

function settled(): boolean {
  const questions = [
    imageQuestion,
    patternQuestion,
    disksQuestion,
    strainQuestion,
    orientationQuestion,
    matchQuestion,
  ];
  const waits = questions.some(({ standing: { value } }) => {
    return value.kind === "waiting" || value.kind === "trailing";
  });
  return isIdle() && !waits;
}

export const hooks: Hooks = {
  stats: () => ({
    latencies: drawLatencies(),
    drawn: drawCounts(),
    counters: { ...counters(), latencies: [...counters().latencies] },
    phase: phase.value.kind,
  }),
  reset: forgetTimes,
  idle: () => untilDrawn(settled),
  images: () => {
    const now = imageQuestion.standing.value;
    if (now.kind !== "answered") return null;
    const { request, step, images } = now.answer;
    return { dataset: request.dataset, mode: request.mode, step, images: images.map(plain) };
  },
  disks: () => {
    const now = disksQuestion.standing.value;
    if (now.kind !== "answered") return null;
    const { request, reason, disks } = now.answer;
    return { row: request.row, col: request.col, reason, disks };
  },
  strain: () => {
    const now = strainQuestion.standing.value;
    if (now.kind !== "answered") return null;
    const { words, maps, errors } = now.answer;
    return {
      names: words.maps.map((one) => one.name),
      maps: maps.map(plain),
      errors: errors.map(plain),
    };
  },
  orientation: () => {
    const now = orientationQuestion.standing.value;
    if (now.kind !== "answered") return null;
    const { words, reason, euler } = now.answer;
    return {
      phases: words.phases.map((one) => one.name),
      indexed: words.indexed,
      reason: [...reason.values],
      euler: [...euler],
    };
  },
  match: () => {
    const now = matchQuestion.standing.value;
    if (now.kind !== "answered") return null;
    const { request, words, spots } = now.answer;
    const drawn = candidateIndex.value;
    return { row: request.row, col: request.col, drawn, words, spots: spots[drawn]?.length ?? 0 };
  },
  pattern: () => {
    const now = patternQuestion.standing.value;
    if (now.kind !== "answered") return null;
    const { request, step, raster } = now.answer;
    return { dataset: request.dataset, source: sourceOf(request), step, pattern: plain(raster) };
  },
};

declare global {
  interface Window {
    sluice?: Hooks;
  }
}

export function installHooks(): void {
  window.sluice = hooks;
}
