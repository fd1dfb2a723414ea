// Moving and resizing by pointer.
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { Point } from "../../types";
import type { Shape } from "../types";
import { rasterize } from "./contains";
import { deleteVertex, drag, insertVertex, mostCorners, nudge, translate } from "./drag";
import { grab } from "./grab";

const bounds = [100, 120] as const;
const disk: Shape = { shape: "disk", center: [50, 60], outer: 20 };
const ring: Shape = { shape: "annulus", center: [50, 60], inner: 10, outer: 20 };
const box: Shape = { shape: "rectangle", from: [20, 30], to: [40, 70] };
const polygon: Shape & { shape: "polygon" } = {
  shape: "polygon",
  corners: [[10, 10], [10, 30], [30, 10]],
};

/** Pointer down at `from`, moved to `to`. */
function pull(shape: Shape, from: Point, to: Point, aspect = false): Shape {
  const held = grab(shape, from, 3);
  if (!held) throw new Error("nothing there");
  return drag(shape, held, to, { aspect, bounds });
}

describe("drag", () => {
  it("keeps the place where the body was taken", () => {
    expect(pull(disk, [45, 62], [46, 70])).toEqual({ ...disk, center: [51, 68] });
    expect(pull(box, [30, 50], [31, 52])).toEqual({ ...box, from: [21, 32], to: [41, 72] });
    expect(pull(polygon, [16, 16], [18, 17])).toEqual({
      ...polygon,
      corners: [[12, 11], [12, 31], [32, 11]],
    });
  });

  it("keeps the centre on the image", () => {
    expect(pull(disk, [50, 60], [-500, 500])).toEqual({ ...disk, center: [0, 119] });
    expect(pull(box, [30, 50], [500, 50])).toMatchObject({ from: [89, 30], to: [109, 70] });
  });

  it("resizes without a jump", () => {
    expect(pull(disk, [50, 81], [50, 81])).toEqual(disk);
    expect(pull(disk, [50, 81], [50, 86])).toEqual({ ...disk, outer: 25 });
    expect(pull(disk, [50, 81], [50, 61])).toEqual({ ...disk, outer: 1 });
  });

  it("keeps the inner radius below the outer one", () => {
    expect(pull(ring, [50, 70], [50, 75])).toEqual({ ...ring, inner: 15 });
    expect(pull(ring, [50, 70], [50, 110])).toEqual({ ...ring, inner: 19 });
    expect(pull(ring, [50, 70], [50, 60])).toEqual({ ...ring, inner: 0 });
    expect(pull(ring, [50, 80], [50, 60])).toEqual({ ...ring, outer: 11 });
    expect(pull(ring, [50, 80], [50, 100], true)).toEqual({ ...ring, inner: 20, outer: 40 });
  });

  it("lets the corners of a rectangle cross and come back", () => {
    expect(pull(box, [20, 30], [60, 90])).toEqual({ ...box, from: [40, 70], to: [60, 90] });
    expect(pull(box, [20, 30], [10, 20])).toEqual({ ...box, from: [10, 20] });
    expect(pull(box, [20, 50], [25, 90])).toEqual({ ...box, from: [25, 30] });
  });

  it("keeps a rectangle at least one pixel wide and on the image", () => {
    expect(pull(box, [20, 50], [40, 50])).toEqual({ ...box, from: [39, 30] });
    expect(pull(box, [20, 50], [40.2, 50])).toEqual({ ...box, from: [40, 30], to: [41, 70] });
    expect(pull(box, [40, 70], [900, 900])).toEqual({ ...box, to: [99.5, 119.5] });
  });

  it("keeps the proportions of a rectangle when asked", () => {
    expect(pull(box, [40, 70], [50, 72], true)).toEqual({ ...box, to: [50, 90] });
    const huge = pull(box, [40, 70], [900, 900], true);
    if (huge.shape !== "rectangle") throw new Error("no rectangle");
    const [height, width] = [huge.to[0] - huge.from[0], huge.to[1] - huge.from[1]];
    expect(width / height).toBeCloseTo(2, 9);
    expect(huge.to[1]).toBeCloseTo(119.5, 9);
  });

  it("resizes a square about its centre, also through it", () => {
    const square: Shape = { shape: "square", center: [50, 60], outer: 10 };
    expect(pull(square, [40, 50], [35, 48])).toEqual({ ...square, outer: 15 });
    expect(pull(square, [50, 70], [20, 75])).toEqual({ ...square, outer: 15 });
    expect(pull(square, [50, 70], [50, 60])).toEqual({ ...square, outer: 1 });
  });

  it("moves a corner of a polygon, and makes a new one out of an edge", () => {
    expect(pull(polygon, [10, 10], [5, 6])).toMatchObject({
      corners: [[5, 6], [10, 30], [30, 10]],
    });
    expect(pull(polygon, [10, 20], [4, 20])).toMatchObject({
      corners: [[10, 10], [4, 20], [10, 30], [30, 10]],
    });
    expect(pull(polygon, [10, 10], [-50, 10])).toMatchObject({
      corners: [[0, 10], [10, 30], [30, 10]],
    });
  });

  it("never leaves a shape without pixels or with NaN, wherever the pointer goes", () => {
    const square: Shape = { shape: "square", center: [50, 60], outer: 10 };
    const starts: [Shape, Point][] = [
      [disk, [50, 80]],
      [ring, [50, 70]],
      [ring, [50, 80]],
      [box, [20, 30]],
      [box, [40, 50]],
      [square, [50, 70]],
    ];
    let seed = 7;
    const random = (): number => (seed = (seed * 16807) % 2147483647) / 2147483647;
    for (let i = 0; i < 300; ++i) {
      const [shape, from] = starts[i % starts.length]!;
      const to: Point = [random() * 400 - 150, random() * 400 - 150];
      const moved = pull(shape, from, to, i % 2 === 0);
      expect(rasterize(moved, bounds).count, JSON.stringify({ moved, to })).toBeGreaterThan(0);
    }
  });
});

describe("translate and nudge", () => {
  it("moves by pixels, the second within the image", () => {
    expect(translate(disk, -100, 1)).toEqual({ ...disk, center: [-50, 61] });
    expect(nudge(disk, -100, 1, bounds)).toEqual({ ...disk, center: [0, 61] });
    expect(nudge(box, 1, 0, bounds)).toEqual({ ...box, from: [21, 30], to: [41, 70] });
  });
});

describe("vertices", () => {
  it("come and go, never fewer than three nor more than the protocol takes", () => {
    const four = insertVertex(polygon, 2);
    expect(four.corners).toEqual([[10, 10], [10, 30], [30, 10], [20, 10]]);
    expect(deleteVertex(four, 3)).toEqual(polygon);
    expect(deleteVertex(polygon, 0)).toBe(polygon);
    expect(deleteVertex(four, 9)).toBe(four);
    expect(insertVertex(polygon, 9)).toBe(polygon);
    const corners = Array.from({ length: mostCorners }, (_, i): Point => [i, i % 7]);
    const full = { shape: "polygon" as const, corners };
    expect(insertVertex(full, 0)).toBe(full);
    const held = { kind: "edge" as const, which: { after: 0 }, from: [0, 0] as const };
    expect(drag(full, held, [9, 9], { bounds })).toBe(full);
  });
});
