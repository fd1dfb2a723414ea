// Paths and handles.
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { grab } from "./grab";
import { outline, handles, polylineOutline } from "./outline";
import { newShape } from "./presets";

describe("outline", () => {
  it("writes columns as x", () => {
    expect(outline({ shape: "rectangle", from: [8, 9], to: [1, 2] })).toBe("M2 1L9 1L9 8L2 8z");
    expect(outline({ shape: "polygon", corners: [[1, 2], [3, 4.12345], [5, 6]] })).toBe(
      "M2 1L4.123 3L6 5z",
    );
    expect(outline({ shape: "point", center: [3, 7] })).toBe("M6.5 2.5L7.5 2.5L7.5 3.5L6.5 3.5z");
    expect(polylineOutline([[1, 2], [3, 4]])).toBe("M2 1L4 3");
    expect(polylineOutline([])).toBe("");
    expect(outline({ shape: "polygon", corners: [] })).toBe("");
  });

  it("draws an annulus as two closed circles", () => {
    expect(outline({ shape: "disk", center: [5, 9], outer: 3 })).toBe(
      "M6 5a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z",
    );
    const d = outline({ shape: "annulus", center: [5, 9], inner: 1, outer: 3 });
    expect(d.match(/M/g)).toHaveLength(2);
    expect(d.match(/z/g)).toHaveLength(2);
  });
});

describe("handles", () => {
  it("are where the pointer holds what they say", () => {
    for (const kind of ["disk", "annulus", "square", "rectangle", "polygon"] as const) {
      const shape = newShape(kind, [200, 200]);
      const all = handles(shape);
      expect(all[0]).toMatchObject({ edge: null });
      expect(all.length).toBeGreaterThan(4);
      for (const { edge, at } of all) {
        const held = grab(shape, at, 2);
        if (edge === null) expect(held?.kind).toBe("body");
        else expect(held).toMatchObject({ kind: "edge", which: edge });
      }
    }
    expect(handles(newShape("point", [9, 9]))).toEqual([{ edge: null, at: [4, 4] }]);
  });
});
