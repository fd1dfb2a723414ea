// Colour maps against the command line's and the published tables.
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { mapName, MAPS, mapTable, wheelTable } from "./colormaps";
import { labOf, rgbOf } from "./oklab";

const at = (name: string, i: number): number[] => [...mapTable(name).slice(4 * i, 4 * i + 3)];

function near(found: number[], wanted: number[], slack: number): void {
  found.forEach((v, k) => expect(Math.abs(v - wanted[k]!)).toBeLessThanOrEqual(slack));
}

describe("colour maps", () => {
  it("agree with the published tables", () => {
    // https://github.com/BIDS/colormap (CC0) at 0, 1/4, 1/2, 3/4 and 1
    const published: Record<string, number[][]> = {
      turbo: [[48, 18, 59], [40, 188, 235], [164, 252, 60], [251, 126, 33], [122, 4, 3]],
      plasma: [[13, 8, 135], [126, 3, 168], [204, 71, 120], [248, 149, 64], [240, 249, 33]],
      cividis: [[0, 34, 78], [67, 78, 108], [125, 124, 120], [188, 174, 108], [254, 232, 56]],
      twilight: [[226, 217, 226], [98, 118, 186], [47, 20, 54], [178, 86, 82], [226, 217, 226]],
      hot: [[11, 0, 0], [179, 0, 0], [255, 91, 0], [255, 255, 6], [255, 255, 255]],
    };
    for (const [name, colours] of Object.entries(published))
      colours.forEach((wanted, k) => near(at(name, Math.min(64 * k, 255)), wanted, 10));
  });
  it("agree with the command line's", () => {
    expect(at("gray", 128)).toEqual([128, 128, 128]);
    expect(at("ember", 0)).toEqual([...rgbOf(labOf(0.06, 0.02, 285))]);
    expect(at("ember", 255)).toEqual([...rgbOf(labOf(0.985, 0.1, 107))]);
    expect(at("balance", 0)).toEqual([...rgbOf(labOf(0.42, 0.19 * 0.85, 257))]);
    expect(at("inferno", 77)).toEqual(at("ember", 77));
    expect(at("viridis", 77)).toEqual(at("meadow", 77));
  });
  it("cyclic ones close", () => {
    for (const { name, kind } of MAPS) if (kind === "cyclic") near(at(name, 0), at(name, 255), 6);
  });
  it("none jumps", () => {
    for (const { name } of MAPS)
      for (let i = 1; i < 256; ++i) near(at(name, i), at(name, i - 1), name === "gray" ? 1 : 18);
  });
  it("takes only names of its own", () => {
    expect(mapName("constructor")).toBe("gray");
    expect(mapName("")).toBe("gray");
    expect(new Set(MAPS.map((m) => mapName(m.name))).size).toBe(MAPS.length);
  });
  it("the wheel begins dark and gets equally light in all directions", () => {
    const wheel = wheelTable();
    for (let hue = 0; hue < 256; ++hue) {
      const dark = [...wheel.slice(4 * hue, 4 * hue + 3)];
      expect(Math.max(...dark)).toBeLessThan(20);
    }
  });
});
