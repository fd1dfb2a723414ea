// Lattices and ellipses as they are drawn.
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { errorEllipse, latticePoints } from "./lattice";

describe("lattice points", () => {
  it("of a square lattice are those that lie on the detector", () => {
    const points = latticePoints([8, 8], [12, 8], [8, 12], [17, 9]);
    const sorted = points.map(String).sort();
    const expected = [0, 4, 8, 12, 16].flatMap((row) => [0, 4, 8].map((col) => `${row},${col}`));
    expect(sorted).toEqual(expected.sort());
  });

  it("of an oblique one are all of them, however the vectors are chosen", () => {
    const some = latticePoints([20, 30], [25, 32], [17, 36], [64, 80]);
    const other = latticePoints([20, 30], [25, 32], [22, 38], [64, 80]); // b + a
    expect(some.map(String).sort()).toEqual(other.map(String).sort());
    expect(some.length).toBeGreaterThan(100);
  });

  it("are none where the vectors are parallel, too short or no numbers", () => {
    expect(latticePoints([1, 1], [3, 3], [5, 5], [64, 64])).toEqual([]);
    expect(latticePoints([1, 1], [1.001, 1], [1, 1.001], [64, 64])).toEqual([]);
    expect(latticePoints([NaN, 1], [NaN, 1], [1, 1.1], [64, 64])).toEqual([]);
  });
});

describe("the ellipse of an error", () => {
  it("lies along the axes where nothing is correlated", () => {
    const flat = errorEllipse({ rowError: 1, colError: 3, covariance: 0 });
    expect(flat).toEqual({ major: 3, minor: 1, degrees: 0 });
    expect(errorEllipse({ rowError: 3, colError: 1, covariance: 0 }).degrees).toBe(90);
  });

  it("turns with the covariance: down and right together is 45 degrees", () => {
    const { major, minor, degrees } = errorEllipse({ rowError: 2, colError: 2, covariance: 3 });
    expect(degrees).toBeCloseTo(45);
    expect([major ** 2, minor ** 2]).toEqual([expect.closeTo(7), expect.closeTo(1)]);
  });

  it("of no known error is a point", () => {
    const none = errorEllipse({ rowError: NaN, colError: NaN, covariance: NaN });
    expect(none).toEqual({ major: 0, minor: 0, degrees: 0 });
  });
});
