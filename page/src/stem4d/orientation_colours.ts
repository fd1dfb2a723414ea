// Colours of phases and reasons, and pictures of red, green and blue as a canvas takes them.
// SPDX-License-Identifier: Apache-2.0
import type { Raster } from "../types";
import type { RgbPicture } from "./state/orientation";

/** Not indexed is black, as in the figures. */
export const PHASE_COLOURS: readonly string[] = [
  "#000000",
  "#4e79a7",
  "#f28e2b",
  "#59a14f",
  "#e15759",
  "#b07aa1",
  "#76b7b2",
  "#edc948",
  "#ff9da7",
];
/** In the order of the reasons; indexed patterns first. */
export const REASON_COLOURS: readonly string[] = [
  "#5f8f6a",
  "#000000",
  "#4e79a7",
  "#c0504d",
  "#f28e2b",
  "#edc948",
];

/** RGBA, a pixel for each of the picture. */
export function rgbaOf({ rows, cols, rgb }: RgbPicture): Uint8ClampedArray<ArrayBuffer> {
  const out = new Uint8ClampedArray(4 * rows * cols);
  for (let i = 0; i < rows * cols; ++i) {
    for (let c = 0; c < 3; ++c) out[4 * i + c] = rgb[3 * i + c] ?? 0;
    out[4 * i + 3] = 255;
  }
  return out;
}

const channel = (colour: string, c: number): number => parseInt(colour.slice(1 + 2 * c, 3 + 2 * c), 16);

/** A colour for each code; the first one for code 0 alone. */
export function colourOf(code: number, colours: readonly string[]): string {
  const at = code < colours.length ? code : 1 + ((code - 1) % (colours.length - 1));
  return colours[at] ?? "#000000";
}

export function categoryPicture(codes: Raster, colours: readonly string[]): RgbPicture {
  const rgb = new Uint8Array(3 * codes.values.length);
  codes.values.forEach((code, i) => {
    const colour = colourOf(code, colours);
    for (let c = 0; c < 3; ++c) rgb[3 * i + c] = channel(colour, c);
  });
  return { rows: codes.rows, cols: codes.cols, rgb };
}
