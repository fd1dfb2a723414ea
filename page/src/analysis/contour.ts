// Lines of equal value on a raster: marching squares.
// SPDX-License-Identifier: Apache-2.0
import type { Raster } from "../types";

/** Ends of straight pieces: [row, col, row, col] for each, in pixels; centres are whole. */
export type Pieces = readonly number[];

/** The edges of a square: top, right, bottom, left. Which are joined, by which corners are high
 *  (bit 0: upper left, then clockwise). */
const JOINED: readonly (readonly number[])[] = [
  [],
  [3, 0],
  [0, 1],
  [3, 1],
  [1, 2],
  [3, 0, 1, 2],
  [0, 2],
  [3, 2],
  [2, 3],
  [2, 0],
  [0, 1, 2, 3],
  [2, 1],
  [1, 3],
  [1, 0],
  [0, 3],
  [],
];

/** Where the level is between two neighbours: 0 to 1. */
const between = (a: number, b: number, level: number): number => (level - a) / (b - a);

/** Pieces of the line at a level; a square with a corner that is not finite has none. */
export function contour({ rows, cols, values }: Raster, level: number): Pieces {
  const pieces: number[] = [];
  for (let row = 0; row + 1 < rows; ++row)
    for (let col = 0, i = row * cols; col + 1 < cols; ++col, ++i) {
      const [a, b] = [values[i]!, values[i + 1]!];
      const [d, c] = [values[i + cols]!, values[i + cols + 1]!];
      let high = (a >= level ? 1 : 0) + (b >= level ? 2 : 0);
      high += (c >= level ? 4 : 0) + (d >= level ? 8 : 0);
      if (high === 0 || high === 15) continue;
      const sum = a + b + c + d;
      if (sum - sum !== 0) continue;
      // A saddle is joined as the value in its middle says.
      const edges = JOINED[(high === 5 || high === 10) && sum / 4 >= level ? 15 - high : high]!;
      for (const edge of edges) {
        if (edge === 0) pieces.push(row, col + between(a, b, level));
        else if (edge === 1) pieces.push(row + between(b, c, level), col + 1);
        else if (edge === 2) pieces.push(row + 1, col + between(d, c, level));
        else pieces.push(row + between(a, d, level), col);
      }
    }
  return pieces;
}

/** The pieces as the path of an SVG, x to the right. */
export function pathOf(pieces: Pieces): string {
  const parts: string[] = [];
  const at = (i: number): string => `${pieces[i + 1]!.toFixed(3)} ${pieces[i]!.toFixed(3)}`;
  for (let i = 0; i < pieces.length; i += 4) parts.push(`M${at(i)}L${at(i + 2)}`);
  return parts.join("");
}
