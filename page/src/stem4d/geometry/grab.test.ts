// What a pointer takes hold of.
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { Shape } from "../types";
import { cursorOf, grab, grabAmong } from "./grab";

const disk: Shape = { shape: "disk", center: [50, 50], outer: 20 };
const ring: Shape = { shape: "annulus", center: [50, 50], inner: 25, outer: 40 };
const box: Shape = { shape: "rectangle", from: [40, 10], to: [10, 60] };
const triangle: Shape = { shape: "polygon", corners: [[0, 0], [0, 20], [20, 0]] };

describe("grab", () => {
  it("takes a disk by its edge or its body", () => {
    expect(grab(disk, [50, 71], 3)).toEqual({ kind: "edge", which: "outer", from: [50, 71] });
    expect(grab(disk, [45, 52], 3)).toEqual({ kind: "body", offset: [-5, 2] });
    expect(grab(disk, [50, 74], 3)).toBeNull();
  });

  it("tells the two radii of an annulus apart, and takes it by its hole", () => {
    expect(grab(ring, [50, 89], 3)).toMatchObject({ which: "outer" });
    expect(grab(ring, [24, 50], 3)).toMatchObject({ which: "inner" });
    expect(grab(ring, [50, 82], 3)).toMatchObject({ kind: "body" });
    expect(grab(ring, [50, 55], 3)).toMatchObject({ kind: "body", offset: [0, 5] });
  });

  it("leaves a body to hold in the smallest disk, however large the tolerance", () => {
    const small: Shape = { shape: "disk", center: [5, 5], outer: 1 };
    expect(grab(small, [5, 5], 10)).toMatchObject({ kind: "body" });
    expect(grab(small, [5, 6.5], 10)).toMatchObject({ which: "outer" });
    const thin: Shape = { shape: "annulus", center: [50, 50], inner: 30, outer: 31 };
    expect(grab(thin, [50, 80.5], 10)).toMatchObject({ kind: "body" });
  });

  it("finds sides and corners of a rectangle given in any order", () => {
    const which = (row: number, col: number) => {
      const held = grab(box, [row, col], 2);
      return held?.kind === "edge" ? held.which : (held?.kind ?? null);
    };
    expect(which(9, 9)).toBe("nw");
    expect(which(10, 60)).toBe("ne");
    expect(which(41, 9)).toBe("sw");
    expect(which(40, 60)).toBe("se");
    expect(which(10, 30)).toBe("n");
    expect(which(41, 30)).toBe("s");
    expect(which(25, 10)).toBe("w");
    expect(which(25, 61)).toBe("e");
    expect(which(25, 30)).toBe("body");
    expect(which(25, 64)).toBeNull();
  });

  it("prefers a polygon's corner to the middle of its edge", () => {
    expect(grab(triangle, [1, 1], 3)).toMatchObject({ which: { vertex: 0 } });
    expect(grab(triangle, [0, 11], 3)).toMatchObject({ which: { after: 0 } });
    expect(grab(triangle, [10, 10], 3)).toMatchObject({ which: { after: 1 } });
    expect(grab(triangle, [10, 0], 3)).toMatchObject({ which: { after: 2 } });
    expect(grab(triangle, [5, 5], 3)).toMatchObject({ kind: "body" });
    expect(grab(triangle, [18, 18], 3)).toBeNull();
  });

  it("takes a point only near it", () => {
    const point: Shape = { shape: "point", center: [3, 4] };
    expect(grab(point, [3, 6], 3)).toMatchObject({ kind: "body", offset: [0, 2] });
    expect(grab(point, [3, 4.6], 0.1)).toMatchObject({ kind: "body" });
    expect(grab(point, [3, 9], 3)).toBeNull();
  });

  it("holds nothing where the pointer is not a number", () => {
    for (const shape of [disk, ring, box, triangle]) expect(grab(shape, [NaN, 1], 3)).toBeNull();
  });
});

describe("grabAmong", () => {
  it("gives the selected one first, then the topmost", () => {
    const other: Shape = { ...disk };
    expect(grabAmong([disk, other], -1, [50, 50], 3)?.index).toBe(1);
    expect(grabAmong([disk, other], 0, [50, 50], 3)?.index).toBe(0);
    expect(grabAmong([disk, other], 7, [50, 50], 3)?.index).toBe(1);
  });

  it("gives any edge before any body", () => {
    const wide: Shape = { shape: "disk", center: [50, 50], outer: 45 };
    expect(grabAmong([disk, wide], 1, [50, 70], 3)).toMatchObject({
      index: 0,
      grab: { which: "outer" },
    });
  });

  it("reaches a disk in the hole of the selected annulus", () => {
    expect(grabAmong([disk, ring], 1, [45, 57], 3)?.index).toBe(0);
    expect(grabAmong([ring], 0, [45, 57], 3)).toMatchObject({ grab: { kind: "body" } });
  });

  it("finds nothing among nothing", () => {
    expect(grabAmong([], 0, [1, 1], 3)).toBeNull();
    expect(grabAmong([disk], 0, [1, 1], 3)).toBeNull();
  });
});

describe("cursorOf", () => {
  const cursor = (shape: Shape, row: number, col: number): string =>
    cursorOf(shape, grab(shape, [row, col], 3));

  it("points along the radius", () => {
    expect(cursor(disk, 50, 70)).toBe("ew-resize");
    expect(cursor(disk, 50, 30)).toBe("ew-resize");
    expect(cursor(disk, 30, 50)).toBe("ns-resize");
    expect(cursor(disk, 64.1, 64.1)).toBe("nwse-resize");
    expect(cursor(disk, 35.9, 64.1)).toBe("nesw-resize");
  });

  it("names the others", () => {
    expect(cursor(disk, 50, 50)).toBe("move");
    expect(cursor(disk, 0, 0)).toBe("default");
    expect(cursor(box, 10, 10)).toBe("nwse-resize");
    expect(cursor(box, 10, 60)).toBe("nesw-resize");
    expect(cursor(box, 10, 30)).toBe("ns-resize");
    expect(cursor(box, 25, 10)).toBe("ew-resize");
    expect(cursor(triangle, 0, 0)).toBe("pointer");
    expect(cursor(triangle, 0, 10)).toBe("copy");
    expect(cursorOf(null, null)).toBe("default");
  });
});
