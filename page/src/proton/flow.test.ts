// Rows of things of some widths.
// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { flow } from "./flow";

it("begins a row where one is full, and tells how wide the widest is", () => {
  expect(flow([40, 50, 30], 100, 10)).toEqual({
    places: [
      { x: 0, row: 0 },
      { x: 50, row: 0 },
      { x: 0, row: 1 },
    ],
    rows: 2,
    width: 100,
  });
  expect(flow([300, 10], 100, 10)).toMatchObject({ rows: 2, width: 300 });
  expect(flow([], 100, 10)).toEqual({ places: [], rows: 0, width: 0 });
});
