// Tests of the geometry of tiles.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { fitView } from "../display/view";
import { areaOf, cellsIn, cover, type Grid, parentOf, shownArea, zoomFor } from "./grid";
import type { Cell, Tile } from "./types";

// 5 x 3 tiles, the last column 100 and the last row 30 pixels wide.
const grid: Grid = { cols: 4 * 512 + 100, rows: 2 * 512 + 30, side: 512, zooms: 4 };

const name = ({ zoom, row, col }: Cell): string => `${zoom}/${row}/${col}`;

function tileOf(cell: Cell): Tile {
  const pixels = (extent: number, at: number): number =>
    Math.ceil(Math.min(512, extent / 2 ** cell.zoom - at * 512));
  const [rows, cols] = [pixels(grid.rows, cell.row), pixels(grid.cols, cell.col)];
  const values = new Uint8Array(rows * cols);
  return { cell, rows, cols, samples: 1, values, damage: [], error: "" };
}

/** Finds the tiles that are named. */
function having(...names: string[]): (cell: Cell) => Tile | undefined {
  return (cell) => (names.includes(name(cell)) ? tileOf(cell) : undefined);
}

test("the zoom is as fine as the screen and no finer than the file", () => {
  expect(zoomFor(grid, 4)).toBe(0);
  expect(zoomFor(grid, 1)).toBe(0);
  expect(zoomFor(grid, 0.5)).toBe(1);
  expect(zoomFor(grid, 0.3)).toBe(1);
  expect(zoomFor(grid, 1e-9)).toBe(3);
  expect(zoomFor(grid, NaN)).toBe(0);
  expect(zoomFor(grid, 0)).toBe(0);
});

test("a view shows an area within the slide", () => {
  const size = { width: 800, height: 600 };
  const whole = shownArea(grid, fitView(grid, size), size);
  expect(whole).toEqual({ left: 0, top: 0, right: grid.cols, bottom: grid.rows });
  const part = shownArea(grid, { zoom: 2, center: [299.5, 399.5] }, size);
  expect(part).toEqual({ left: 200, top: 150, right: 600, bottom: 450 });
  const beside = shownArea(grid, { zoom: 1, center: [-5000, 0] }, size);
  expect(cellsIn(grid, beside, 0)).toEqual([]);
});

test("cells meet the area, the middle first, and never lie outside", () => {
  const area = { left: 500, top: 10, right: 1030, bottom: 20 };
  expect(cellsIn(grid, area, 0).map(name)).toEqual(["0/0/1", "0/0/0", "0/0/2"]);
  expect(cellsIn(grid, area, 0, 1).map(name).sort()).toEqual(
    ["0/0/0", "0/0/1", "0/0/2", "0/0/3", "0/1/0", "0/1/1", "0/1/2", "0/1/3"].sort(),
  );
  const all = { left: 0, top: 0, right: grid.cols, bottom: grid.rows };
  expect(cellsIn(grid, all, 0)).toHaveLength(15);
  expect(cellsIn(grid, all, 1, 5)).toHaveLength(6);
  expect(cellsIn(grid, all, 3).map(name)).toEqual(["3/0/0"]);
});

test("a tile that is there covers its cell, without what it lacks", () => {
  const cell = { zoom: 0, row: 2, col: 4 };
  const pieces = cover(grid, cell, having("0/2/4"));
  expect(pieces.map(({ area }) => area)).toEqual([
    { left: 2048, top: 1024, right: grid.cols, bottom: grid.rows },
  ]);
});

test("a coarser tile stands in for a missing one", () => {
  const [piece, ...more] = cover(grid, { zoom: 0, row: 1, col: 2 }, having("3/0/0", "2/0/0"));
  expect(more).toEqual([]);
  expect(name(piece!.tile.cell)).toBe("2/0/0");
  expect(piece!.area).toEqual(areaOf(grid, { zoom: 0, row: 1, col: 2 }));
});

test("finer tiles stand in before coarser ones, which fill their gaps", () => {
  const cell = { zoom: 1, row: 0, col: 0 };
  const pieces = cover(grid, cell, having("0/0/0", "3/0/0"));
  expect(pieces.map(({ tile }) => name(tile.cell))).toEqual(["0/0/0", "3/0/0", "3/0/0", "3/0/0"]);
  expect(pieces.map(({ area }) => [area.left, area.top])).toEqual([
    [0, 0],
    [512, 0],
    [0, 512],
    [512, 512],
  ]);
});

test("nothing covers where nothing is", () => {
  expect(cover(grid, { zoom: 0, row: 0, col: 0 }, () => undefined)).toEqual([]);
});

test("parents hold their children", () => {
  expect(parentOf({ zoom: 0, row: 5, col: 6 }, 2)).toEqual({ zoom: 2, row: 1, col: 1 });
});
