// The diffraction panel: what is asked for when the probe, region or source change, and what came.
// SPDX-License-Identifier: Apache-2.0
import { computed, effect, signal, untracked } from "@preact/signals";
import type { Request } from "../../protocol/messages";
import { rasters } from "../../protocol/wire";
import type { Dataset, Raster } from "../../types";
import { dataset, datasets, finished, usable } from "./datasets";
import { ask } from "./live";
import { complain } from "./notices";
import { type PatternSource, patternSource, probe, region, regionKind } from "./scan";
import { drawn, since } from "./timing";

export interface ShownPattern {
  key: string;
  dataset: string;
  raster: Raster;
  source: PatternSource;
  step: number;
  /** Frames it was made of. */
  frames: number;
  since: number;
}

export const shownPattern = signal<ShownPattern | null>(null);

const KEPT = 64;
const kept = new Map<string, ShownPattern>();

/** What the diffraction panel of a dataset would show. */
export function patternRequest(of: Dataset): Request | null {
  if (!usable(of)) return null;
  const source = patternSource.value;
  if (source === "region" && region.value) {
    return { op: "region", dataset: of.id, region: region.value, kind: regionKind.value };
  }
  if (source === "probe" || source === "region") {
    const [row, col] = probe.value;
    return { op: "frame", dataset: of.id, row, col };
  }
  return { op: "pattern", dataset: of.id, kind: source };
}

export function patternKey(request: Request): string {
  if (!("dataset" in request)) return request.op;
  const of = datasets.value.find((one) => one.id === request.dataset);
  return JSON.stringify([request, request.op === "frame" ? 1 : of?.step]);
}

/** Remembers a pattern, also one that is not looked at yet. */
export function keepPattern(pattern: ShownPattern): void {
  kept.delete(pattern.key);
  kept.set(pattern.key, pattern);
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
}

export const cachedPattern = (key: string): ShownPattern | undefined => kept.get(key);

/** Asks for a pattern in a slot. */
export function askPattern(
  slot: string,
  request: Request,
  done: (pattern: ShownPattern) => void,
  failed: (text: string) => void,
): void {
  const [key, from, source] = [patternKey(request), since(), patternSource.value];
  ask(slot, request, {
    answered: (answer) => {
      const raster = rasters(answer)[0];
      if (!raster) return;
      const { dataset: id, step, frames } = answer;
      if (step === 1) finished(id);
      const pattern = { key, dataset: id, raster, source, step, frames, since: from };
      keepPattern(pattern);
      done(pattern);
    },
    failed: (failure) => failed(failure.message),
  });
}

const wanted = computed<Request | null>(() =>
  dataset.value ? patternRequest(dataset.value) : null,
);
const wantedKey = computed(() => (wanted.value ? patternKey(wanted.value) : ""));

effect(() => {
  const key = wantedKey.value;
  const request = wanted.peek();
  if (key !== "" && request) untracked(() => show(request, key));
  else shownPattern.value = null;
});

function show(request: Request, key: string): void {
  const known = kept.get(key);
  if (known) {
    shownPattern.value = { ...known, since: since() };
    if (known.step === 1) return;
  }
  const place = (pattern: ShownPattern): void => {
    if (pattern.dataset === dataset.peek()?.id) shownPattern.value = pattern;
  };
  askPattern("pattern", request, place, complain);
}

let counted: ShownPattern | null = null;
/** The panel has drawn what is shown. */
export function patternDrawn(): void {
  const now = shownPattern.peek();
  if (!now || now === counted) return;
  counted = now;
  drawn("pattern", now.since);
}

export const SOURCE_NAMES: Record<PatternSource, string> = {
  probe: "At the probe",
  region: "Scan region",
  sum: "Sum of all",
  mean: "Mean of all",
  max: "Maximum of all",
  variance: "Variance",
};
