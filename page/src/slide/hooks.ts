// window.slide: what the tests read and measure.
// SPDX-License-Identifier: Apache-2.0
import type { View } from "../display/view";
import { untilDrawn } from "../shell/hooks";
import { phase } from "../shell/live";
import type { Point } from "../types";
import { canvas, drawn, isDrawn, scene, store } from "./drawing";
import { valuesAt } from "./readout";
import { plane, shownView, size, view } from "./state";

export interface Hooks {
  /** Until everything that is seen has come and is drawn. */
  idle(): Promise<void>;
  view(): View;
  setView(view: View | null): void;
  size(): { width: number; height: number };
  plane(): Readonly<Record<string, number>>;
  phase(): string;
  /** Values of a channel at a pixel, and the zoom that they are from. */
  values(point: Point, channel: number): { values: number[]; zoom: number } | null;
  /** Red, green, blue and opacity where a pixel is drawn. */
  colour(point: Point): number[];
  stats(): ReturnType<typeof drawn> & { counters: typeof store.counters };
}

function colour([row, col]: Point): number[] {
  const [source, now] = [canvas(), scene()];
  if (!source || !now) return [];
  const copy = document.createElement("canvas");
  copy.width = source.width;
  copy.height = source.height;
  const context = copy.getContext("2d");
  if (!context) return [];
  context.drawImage(source, 0, 0);
  const x = (now.size.width / 2 + (col - now.view.center[1]) * now.view.zoom) * now.ratio;
  const y = (now.size.height / 2 + (row - now.view.center[0]) * now.view.zoom * (now.view.aspect ?? 1)) * now.ratio;
  return [...context.getImageData(Math.floor(x), Math.floor(y), 1, 1).data];
}

const hooks: Hooks = {
  idle: () => untilDrawn(() => phase.value.kind === "open" && isDrawn()),
  view: () => shownView.value,
  setView: (next) => (view.value = next),
  size: () => size.value,
  plane: () => plane.value,
  phase: () => phase.value.kind,
  values: (point, channel) => {
    const now = scene();
    return now && valuesAt(now, [point[0], point[1]], channel);
  },
  colour,
  stats: () => ({ ...drawn(), counters: { ...store.counters } }),
};

declare global {
  interface Window {
    slide?: Hooks;
  }
}

export function installHooks(): void {
  window.slide = hooks;
}
