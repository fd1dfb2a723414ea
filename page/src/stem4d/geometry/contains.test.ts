// Membership of pixels, against the server's rules and counts worked out by hand.
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { Shape } from "../types";
import { contains, rasterize } from "./contains";
import { parseShape } from "./parse";

const art = (shape: Shape, rows: number, cols: number): string[] => {
  const mask = rasterize(shape, [rows, cols]);
  return Array.from({ length: rows }, (_, r) =>
    Array.from(mask.values.subarray(r * cols, (r + 1) * cols), (v) => (v ? "#" : ".")).join(""),
  );
};

describe("rasterize", () => {
  it("takes pixels exactly on a radius", () => {
    expect(art({ shape: "disk", center: [2, 2], outer: 2 }, 5, 5)).toEqual([
      "..#..",
      ".###.",
      "#####",
      ".###.",
      "..#..",
    ]);
  });

  it("keeps pixels on a radius that is not exact in binary", () => {
    const disk: Shape = { shape: "disk", center: [0.3, 0], outer: 0.1 + 0.2 - 1e-17 };
    expect(contains(disk, [0, 0])).toBe(true);
    expect(contains({ shape: "disk", center: [0.3, 0], outer: 0.29 }, [0, 0])).toBe(false);
  });

  it("leaves the hole of an annulus out, not its inner edge", () => {
    expect(art({ shape: "annulus", center: [2, 2], inner: 2, outer: 2 }, 5, 5)).toEqual([
      "..#..",
      ".....",
      "#...#",
      ".....",
      "..#..",
    ]);
  });

  it("counts a square and a rectangle with both ends", () => {
    expect(rasterize({ shape: "square", center: [4, 4], outer: 2 }, [9, 9]).count).toBe(25);
    expect(rasterize({ shape: "square", center: [0, 0], outer: 2 }, [9, 9]).count).toBe(9);
    const r: Shape = { shape: "rectangle", from: [1, 2], to: [3, 5.5] };
    expect(rasterize(r, [9, 9]).count).toBe(3 * 4);
  });

  it("finds nothing in a rectangle whose corners are the wrong way round, as the server", () => {
    const r: Shape = { shape: "rectangle", from: [3, 5], to: [1, 2] };
    expect(rasterize(r, [9, 9]).count).toBe(0);
  });

  it("rounds a point as the server does, halves away from 0", () => {
    expect(contains({ shape: "point", center: [2.5, 1.4] }, [3, 1])).toBe(true);
    expect(contains({ shape: "point", center: [-0.5, 0] }, [0, 0])).toBe(false);
    expect(contains({ shape: "point", center: [-0.4, 0] }, [0, 0])).toBe(true);
  });

  it("takes the edge of a polygon, also of a concave one", () => {
    const corners: [number, number][] = [
      [0, 0],
      [0, 4],
      [4, 4],
      [2, 2],
      [4, 0],
    ];
    expect(art({ shape: "polygon", corners }, 5, 5)).toEqual([
      "#####",
      "#####",
      "#####",
      "##.##",
      "#...#",
    ]);
  });

  it("agrees with asking every pixel", () => {
    const shapes: Shape[] = [
      { shape: "disk", center: [-3.2, 5.7], outer: 6.6 },
      { shape: "annulus", center: [7.5, 30.1], inner: 3.3, outer: 9.1 },
      { shape: "polygon", corners: [[-5, -5], [3.3, 40], [22, 7.7]] },
      { shape: "point", center: [23.49, 30.5] },
    ];
    for (const shape of shapes) {
      const mask = rasterize(shape, [24, 32]);
      let count = 0;
      for (let r = 0; r < 24; ++r)
        for (let c = 0; c < 32; ++c) {
          expect(mask.values[r * 32 + c]).toBe(contains(shape, [r, c]) ? 1 : 0);
          count += contains(shape, [r, c]) ? 1 : 0;
        }
      expect(mask.count).toBe(count);
    }
  });

  it.each([
    ["disk:r=10.3,center=20.2:31.7", 333],
    ["annulus:r=3..5,center=20:30", 56],
    ["polygon:10:10/10:50.5/60:50", 1051],
    ["polygon:10:10/90:50/10:90/40:50", 2051],
    ["point:row=20.5,col=31.5", 1],
    ["square:half=2.5,center=10.5:10", 30],
    ["rectangle:rows=3..8.2,cols=-4..7", 48],
  ])("counts as many pixels in %s as the command line does", (text, count) => {
    const parsed = parseShape(text);
    if (!parsed.ok) throw new Error(parsed.message);
    expect(rasterize(parsed.shape, [96, 96]).count).toBe(count);
  });

  it("covers nothing outside the image or where numbers are missing", () => {
    const off: Shape = { shape: "disk", center: [-50, -50], outer: 3 };
    expect(rasterize(off, [8, 8]).count).toBe(0);
    expect(rasterize({ shape: "disk", center: [NaN, 1], outer: 3 }, [8, 8]).count).toBe(0);
    expect(rasterize({ shape: "polygon", corners: [] }, [8, 8]).count).toBe(0);
  });
});
