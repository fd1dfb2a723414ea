// window.volumes: what the tests read and measure.
// SPDX-License-Identifier: Apache-2.0
import { untilDrawn } from "../shell/hooks";
import { phase } from "../shell/live";
import type { Point } from "../types";
import { baseSlice, differences, isSettled, overSlice, valueHere } from "./asking";
import { histogramOf, linesOf } from "./asking_structures";
import type { DifferenceAnswer } from "./messages";
import { pixelOf } from "./space";
import { base, place, planes, volumes, wholeDifference } from "./state";
import type { Place, PlaneKind } from "./types";

export interface Hooks {
  /** Until everything that is seen has come and is drawn. */
  idle(): Promise<void>;
  place(): Place;
  /** By volume; null: not known yet. */
  values(): Record<string, number | null>;
  /** The pixel of a plane at the crosshair. */
  pixel(key: PlaneKind["key"]): Point | null;
  /** What a plane is drawn from. */
  raster(key: PlaneKind["key"], of: "base" | "over" | "difference"): RasterCopy | null;
  whole(): DifferenceAnswer | null;
  /** Lines of structures that are drawn over a plane, in its pixels. */
  outlines(key: PlaneKind["key"]): { id: string; points: (readonly [number, number])[] }[];
  /** Of a structure; null: it has not come. */
  histogram(id: string): { doses: number[]; parts: number[]; mean: number } | null;
}

interface RasterCopy {
  rows: number;
  cols: number;
  values: number[];
}

const planeOf = (key: PlaneKind["key"]): PlaneKind | undefined =>
  planes.value.find((one) => one.key === key);

const hooks: Hooks = {
  idle: () => untilDrawn(() => phase.value.kind === "open" && isSettled()),
  place: () => place.value,
  values: () => Object.fromEntries(volumes.value.map((one) => [one.name, valueHere(one)])),
  pixel: (key) => {
    const [plane, here] = [planeOf(key), base.value];
    return plane && here ? pixelOf(here, plane, place.value) : null;
  },
  raster: (key, of) => {
    const plane = planeOf(key);
    if (!plane) return null;
    const slice = of === "base" ? baseSlice(plane) : overSlice(plane);
    const found = of === "difference" ? differences.value[key] : slice?.raster;
    return found ? { rows: found.rows, cols: found.cols, values: [...found.values] } : null;
  },
  whole: () => wholeDifference.value,
  outlines: (key) => {
    const plane = planeOf(key);
    return plane ? linesOf(plane).map(({ structure, points }) => ({ id: structure.id, points: [...points] })) : [];
  },
  histogram: (id) => {
    const found = histogramOf(id);
    return found && { doses: [...found.doses], parts: [...found.parts], mean: found.mean };
  },
};

declare global {
  interface Window {
    volumes?: Hooks;
  }
}

export function installHooks(): void {
  window.volumes = hooks;
}
