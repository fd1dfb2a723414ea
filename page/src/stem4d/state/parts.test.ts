// Small pieces of the state: sizes, stretching, playing, profiles, calibration, saved shapes.
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { fakeDataset } from "../protocol/fake";
import type { Dataset } from "../types";
import { bytesOf } from "./answered";
import { stepFromDistance, stepFromSpot } from "./calibration";
import { stretched } from "./coarse";
import { following, neighbours } from "./playback";
import { movedProfile, profilePartAt } from "./profile";
import { readSaved } from "./saved";

const request = { op: "image", dataset: "one", mode: "sum", detectors: [], rotation: "none" } as const;
const answer = (key: string, pixels: number) => ({
  key,
  subject: "",
  request: { ...request, detectors: [] },
  since: 0,
  images: [{ rows: 1, cols: pixels, values: new Float32Array(pixels) }],
  step: 1,
  rotation: null,
  notes: [],
  ms: 0,
});

describe("the bytes of an answer", () => {
  it("are those of its images", () => {
    const { images, ...rest } = answer("a", 100);
    expect(bytesOf({ ...rest, images: [...images, ...images] })).toBe(800);
  });
});

describe("a coarse image", () => {
  it("covers the whole scan, blocks cut off at its edges", () => {
    const coarse = { rows: 2, cols: 2, values: Uint16Array.of(1, 2, 3, 4) };
    expect([...stretched(coarse, 2, 3, 4).values]).toEqual([1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4]);
  });

  it("is left alone when it is whole already", () => {
    const whole = { rows: 2, cols: 2, values: Float64Array.of(1, 2, 3, 4) };
    expect(stretched(whole, 1, 2, 2)).toBe(whole);
    expect(stretched(whole, 4, 2, 2)).toBe(whole);
  });
});

describe("playing", () => {
  const how = { loop: false, bounce: false, reverse: false };
  it.each([
    [0, 3, how, { index: 1, reverse: false }],
    [2, 3, how, null],
    [2, 3, { ...how, loop: true }, { index: 0, reverse: false }],
    [0, 3, { ...how, loop: true, reverse: true }, { index: 2, reverse: true }],
    [2, 3, { ...how, bounce: true }, { index: 1, reverse: true }],
    [0, 3, { ...how, bounce: true, reverse: true }, null],
    [0, 3, { loop: true, bounce: true, reverse: true }, { index: 1, reverse: false }],
    [0, 1, { ...how, loop: true }, null],
  ])("from %i of %i", (index, count, settings, expected) => {
    expect(following(index, count, settings)).toEqual(expected);
  });

  it("fetches the next ones first, each once", () => {
    const list = ["a", "b", "c", "d", "e"].map((id) => fakeDataset(id));
    const ids = (found: readonly Dataset[]): string[] => found.map((one) => one.id);
    expect(ids(neighbours(list, 3, false))).toEqual(["e", "a", "c"]);
    expect(ids(neighbours(list, 0, true))).toEqual(["e", "d", "b"]);
    expect(ids(neighbours(list.slice(0, 2), 0, false))).toEqual(["b"]);
  });
});

describe("a profile line", () => {
  const line = { panel: "image" as const, from: [2, 2] as const, to: [2, 12] as const, width: 1 };
  it("is held by its ends and its middle", () => {
    expect(profilePartAt(line, [2, 2.5], 1)).toBe("from");
    expect(profilePartAt(line, [2.5, 12], 1)).toBe("to");
    expect(profilePartAt(line, [2.5, 7], 1)).toBe("line");
    expect(profilePartAt(line, [5, 7], 1)).toBeNull();
  });

  it("moves by an end, or as a whole, within the image", () => {
    expect(movedProfile(line, "to", [2, 12], [6, 30], [10, 20])).toMatchObject({
      from: [2, 2],
      to: [6, 19],
    });
    expect(movedProfile(line, "line", [2, 7], [3, 8], [10, 20])).toMatchObject({
      from: [3, 3],
      to: [3, 13],
    });
  });
});

describe("calibration from what is known", () => {
  it("divides a distance by its pixels", () => {
    expect(stepFromDistance([0, 0], [3, 4], 10)).toBe(2);
    expect(stepFromDistance([1, 1], [1, 1], 10)).toBe(0);
    expect(stepFromDistance([0, 0], [3, 4], -1)).toBe(0);
  });

  it("takes the angle of a spacing at a voltage", () => {
    // 0.2 nm at 300 kV: 1.969 pm / 200 pm = 9.84 mrad, here on 10 pixels.
    expect(stepFromSpot(10, 0.2, 300)).toBeCloseTo(0.984, 3);
    expect(stepFromSpot(0, 0.2, 300)).toBe(0);
    expect(stepFromSpot(10, 0.2, Number.NaN)).toBe(0);
  });
});

describe("saved detectors", () => {
  it("are read with care", () => {
    const disk = { shape: "disk", center: [1, 2], outer: 3 };
    const good = { name: "mine", region: disk };
    expect(readSaved([good])).toEqual([good]);
    const hostile = [
      null,
      7,
      { name: "", region: disk },
      { name: "x", region: { shape: "disk", center: ["1", 2], outer: 3 } },
      { name: "x", region: { shape: "disk", center: [1, 2], outer: -3 } },
      { name: "x", region: { shape: "polygon", corners: [[1, 2]] } },
      { name: "x", region: { shape: "__proto__" } },
      { name: 4, region: disk },
    ];
    expect(readSaved(hostile)).toEqual([]);
    expect(readSaved({ length: 3 })).toEqual([]);
    expect(readSaved("no")).toEqual([]);
  });
});
