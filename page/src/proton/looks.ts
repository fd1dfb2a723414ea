// How values are shown: windows, colour maps, isodose levels; pure functions.
// SPDX-License-Identifier: Apache-2.0
import type { Limits } from "../display/limits";
import type { DisplaySettings } from "../types";
import type { Volume } from "./types";

/** Of one volume; null: as its kind is usually shown. */
export interface Look {
  limits: Limits | null;
  map: string | null;
}

export const plainLook: Look = { limits: null, map: null };

/** Windows of CT in HU, as they are used for these tissues. */
export const WINDOWS: readonly (readonly [name: string, level: number, width: number])[] = [
  ["Soft tissue", 40, 400],
  ["Lung", -600, 1500],
  ["Bone", 400, 1800],
];

/** From black to white for a level (the middle) and a width. */
export const windowOf = (level: number, width: number): Limits => ({
  low: level - Math.max(width, 1e-9) / 2,
  high: level + Math.max(width, 1e-9) / 2,
});

/** The largest value without its sign; 0 where there is none. */
export const largest = ({ least, most }: Volume): number =>
  Math.max(Math.abs(least ?? 0), Math.abs(most ?? 0));

/** Whether a volume has values above 0. */
export const aboveZero = ({ most }: Volume): boolean => (most ?? 0) > 0;

/** Limits of a volume as its kind is usually shown; about 0 where values of both signs lie over another. */
export function usualLimits(volume: Volume, over = false): Limits {
  const { kind, least, most } = volume;
  if (kind === "ct") return windowOf(40, 400);
  if (over && kind === "other") return { low: -largest(volume), high: largest(volume) };
  const [low, high] = [kind === "dose" ? 0 : (least ?? 0), most ?? 1];
  return high > low ? { low, high } : { low, high: low + 1 };
}

/** Under another one a dose has quiet colours, over a CT those that people look for. */
export const usualMap = ({ kind }: Volume, over: boolean): string =>
  kind === "ct" ? "gray" : !over ? "ember" : kind === "other" ? "balance" : "turbo";

export const settingsOf = (limits: Limits, map: string): DisplaySettings => ({
  scale: "linear",
  power: 1,
  limits: { kind: "absolute", low: limits.low, high: limits.high },
  map,
  invert: false,
  symmetric: false,
  smooth: false,
  colorBar: true,
  scaleBar: true,
});

export const USUAL_LEVELS: readonly number[] = [95, 90, 70, 50, 30, 10];

/** From the highest level on; those of the pictures that `sluice proton` makes. */
const COLOURS = ["#ff4fc3", "#ffffff", "#f3e45b", "#5fd96b", "#4fd2e6", "#5a8cff", "#ff9b42", "#c7a1ff"];

export const levelColour = (index: number): string => COLOURS[index % COLOURS.length]!;

/** As many as can be told apart. */
export const MOST_LEVELS = COLOURS.length;

/** Levels in %, highest first, out of what was typed; null where it is no list of them. */
export function levelsOf(text: string): number[] | null {
  const all = text.split(/[\s,;%]+/).filter((word) => word !== "").map(Number);
  const good = all.every((level) => Number.isFinite(level) && level > 0 && level <= 1000);
  if (!good || all.length > MOST_LEVELS) return null;
  return [...new Set(all)].sort((a, b) => b - a);
}

/** Of curves, by the number of a volume; readable on light and on dark. */
const CURVES = ["#3f8cff", "#e8710a", "#19a974", "#c45cf0", "#d64545", "#12a5b8", "#9a8b00", "#8a8f98"];

export const curveColour = (index: number): string => CURVES[index % CURVES.length]!;
