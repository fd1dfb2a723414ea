// Images of every k-th scan point, stretched over the whole scan.
// SPDX-License-Identifier: Apache-2.0
import type { Raster } from "../../types";

function like(values: Raster["values"], length: number): Raster["values"] {
  if (values instanceof Float64Array) return new Float64Array(length);
  if (values instanceof Uint32Array) return new Uint32Array(length);
  if (values instanceof Uint16Array) return new Uint16Array(length);
  return values instanceof Uint8Array ? new Uint8Array(length) : new Float32Array(length);
}

/** The raster on a scan of `rows` x `cols` points: each value stands for its step x step block. */
export function stretched(raster: Raster, step: number, rows: number, cols: number): Raster {
  if (step <= 1 || (raster.rows === rows && raster.cols === cols)) return raster;
  const values = like(raster.values, rows * cols);
  for (let row = 0; row < rows; row++) {
    const from = Math.min(raster.rows - 1, Math.floor(row / step)) * raster.cols;
    for (let col = 0; col < cols; col++) {
      const at = from + Math.min(raster.cols - 1, Math.floor(col / step));
      values[row * cols + col] = raster.values[at] ?? 0;
    }
  }
  return { rows, cols, values };
}
