// Values to colours on the processor: the reference for the shader, its fallback, and the export's.
// SPDX-License-Identifier: Apache-2.0
import { doublesOf } from "../analysis/values";
import type { DisplaySettings, Raster } from "../types";
import { mapTable, NO_DATA, WHEEL, wheelTable } from "./colormaps";
import { isField, type Limits, limitsOf, type Picture, type VectorField } from "./limits";
import type { Painter, Place } from "./renderer";
import { placeOf, scaled } from "./tone";

/** RGBA, one pixel per value; `limits` are those of the settings if not given. */
export function toRgba(
  picture: Picture,
  settings: DisplaySettings,
  limits: Limits = limitsOf(picture, settings),
): Uint8ClampedArray<ArrayBuffer> {
  const out = new Uint8ClampedArray(4 * picture.rows * picture.cols);
  const words = new Uint32Array(out.buffer);
  if (isField(picture)) paintField(picture, settings, limits, words);
  else paintRaster(picture, settings, limits, words);
  return out;
}

// Whole pixels are copied as words from a table of the same byte order.
const wordsOf = (table: Uint8ClampedArray<ArrayBuffer>): Uint32Array =>
  new Uint32Array(table.buffer);
const noData = wordsOf(new Uint8ClampedArray([...NO_DATA, 255]))[0]!;

function paintRaster(
  raster: Raster,
  settings: DisplaySettings,
  limits: Limits,
  words: Uint32Array,
): void {
  const values = doublesOf(raster.values, words.length);
  const table = wordsOf(mapTable(settings.map)).slice();
  if (settings.invert) table.reverse();
  const low = scaled(limits.low, settings, limits.knee);
  const factor = 255 / (scaled(limits.high, settings, limits.knee) - low);
  const even = Number.isFinite(factor) && factor > 0;
  const linear = settings.scale === "linear" && even;
  for (let i = 0; i < words.length; ++i) {
    const v = values[i]!;
    if (v !== v) words[i] = noData;
    else if (v >= limits.high) words[i] = table[255]!;
    else if (v <= limits.low || !even) words[i] = table[0]!;
    else {
      const s = linear ? v : scaled(v, settings, limits.knee);
      words[i] = table[((s - low) * factor + 0.5) | 0]!;
    }
  }
}

function paintField(
  field: VectorField,
  settings: DisplaySettings,
  limits: Limits,
  words: Uint32Array,
): void {
  const table = wordsOf(wheelTable());
  const { hues, steps } = WHEEL;
  for (let i = 0; i < words.length; ++i) {
    const up = -(field.down[i] ?? NaN);
    const right = field.right[i] ?? NaN;
    const size = Math.hypot(up, right);
    if (!Number.isFinite(size)) {
      words[i] = noData;
      continue;
    }
    const place = Math.min(Math.max(placeOf(size, settings, limits), 0), 1);
    const step = Math.round((settings.invert ? 1 - place : place) * (steps - 1));
    const turn = Math.atan2(up, right) / (2 * Math.PI);
    words[i] = table[step * hues + ((Math.round(turn * hues) + hues) % hues)]!;
  }
}

/** Paints with `toRgba` and the canvas's own scaling; keeps the colours while the place moves. */
export class Painter2d implements Painter {
  readonly kind = "2d";
  readonly #kept = new WeakMap<CanvasRenderingContext2D, Kept>();

  paint(
    target: CanvasRenderingContext2D,
    picture: Picture,
    settings: DisplaySettings,
    limits: Limits,
    place: Place,
  ): void {
    const { scale, power, map, invert } = settings;
    const key = [scale, power, map, invert, limits.low, limits.high, limits.knee].join(" ");
    let kept = this.#kept.get(target);
    if (!kept) this.#kept.set(target, (kept = { surface: surfaceOf(), picture: null, key: "" }));
    if (kept.picture !== picture || kept.key !== key) {
      const { canvas } = kept.surface;
      if (canvas.width !== picture.cols) canvas.width = picture.cols;
      if (canvas.height !== picture.rows) canvas.height = picture.rows;
      const rgba = toRgba(picture, settings, limits);
      kept.surface.putImageData(new ImageData(rgba, picture.cols, picture.rows), 0, 0);
      kept.picture = picture;
      kept.key = key;
    }
    target.imageSmoothingEnabled = settings.smooth || place.width < picture.cols;
    target.imageSmoothingQuality = place.width < picture.cols ? "medium" : "low";
    target.drawImage(kept.surface.canvas, place.x, place.y, place.width, place.height);
  }

  release(target: CanvasRenderingContext2D): void {
    this.#kept.delete(target);
  }
}

interface Kept {
  surface: CanvasRenderingContext2D;
  picture: Picture | null;
  key: string;
}

function surfaceOf(): CanvasRenderingContext2D {
  // What is written pixel by pixel is better kept in the processor's memory.
  const surface = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (!surface) throw new Error("This browser cannot draw on a canvas.");
  return surface;
}
