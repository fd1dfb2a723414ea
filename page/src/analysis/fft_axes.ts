// What a pixel of a transform is worth along its rows and columns.
// SPDX-License-Identifier: Apache-2.0
import type { Raster } from "../types";

/** Cycles per nm from one pixel of the transform to the next, down and right; 0: unknown. */
export function fftSteps(
  transform: Pick<Raster, "rows" | "cols">,
  stepNm: number,
): readonly [down: number, right: number] {
  if (!(stepNm > 0)) return [0, 0];
  return [1 / (transform.rows * stepNm), 1 / (transform.cols * stepNm)];
}
