// Tests of what is asked for and drawn of a scene.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { firstLook } from "./looks";
import { frameOf, type Scene, wantedTiles } from "./scene";
import { keyOf, type Wanted } from "./store";
import type { Channel, Slide, Tile } from "./types";

const channel = (at: number): Channel => ({
  at,
  name: `C${at}`,
  color: "00FF00",
  low: 0,
  high: 0,
  sample: "uint16",
  samples: 1,
});
const slide: Slide = {
  id: "s1",
  name: "a",
  path: "/a",
  bounds: [100, 200, 8192, 4096],
  zooms: 5,
  pyramid: true,
  pixel: [1, 1],
  zStep: 0,
  tStep: 0,
  dimensions: [],
  channels: [channel(0), channel(1)],
  scenes: [],
  attachments: [],
  notes: [],
  info: {},
};

function sceneOf(zoom: number, center: [number, number], changes: Partial<Slide> = {}): Scene {
  const own = { ...slide, ...changes };
  return {
    slide: own,
    grid: { cols: 8192, rows: 4096, side: 512, zooms: own.zooms },
    view: { zoom, center },
    size: { width: 1000, height: 500 },
    ratio: 1,
    plane: { Z: 2 },
    looks: own.channels.map(firstLook),
  };
}
const zooms = (wanted: readonly Wanted[]): number[] => [
  ...new Set(wanted.map(({ cell }) => cell.zoom)),
];
const fullTile = (wanted: Wanted): Tile => ({
  cell: wanted.cell,
  rows: 512,
  cols: 512,
  samples: 1,
  values: new Uint16Array(4),
  damage: [],
  error: "",
});

test("coarse tiles are asked for before fine ones, all channels of a cell together", () => {
  const wanted = wantedTiles(sceneOf(1, [2000, 4000]));
  expect(zooms(wanted)).toEqual([4, 2, 0]);
  expect(wanted.slice(0, 2).map(({ plane }) => plane)).toEqual([
    { Z: 2, C: 0 },
    { Z: 2, C: 1 },
  ]);
  expect(new Set(wanted.map(keyOf)).size).toBe(wanted.length);
});

test("a file without coarse levels is not read as a whole before what is looked at", () => {
  const wanted = wantedTiles(sceneOf(1, [2000, 4000], { pyramid: false }));
  expect(zooms(wanted)).toEqual([0, 4]);
});

test("channels that are off are neither asked for nor drawn", () => {
  const scene = sceneOf(1, [2000, 4000]);
  const off = { ...scene, looks: scene.looks.map((look, i) => ({ ...look, on: i === 1 })) };
  expect(wantedTiles(off).every(({ plane }) => plane["C"] === 1)).toBe(true);
  const { frame } = frameOf(off, fullTile);
  expect(frame.drawings.every(({ look }) => look === off.looks[1])).toBe(true);
});

test("tiles lie edge to edge, also at odd zooms", () => {
  const { frame } = frameOf(sceneOf(0.777, [2000.3, 4000.7]), fullTile);
  const first = frame.drawings.slice(0, frame.drawings.length / 2).map(({ to }) => to);
  const area = first.reduce((sum, b) => sum + (b.right - b.left) * (b.bottom - b.top), 0);
  const edge = (pick: (b: (typeof first)[number]) => number, best: typeof Math.min): number =>
    best(...first.map(pick));
  const width = edge((b) => b.right, Math.max) - edge((b) => b.left, Math.min);
  const height = edge((b) => b.bottom, Math.max) - edge((b) => b.top, Math.min);
  expect(area).toBe(width * height);
});

test("damaged parts are told where they are seen", () => {
  const damage = [{ rect: [4100, 2200, 64, 64], message: "broken" } as const];
  const bad = (wanted: Wanted): Tile => ({ ...fullTile(wanted), damage });
  const { flaws } = frameOf(sceneOf(1, [2032, 4032]), bad);
  expect(flaws[0]).toMatchObject({
    message: "broken",
    area: { left: 4000, top: 2000, right: 4064, bottom: 2048 },
  });
  expect(frameOf(sceneOf(1, [400, 400]), bad).flaws).toEqual([]);
  const failed = (wanted: Wanted): Tile => ({
    ...fullTile(wanted),
    values: new Uint8Array(0),
    error: "no",
  });
  const all = frameOf(sceneOf(1, [2000, 4000]), failed);
  expect(all.frame.drawings).toEqual([]);
  expect(all.flaws.every(({ message }) => message === "no")).toBe(true);
});
