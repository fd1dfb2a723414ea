// window.monitor: what the tests read.
// SPDX-License-Identifier: Apache-2.0
import { untilDrawn } from "../shell/hooks";
import { isSettled } from "./asking";
import { amplitudeRaster, limitsFor, phaseRaster } from "./pictures";
import { curve, object, positions, status } from "./state";
import type { Status } from "./types";

export interface Hooks {
  /** Until everything that is seen has come and is drawn. */
  idle(): Promise<void>;
  status(): Status | null;
  curve(): number[];
  /** Values of the object's pictures. */
  picture(of: "phase" | "amplitude"): { rows: number; cols: number; values: number[] } | null;
  limits(of: "phase" | "amplitude"): { low: number; high: number };
  /** Iterations that were done when the object was copied. */
  objectIteration(): number | null;
  positions(): number;
}

const hooks: Hooks = {
  idle: () => untilDrawn(isSettled),
  status: () => status.value,
  curve: () => [...curve.value],
  picture: (of) => {
    const found = (of === "phase" ? phaseRaster : amplitudeRaster).value;
    return found && { rows: found.rows, cols: found.cols, values: [...found.values] };
  },
  limits: (of) => limitsFor(of),
  objectIteration: () => object.value?.iteration ?? null,
  positions: () => positions.value?.started.length ?? 0,
};

declare global {
  interface Window {
    monitor?: Hooks;
  }
}

export function installHooks(): void {
  window.monitor = hooks;
}
