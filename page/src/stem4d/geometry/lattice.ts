// Lattices and error ellipses as they are drawn; pure functions.
// SPDX-License-Identifier: Apache-2.0
import type { Point } from "../../types";

const MOST = 4000;

/** The points of the lattice that lie on an array of pixels; `a` and `b` are where the vectors
 *  end. */
export function latticePoints(
  origin: Point,
  a: Point,
  b: Point,
  [rows, cols]: readonly [number, number],
): Point[] {
  const [ar, ac] = [a[0] - origin[0], a[1] - origin[1]];
  const [br, bc] = [b[0] - origin[0], b[1] - origin[1]];
  const area = ar * bc - ac * br;
  // A detector that holds more points than can be told apart shows none.
  if (!(Math.abs(area) > (rows * cols) / MOST)) return [];
  // The corners' indices bound those of all points between them.
  const corners: Point[] = [[-0.5, -0.5], [-0.5, cols - 0.5], [rows - 0.5, -0.5], [rows - 0.5, cols - 0.5]];
  const indices = corners.map(([row, col]) => {
    const [dr, dc] = [row - origin[0], col - origin[1]];
    return [(dr * bc - dc * br) / area, (ar * dc - ac * dr) / area] as const;
  });
  const [hs, ks] = [indices.map(([h]) => h), indices.map(([, k]) => k)];
  const points: Point[] = [];
  for (let h = Math.ceil(Math.min(...hs)); h <= Math.max(...hs); ++h)
    for (let k = Math.ceil(Math.min(...ks)); k <= Math.max(...ks); ++k) {
      const at: Point = [origin[0] + h * ar + k * br, origin[1] + h * ac + k * bc];
      if (at[0] >= -0.5 && at[1] >= -0.5 && at[0] <= rows - 0.5 && at[1] <= cols - 0.5)
        points.push(at);
    }
  return points;
}

/** Half axes of one standard deviation, and the way of the longer one from the column axis down. */
export function errorEllipse(of: { rowError: number; colError: number; covariance: number }): {
  major: number;
  minor: number;
  degrees: number;
} {
  const [rr, cc, rc] = [of.rowError ** 2, of.colError ** 2, of.covariance];
  const middle = (rr + cc) / 2;
  const apart = Math.hypot((cc - rr) / 2, rc);
  return {
    major: Math.sqrt(middle + apart) || 0,
    minor: Math.sqrt(Math.max(0, middle - apart)) || 0,
    degrees: ((Math.atan2(2 * rc, cc - rr) / 2) * 180) / Math.PI || 0,
  };
}
