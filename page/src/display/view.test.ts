// Zoom and pan.
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import {
  boundedView,
  fitView,
  imageToScreen,
  pannedView,
  screenToImage,
  visibleCols,
  zoomedView,
} from "./view";

const image = { rows: 100, cols: 200 };
const size = { width: 600, height: 400 };

describe("views", () => {
  it("fits with pixel centres at whole numbers", () => {
    const view = fitView(image, size);
    expect(view).toEqual({ zoom: 3, center: [49.5, 99.5] });
    expect(imageToScreen(view, size, [-0.5, -0.5])).toEqual({ x: 0, y: 50 });
    expect(imageToScreen(view, size, [99.5, 199.5])).toEqual({ x: 600, y: 350 });
    expect(screenToImage(view, size, { x: 1.5, y: 51.5 })).toEqual([0, 0]);
  });
  it("goes back and forth", () => {
    const view = { zoom: 7.3, center: [12.25, 150] } as const;
    const { x, y } = imageToScreen(view, size, [33.1, -4.2]);
    const [row, col] = screenToImage(view, size, { x, y });
    expect(row).toBeCloseTo(33.1, 10);
    expect(col).toBeCloseTo(-4.2, 10);
  });
  it("keeps the point under the cursor when zooming", () => {
    const anchor = { x: 420, y: 180 };
    const before = fitView(image, size);
    const after = zoomedView(before, 2.5, anchor, image, size);
    expect(after.zoom).toBeCloseTo(7.5, 10);
    const [row, col] = screenToImage(after, size, anchor);
    expect(row).toBeCloseTo(screenToImage(before, size, anchor)[0], 10);
    expect(col).toBeCloseTo(screenToImage(before, size, anchor)[1], 10);
  });
  it("does not lose the image", () => {
    const far = pannedView(fitView(image, size), { x: 1e9, y: -1e9 }, image, size);
    expect(far.center).toEqual([99.5, -0.5]);
    expect(zoomedView(far, 1e9, { x: 0, y: 0 }, image, size).zoom).toBe(64);
    expect(zoomedView(far, 1e-9, { x: 0, y: 0 }, image, size).zoom).toBe(1.5);
    expect(boundedView({ zoom: NaN, center: [NaN, 3] }, image, size)).toEqual({
      zoom: 3,
      center: [49.5, 3],
    });
  });
  it("has a zoom even for panels and images without size", () => {
    expect(fitView(image, { width: 0, height: 0 }).zoom).toBe(1);
    expect(fitView({ rows: 0, cols: 0 }, size).zoom).toBe(1);
    expect(fitView({ rows: 1, cols: 1 }, size).zoom).toBe(400);
  });
  it("knows how much of it is seen", () => {
    expect(visibleCols(fitView(image, size), image, size)).toBe(200);
    expect(visibleCols({ zoom: 6, center: [50, 50] }, image, size)).toBe(100);
  });

  it("draws pixels that are not square as they are", () => {
    const image = { rows: 100, cols: 100, aspect: 2 };
    const size = { width: 400, height: 400 };
    const view = fitView(image, size);
    expect(view).toEqual({ zoom: 2, aspect: 2, center: [49.5, 49.5] });
    const corner = imageToScreen(view, size, [99.5, 99.5]);
    expect(corner).toEqual({ x: 300, y: 400 });
    expect(screenToImage(view, size, corner)).toEqual([99.5, 99.5]);
    const anchor = { x: 120, y: 310 };
    const zoomed = zoomedView(view, 1.5, anchor, image, size);
    const [before, after] = [view, zoomed].map((of) => screenToImage(of, size, anchor));
    expect(after![0]).toBeCloseTo(before![0], 9);
    expect(after![1]).toBeCloseTo(before![1], 9);
    expect(pannedView(view, { x: 8, y: 8 }, image, size).center).toEqual([47.5, 45.5]);
  });
});
