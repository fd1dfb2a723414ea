// Presets, new shapes and conversions, resizing by keyboard.
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { Shape } from "../types";
import { rasterize } from "./contains";
import { centerOf, halfSizeOf } from "./measure";
import { convertShape, newShape, presetShape } from "./presets";
import type { ShapeKind } from "./presets";
import { resize, resizeInner, scale } from "./resize";

const disk = { row: 95.5, col: 96.25, radius: 20 };
const bounds = [192, 192] as const;
const kinds: ShapeKind[] = ["point", "disk", "annulus", "square", "rectangle", "polygon"];

describe("presetShape", () => {
  it("is made of multiples of the disk's radius", () => {
    const center = [95.5, 96.25];
    expect(presetShape("BF", disk, bounds)).toEqual({ shape: "disk", center, outer: 20 });
    expect(presetShape("ABF", disk, bounds)).toMatchObject({ inner: 10, outer: 20 });
    expect(presetShape("ADF", disk, bounds)).toMatchObject({ inner: 20, outer: 40 });
    expect(presetShape("HAADF", disk, bounds)).toMatchObject({ inner: 40, outer: 80 });
    expect(presetShape("point", disk, bounds)).toEqual({ shape: "point", center });
  });

  it("is clipped to the detector without losing a pixel", () => {
    const wide = { ...disk, radius: 60 };
    const shape = presetShape("HAADF", wide, bounds);
    const whole: Shape = { shape: "annulus", center: [95.5, 96.25], inner: 120, outer: 240 };
    expect(shape).toMatchObject({ inner: 120, outer: 136 });
    expect(rasterize(shape!, bounds).count).toBe(rasterize(whole, bounds).count);
  });

  it("is missing where the detector does not reach, or no disk was found", () => {
    expect(presetShape("HAADF", { ...disk, radius: 80 }, bounds)).toBeNull();
    expect(presetShape("BF", { ...disk, radius: 0 }, bounds)).toBeNull();
    expect(presetShape("BF", { ...disk, row: NaN }, bounds)).toBeNull();
  });
});

describe("newShape", () => {
  it("has the usual size in the middle and covers pixels, however small the image", () => {
    expect(newShape("disk", bounds)).toEqual({ shape: "disk", center: [96, 96], outer: 28.8 });
    for (const kind of kinds) {
      expect(rasterize(newShape(kind, [2, 2]), [2, 2]).count).toBeGreaterThan(0);
      expect(newShape(kind, bounds).shape).toBe(kind);
    }
  });
});

describe("convertShape", () => {
  it("keeps centre and size from any kind to any other", () => {
    for (const from of kinds)
      for (const to of kinds) {
        const old = newShape(from, bounds, [60, 70]);
        const made = convertShape(old, to, bounds);
        expect(made.shape).toBe(to);
        expect(centerOf(made)[0]).toBeCloseTo(60, 1);
        expect(centerOf(made)[1]).toBeCloseTo(70, 1);
        if (to !== "point") expect(halfSizeOf(made)).toBeCloseTo(28.8, 1);
      }
  });

  it("makes four corners out of a box", () => {
    const box: Shape = { shape: "rectangle", from: [9, 9], to: [1, 2] };
    expect(convertShape(box, "polygon", bounds)).toEqual({
      shape: "polygon",
      corners: [[1, 2], [1, 9], [9, 9], [9, 2]],
    });
  });
});

describe("resize", () => {
  it("grows and shrinks by pixels down to the smallest", () => {
    const small: Shape = { shape: "disk", center: [5, 5], outer: 2 };
    expect(resize(small, 3, bounds)).toMatchObject({ outer: 5 });
    expect(resize(small, -9, bounds)).toMatchObject({ outer: 1 });
    expect(resize(small, 1e9, bounds)).toMatchObject({ outer: Math.hypot(192, 192) });
    const ring = { shape: "annulus", center: [5, 5], inner: 4, outer: 8 } as const;
    expect(resize(ring, -9, bounds)).toMatchObject({ inner: 4, outer: 5 });
    expect(resizeInner(ring, 9, bounds)).toMatchObject({ inner: 7, outer: 8 });
    expect(resizeInner(ring, -9, bounds)).toMatchObject({ inner: 0 });
    const box: Shape = { shape: "rectangle", from: [0, 0], to: [10, 20] };
    expect(resize(box, 2, bounds)).toMatchObject({ from: [-2, -2], to: [12, 22] });
    expect(resize(box, -50, bounds)).toMatchObject({ from: [4.5, 9.5], to: [5.5, 10.5] });
    const point: Shape = { shape: "point", center: [1, 1] };
    expect(resize(point, 5, bounds)).toBe(point);
  });

  it("scales every kind about its centre", () => {
    for (const kind of kinds.slice(1)) {
      const old = newShape(kind, bounds, [60, 70]);
      const made = scale(old, 2, bounds);
      expect(halfSizeOf(made)).toBeCloseTo(2 * halfSizeOf(old), 6);
      expect(centerOf(made)[0]).toBeCloseTo(centerOf(old)[0], 6);
      expect(scale(old, NaN, bounds)).toBe(old);
    }
  });
});
