// The diffraction panel: what is asked for when probe, region or source change, and what stands.
// SPDX-License-Identifier: Apache-2.0
import { computed } from "@preact/signals";
import type { Raster } from "../../types";
import { clamp } from "../geometry/measure";
import type { Dataset } from "../types";
import { askPattern, cachedPattern, type PatternRequest, type ShownPattern } from "./asking";
import { dataset, usable } from "./datasets";
import { identity, keyOf, moreToCome } from "./keys";
import { Question, visible, type Wish } from "./question";
import { type PatternSource, patternSource, probe, region, regionKind } from "./scan";
import { keepFresh } from "./fresh";
import { drawn } from "./timing";

/** What the diffraction panel of a dataset would show. */
export function patternRequest(of: Dataset): PatternRequest | null {
  if (!usable(of)) return null;
  const source = patternSource.value;
  if (source === "region" && region.value) {
    return { op: "region", dataset: of.id, region: region.value, kind: regionKind.value };
  }
  if (source === "probe" || source === "region") {
    const [row, col] = probe.value;
    const [rows, cols] = of.scan;
    return {
      op: "frame",
      dataset: of.id,
      row: clamp(row, 0, rows - 1),
      col: clamp(col, 0, cols - 1),
    };
  }
  return { op: "pattern", dataset: of.id, kind: source };
}

export function patternWish(of: Dataset): Wish<PatternRequest> | null {
  const request = patternRequest(of);
  if (!request) return null;
  const kind = request.op === "frame" ? "" : request.kind;
  const subject = JSON.stringify([identity(of), request.op, kind]);
  return { key: keyOf(request), subject, request };
}

export const patternQuestion = new Question<PatternRequest, ShownPattern>(
  computed(() => (dataset.value ? patternWish(dataset.value) : null)),
  {
    known: cachedPattern,
    more: ({ request, step }) => moreToCome(request.dataset, step),
    ask: (wish, done, failed) => askPattern("pattern", wish, done, failed),
  },
);

keepFresh(patternQuestion, "pattern", askPattern);

/** The pattern on the screen, also one that trails behind a drag. */
export const shownPattern = computed<ShownPattern | null>(() =>
  visible(patternQuestion.standing.value),
);

export const patternRaster = computed<Raster | null>(() => shownPattern.value?.raster ?? null);

/** Which of the panel's sources a request is of. */
export function sourceOf(request: PatternRequest): PatternSource {
  if (request.op === "frame") return "probe";
  return request.op === "region" ? "region" : request.kind;
}

export function patternUnit(request: PatternRequest, of: Dataset | null): string {
  const unit = of?.units.pixel ?? "counts";
  if (request.op !== "pattern" || request.kind !== "variance") return unit;
  return unit === "counts" ? "counts²" : `(${unit})²`;
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
