// How channels look: on or off, colour, window, gamma; and windows out of histograms.
// SPDX-License-Identifier: Apache-2.0
import type { Channel, Tile } from "./types";

export interface Look {
  on: boolean;
  /** "#rrggbb". */
  color: string;
  /** Values that are drawn black and in full colour. */
  low: number;
  high: number;
  gamma: number;
  /** Whether the window was chosen, by the file or the user; else the first tile will tell. */
  settled: boolean;
}

/** Colours for channels that have none. */
const COLOURS = ["#00ff00", "#ff00ff", "#00b7ff", "#ff3030", "#ffff00", "#ffffff"];

/** The largest value of a type, or 1 where it has none. */
function fullRange({ sample }: Channel): number {
  return sample === "uint8" ? 255 : sample === "uint16" ? 65535 : 1;
}

export const isColour = (channel: Channel): boolean => channel.samples > 1;

const PRIMARY = ["FF0000", "00FF00", "0000FF"];

/** Red, green and blue of one colour image, in channels of their own, as OME-Zarr has them. */
const arePrimaries = (all: readonly Channel[]): boolean =>
  all.length === PRIMARY.length &&
  all.every(
    ({ color, sample, low, high }, i) =>
      color.toUpperCase() === PRIMARY[i] && sample === "uint8" && low === 0 && high === 1,
  );

/** What a channel looks like at first. */
export function firstLook(channel: Channel, index: number, all: readonly Channel[]): Look {
  const range = fullRange(channel);
  const own = channel.color === "000000" ? "" : channel.color;
  const alone = all.length === 1;
  const other = alone ? "#ffffff" : (COLOURS[index % COLOURS.length] ?? "#ffffff");
  const color = isColour(channel) ? "#ffffff" : own ? `#${own.toLowerCase()}` : other;
  const told = channel.high > channel.low && !(channel.low === 0 && channel.high === 1);
  const asIs = (isColour(channel) && channel.sample === "uint8") || arePrimaries(all);
  const [low, high] = told && !asIs ? [channel.low, channel.high] : [0, 1];
  return {
    on: true,
    color,
    low: low * range,
    high: high * range,
    gamma: 1,
    settled: (told || asIs) && channel.sample !== "",
  };
}

const BINS = 1024;
const LOW_PERCENT = 0.5;
const HIGH_PERCENT = 99.8;

/** Counts of values over their range; zeros are left out, for they are mostly where nothing was
 *  recorded. */
export interface Histogram {
  counts: Uint32Array;
  min: number;
  max: number;
}

export function histogramOf(tiles: readonly Tile[]): Histogram | null {
  let [min, max] = [Infinity, -Infinity];
  const each = (call: (v: number) => void): void => {
    for (const { values } of tiles)
      for (let i = 0; i < values.length; ++i) {
        const v = values[i]!;
        if (v !== 0 && v - v === 0) call(v);
      }
  };
  each((v) => {
    if (v < min) min = v;
    if (v > max) max = v;
  });
  if (!(max >= min)) return null;
  const counts = new Uint32Array(BINS);
  const factor = max > min ? BINS / (max - min) : 0;
  each((v) => void counts[Math.min(((v - min) * factor) | 0, BINS - 1)]!++);
  return { counts, min, max };
}

/** The window between two percentiles; null where there are no values. */
export function autoWindow(tiles: readonly Tile[]): { low: number; high: number } | null {
  const histogram = histogramOf(tiles);
  if (!histogram) return null;
  const { counts, min, max } = histogram;
  const total = counts.reduce((sum, n) => sum + n, 0);
  const at = (percent: number): number => {
    let seen = 0;
    for (let i = 0; i < BINS; ++i) {
      seen += counts[i]!;
      if (seen >= (percent / 100) * total) return i;
    }
    return BINS - 1;
  };
  const width = (max - min) / BINS;
  const low = min + at(LOW_PERCENT) * width;
  const high = min + (at(HIGH_PERCENT) + 1) * width;
  return high > low ? { low, high } : { low: Math.min(0, low), high: low || 1 };
}

/** Red, green and blue, 0 to 1. */
export function rgbOf(color: string): readonly [number, number, number] {
  const n = Number.parseInt(color.slice(1), 16) || 0;
  return [(n >> 16) / 255, ((n >> 8) & 255) / 255, (n & 255) / 255];
}
