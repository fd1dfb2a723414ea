// Tests of windows, colours and the values that they make.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { coloured } from "./colour";
import { autoWindow, firstLook, histogramOf, type Look, rgbOf } from "./looks";
import type { Channel, Tile } from "./types";

const channel = (changes: Partial<Channel> = {}): Channel => ({
  at: 0,
  name: "A",
  color: "",
  low: 0,
  high: 0,
  sample: "uint16",
  samples: 1,
  ...changes,
});
const tileOf = (values: Tile["values"], samples = 1): Tile => ({
  cell: { zoom: 0, row: 0, col: 0 },
  rows: 1,
  cols: values.length / samples,
  samples,
  values,
  damage: [],
  error: "",
});
const look = (changes: Partial<Look> = {}): Look => ({
  on: true,
  color: "#ffffff",
  low: 0,
  high: 100,
  gamma: 1,
  settled: true,
  ...changes,
});

test("the file's window and colour are taken where it has them", () => {
  const own = firstLook(channel({ color: "FF0000", low: 0.1, high: 0.5 }), 0, [
    channel(),
    channel(),
  ]);
  expect(own).toMatchObject({ color: "#ff0000", settled: true });
  expect(own.low).toBeCloseTo(6553.5, 6);
  expect(own.high).toBeCloseTo(32767.5, 6);
});

test("otherwise the first tile tells the window, and one channel is gray", () => {
  expect(firstLook(channel(), 0, [channel()])).toMatchObject({ color: "#ffffff", settled: false });
  expect(firstLook(channel({ low: 0, high: 1 }), 0, [channel()]).settled).toBe(false);
  const many = [channel(), channel()];
  const colours = many.map((one, i) => firstLook(one, i, many).color);
  expect(colours[0]).not.toBe(colours[1]);
});

test("red, green and blue in channels of their own are shown as they are, too", () => {
  const all = ["FF0000", "00FF00", "0000FF"].map((color) =>
    channel({ color, sample: "uint8", low: 0, high: 1 }),
  );
  all.forEach((one, i) =>
    expect(firstLook(one, i, all)).toMatchObject({ low: 0, high: 255, settled: true }),
  );
  const dim = all.map((one, i) => (i === 1 ? { ...one, high: 0.5 } : one));
  expect(firstLook(dim[0]!, 0, dim).settled).toBe(false);
  const wide = all.map((one) => ({ ...one, sample: "uint16" as const }));
  expect(firstLook(wide[0]!, 0, wide).settled).toBe(false);
});

test("colour images of 8 bits are shown as they are", () => {
  const rgb = channel({ sample: "uint8", samples: 3, low: 0.2, high: 0.4 });
  expect(firstLook(rgb, 0, [rgb])).toMatchObject({
    low: 0,
    high: 255,
    color: "#ffffff",
    settled: true,
  });
});

test("the automatic window leaves out the background and the extremes", () => {
  const values = Uint16Array.from({ length: 20000 }, (_, i) => (i < 10000 ? 0 : 1000 + (i % 1000)));
  values[19999] = 60000;
  const found = autoWindow([tileOf(values)])!;
  expect(found.low).toBeGreaterThanOrEqual(1000);
  expect(found.low).toBeLessThan(1060);
  expect(found.high).toBeGreaterThan(1900);
  expect(found.high).toBeLessThan(2200);
});

test("no values, equal values and what is no number make no broken window", () => {
  expect(autoWindow([])).toBeNull();
  expect(autoWindow([tileOf(new Uint16Array(50))])).toBeNull();
  expect(histogramOf([tileOf(Float32Array.of(NaN, Infinity))])).toBeNull();
  const equal = autoWindow([tileOf(new Uint16Array(50).fill(7))])!;
  expect(equal.high).toBeGreaterThan(equal.low);
});

test("values become the channel's colour within the window", () => {
  const tile = tileOf(Uint16Array.of(0, 50, 100, 60000));
  expect([...coloured(tile, look({ color: "#ff8000" }))]).toEqual(
    [
      [0, 0, 0],
      [128, 64, 0],
      [255, 128, 0],
      [255, 128, 0],
    ].flatMap((rgb) => [...rgb, 255]),
  );
});

test("gamma brightens the middle and keeps the ends", () => {
  const out = coloured(tileOf(Uint8Array.of(0, 25, 100)), look({ gamma: 2 }));
  expect([out[0], out[4], out[8]]).toEqual([0, 128, 255]);
});

test("colour bytes pass unchanged, and opacity is not shown", () => {
  const as = look({ high: 255 });
  expect([...coloured(tileOf(Uint8Array.of(1, 2, 3, 250, 251, 252), 3), as)]).toEqual([
    1, 2, 3, 255, 250, 251, 252, 255,
  ]);
  expect([...coloured(tileOf(Uint8Array.of(9, 8, 7, 0), 4), as)]).toEqual([9, 8, 7, 255]);
  const deep = coloured(tileOf(Uint16Array.of(0, 32768, 65535), 3), look({ high: 65535 }));
  expect([...deep]).toEqual([0, 128, 255, 255]);
});

test("broken colours and windows give pixels all the same", () => {
  expect(rgbOf("nonsense")).toEqual([0, 0, 0]);
  const out = coloured(tileOf(Float32Array.of(NaN, 1)), look({ low: 1, high: 1 }));
  expect(out).toHaveLength(8);
});
