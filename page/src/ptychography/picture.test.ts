// Tests of the picture that goes into files and notebooks.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { shrunk } from "./picture";

/** Pixels whose red is their number, green 7. */
const numbered = (width: number, height: number) => ({
  width,
  height,
  rgba: Uint8ClampedArray.from({ length: 4 * width * height }, (_, i) => [i / 4, 7, 0, 255][i % 4]!),
});

test("pixels are taken together in squares, by their means", () => {
  const { width, height, rgba } = shrunk(numbered(5, 4), 2);
  expect([width, height]).toEqual([2, 2]);
  // (0 + 1 + 5 + 6) / 4 = 3, (2 + 3 + 7 + 8) / 4 = 5, and ten more two rows below.
  expect([0, 1, 2, 3].map((i) => rgba[4 * i])).toEqual([3, 5, 13, 15]);
  expect([...rgba.subarray(1, 4)]).toEqual([7, 0, 255]);
});

test("what is narrower than a square becomes one pixel of it", () => {
  const { width, height, rgba } = shrunk(numbered(1, 4), 4);
  expect([width, height, rgba[0]]).toEqual([1, 1, 2]);
});
