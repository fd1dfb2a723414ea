// Differences of planes, and what is drawn over a base.
// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { mapTable } from "../display/colormaps";
import { aboutZero, minus, overlayRgba, statisticsOf } from "./rasters";

const row = (...values: number[]) => ({ rows: 1, cols: values.length, values: Float32Array.from(values) });

it("subtracts point by point, and what is no number stays none", () => {
  expect([...minus(row(1, 2, NaN), row(3, 0.5, 1))!.values]).toEqual([-2, 1.5, NaN]);
  expect(minus(row(1, 2), row(1))).toBeNull();
});

it("finds limits about 0", () => {
  expect(aboutZero(-3, 2, NaN)).toEqual({ low: -3, high: 3 });
  expect(aboutZero(0, NaN)).toEqual({ low: -1, high: 1 });
});

it("draws nothing below the threshold and where there is nothing", () => {
  const rgba = overlayRgba(row(0, 5, 10, NaN), { low: 0, high: 10 }, "turbo", 5, 0.5);
  expect([3, 7, 11, 15].map((i) => rgba[i])).toEqual([0, 128, 128, 0]);
  expect([...rgba.slice(8, 11)]).toEqual([...mapTable("turbo").slice(1020, 1023)]);
});

it("draws negative values as it does others, and all of them from 0 % on", () => {
  const drawn = (least: number) => {
    const rgba = overlayRgba(row(-5, -1, 0, 2, NaN), { low: -5, high: 5 }, "balance", least, 1);
    return [3, 7, 11, 15, 19].map((i) => rgba[i]);
  };
  expect(drawn(2)).toEqual([255, 0, 0, 255, 0]);
  expect(drawn(0)).toEqual([255, 255, 255, 255, 0]);
});

it("counts only what is finite", () => {
  const { min, max, mean, count } = statisticsOf(row(1, NaN, 5, Infinity));
  expect([min, max, mean, count]).toEqual([1, 5, 3, 2]);
});
