// window.sluice: what the tests and the performance table read.
// SPDX-License-Identifier: Apache-2.0
import type { Counters } from "../protocol/slots";
import type { Raster } from "../types";
import { selectedId } from "./state/datasets";
import { pending, shown, wantedKey } from "./state/images";
import { counters, isIdle, phase } from "./state/live";
import { shownPattern } from "./state/pattern";
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
  /** What the image panel shows, as numbers. */
  images(): { dataset: string | null; mode: string; step: number; images: Plain[] } | null;
  pattern(): { dataset: string; source: string; step: number; pattern: Plain } | null;
}

const plain = ({ rows, cols, values }: Raster): Plain => ({ rows, cols, values: [...values] });
const nextFrame = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

function settled(): boolean {
  return isIdle() && !pending.value && (shown.value?.key ?? "") === wantedKey.value;
}

export const hooks: Hooks = {
  stats: () => ({
    latencies: drawLatencies(),
    drawn: drawCounts(),
    counters: { ...counters(), latencies: [...counters().latencies] },
    phase: phase.value.kind,
  }),
  reset: forgetTimes,
  idle: async () => {
    do await nextFrame();
    while (!settled());
    await nextFrame();
  },
  images: () => {
    const now = shown.value;
    if (!now) return null;
    const { mode, step, images } = now;
    return { dataset: selectedId.value, mode, step, images: images.map(plain) };
  },
  pattern: () => {
    const now = shownPattern.value;
    if (!now) return null;
    const { dataset, source, step, raster } = now;
    return { dataset, source, step, pattern: plain(raster) };
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
