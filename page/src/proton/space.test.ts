// Planes, places and elements of volumes.
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import * as space from "./space";
import { ct, run, volume } from "./test_volumes";

describe("planes", () => {
  it("are three with the head at the top, or one with the beam to the right", () => {
    const words = space
      .planesOf(volume())
      .map(({ key, across, down, up, normal }) => [key, across, down, up, normal]);
    expect(words).toEqual([
      ["axial", 0, 1, false, 2],
      ["coronal", 0, 2, true, 1],
      ["sagittal", 1, 2, true, 0],
    ]);
    expect(space.planesOf(run())).toMatchObject([{ key: "flat", across: 1, down: 0, normal: null }]);
    expect(space.planesOf(run({ depth: false }))).toMatchObject([{ across: 0, down: 1, up: false }]);
  });
  it("have positions along the stored axes where these are turned", () => {
    expect(space.placeUnit(volume())).toBe("mm");
    expect(space.placeUnit(volume({ lies: "turned" }))).toBe("mm along the stored axis");
    const bare = volume({ lies: "turned", spaced: false });
    expect(space.lengthUnit(bare)).toBe("elements");
    expect(space.placeUnit(bare)).toBe("elements along the stored axis");
  });
  it("are subtracted whatever sign their values have, if they are of one unit", () => {
    const other = volume({ id: "v2", kind: "other", least: -1 });
    expect(space.subtractable(volume(), other)).toBe(true);
    expect(space.subtractable(volume(), { ...other, unit: "" })).toBe(false);
    expect(space.subtractable(volume({ unit: "" }), ct({ unit: "" }))).toBe(false);
  });
  it("have no names of the patient where the axes are turned", () => {
    const titles = space.planesOf(volume({ lies: "turned" })).map(({ title }) => title);
    expect(titles.join()).not.toMatch(/Axial|Coronal|Sagittal/);
    expect(titles[0]).toContain("Stored axes");
  });
  it("say which pixel a place is, and back", () => {
    for (const of of [volume(), run()])
      for (const plane of space.planesOf(of)) {
        const at = space.brightest(of);
        const pixel = space.pixelOf(of, plane, at);
        const side = plane.up ? 0 : of.sides[plane.down]! - 1;
        if (of.depth) expect(pixel).toEqual([1, 7]);
        else expect(pixel).toEqual([side, of.sides[plane.across]! - 1]);
        expect(space.placeOf(of, plane, pixel, at)).toEqual(at);
        // What lies outside is the nearest element.
        expect(space.placeOf(of, plane, [-99, 1e9], at)).toEqual(
          space.placeOf(of, plane, [0, of.sides[plane.across]! - 1], at),
        );
      }
  });
  it("are as high as the spacings say", () => {
    const [, coronal] = space.planesOf(volume());
    expect(space.aspectOf(volume(), coronal!)).toBe(1.5);
  });
});

describe("places", () => {
  it("snap to the middles of elements, and stay inside", () => {
    expect(space.snapped(volume(), [-4.1, 100, 4.6])).toEqual([-5, 4, 6]);
    expect(space.snapped(run(), [0, 0, 77])).toEqual([0.25, 0.5, 0]);
    expect(space.centre(volume())).toEqual([1, 0, 6]);
    expect(space.snapped(volume(), [NaN, 0, 0])[0]).toBe(-5);
  });
  it("mean the same in two volumes of one space only", () => {
    expect(space.comparable(volume(), ct())).toBe(true);
    expect(space.comparable(volume(), run({ id: "v2" }))).toBe(false);
    const turned = { lies: "turned" } as const;
    expect(space.comparable(volume(turned), ct(turned))).toBe(false);
    expect(space.comparable(volume(turned), volume(turned))).toBe(true);
    const bare = { lies: "unknown" } as const;
    expect(space.comparable(volume(bare), volume({ ...bare, id: "v2" }))).toBe(true);
    expect(space.comparable(volume(bare), ct(bare))).toBe(false);
    expect(space.comparable(volume(), volume({ ...bare, id: "v2" }))).toBe(false);
  });
  it("are of one grid or not", () => {
    expect(space.sameGrid(volume(), volume({ id: "v2", spacing: [2 + 1e-9, 2, 3] }))).toBe(true);
    expect(space.sameGrid(volume(), volume({ origin: [-5, -4, 0.1] }))).toBe(false);
    expect(space.sameGrid(volume(), ct())).toBe(false);
  });
  it("are subtracted where kind and unit are the same", () => {
    expect(space.subtractable(volume(), volume({ id: "v2" }))).toBe(true);
    expect(space.subtractable(volume(), volume({ id: "v2", unit: "cGy" }))).toBe(false);
    expect(space.subtractable(volume(), ct())).toBe(false);
    expect(space.subtractable(volume(), volume())).toBe(false);
  });
});

it("names axes as the file's kind does", () => {
  expect([0, 1].map((axis) => space.axisName(run(), axis === 0 ? 0 : 1))).toEqual(["x", "depth"]);
  expect(space.axisName(volume(), 1)).toBe("y");
  expect(space.axisWord(2, true)).toBe("-z");
  expect(space.lengthUnit(volume({ lies: "unknown", spaced: false }))).toBe("elements");
});
