// Length and direction of two components.
// SPDX-License-Identifier: Apache-2.0
import type { Raster } from "../types";

interface Polar {
  /** In the components' unit. */
  readonly magnitude: Raster;
  /** Anticlockwise from the columns' axis as seen on the screen, -π to π. */
  readonly angle: Raster;
}

/** Vectors of `down` (rows) and `right` (columns); null where their sizes differ. */
export function polar(down: Raster, right: Raster): Polar | null {
  const { rows, cols } = down;
  if (right.rows !== rows || right.cols !== cols) return null;
  const magnitude = new Float32Array(rows * cols);
  const angle = new Float32Array(rows * cols);
  for (let i = 0; i < magnitude.length; ++i) {
    const [y, x] = [down.values[i]!, right.values[i]!];
    magnitude[i] = Math.hypot(y, x);
    // Rows grow downwards, angles upwards; 0 - y gives no -0, whose atan2 would be -π.
    angle[i] = Math.atan2(0 - y, x);
  }
  return { magnitude: { rows, cols, values: magnitude }, angle: { rows, cols, values: angle } };
}
