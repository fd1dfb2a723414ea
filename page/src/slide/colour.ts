// Values to colours on the processor: RGBA of one channel's tile.
// SPDX-License-Identifier: Apache-2.0
import { type Look, rgbOf } from "./looks";
import type { Tile } from "./types";

const STEPS = 4096;

/** Brightness 0 to 255 for each of 4096 steps of the window. */
function ramp(gamma: number): Uint8ClampedArray {
  return Uint8ClampedArray.from({ length: STEPS + 1 }, (_, i) => 255 * (i / STEPS) ** (1 / gamma));
}

/** Whether bytes can be shown as they are. */
function plain(tile: Tile, look: Look): boolean {
  const { low, high, gamma } = look;
  return tile.values instanceof Uint8Array && low === 0 && high === 255 && gamma === 1;
}

/** RGBA of a tile, opaque. */
export function coloured(tile: Tile, look: Look): Uint8ClampedArray<ArrayBuffer> {
  const { values, samples } = tile;
  const count = tile.rows * tile.cols;
  const out = new Uint8ClampedArray(4 * count);
  if (samples > 1 && plain(tile, look)) {
    for (let i = 0, from = 0, to = 0; i < count; ++i, from += samples, to += 4) {
      out[to] = values[from]!;
      out[to + 1] = values[from + 1]!;
      out[to + 2] = values[from + 2]!;
      out[to + 3] = 255;
    }
    return out;
  }
  const table = ramp(look.gamma);
  const factor = STEPS / (look.high - look.low);
  const step = (v: number): number => Math.min(Math.max((v - look.low) * factor, 0), STEPS) | 0;
  if (samples > 1) {
    for (let i = 0; i < count; ++i) {
      for (let c = 0; c < 3; ++c) out[4 * i + c] = table[step(values[i * samples + c]!)]!;
      out[4 * i + 3] = 255;
    }
    return out;
  }
  // Whole pixels are written as words from a table of the same byte order.
  const [red, green, blue] = rgbOf(look.color);
  const colours = new Uint8ClampedArray(4 * (STEPS + 1));
  table.forEach((v, i) => colours.set([v * red, v * green, v * blue, 255], 4 * i));
  const [words, to] = [new Uint32Array(colours.buffer), new Uint32Array(out.buffer)];
  for (let i = 0; i < count; ++i) to[i] = words[step(values[i]!)]!;
  return out;
}
