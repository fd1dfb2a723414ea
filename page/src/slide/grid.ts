// Where tiles lie: cells of a zoom, which of them are seen, and what stands in for missing ones.
// SPDX-License-Identifier: Apache-2.0
import { screenToImage, type Size, type View } from "../display/view";
import type { Cell, Tile } from "./types";

/** A slide as far as its geometry matters. */
export interface Grid {
  /** Pixels of the full resolution. */
  readonly cols: number;
  readonly rows: number;
  /** Height of a pixel in widths of it; 1 if not given. */
  readonly aspect?: number;
  /** Pixels along each side of a tile. */
  readonly side: number;
  readonly zooms: number;
}

/** Edges in pixels of the full resolution from the slide's upper left corner. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A part of a tile and where it belongs. */
export interface Piece {
  readonly tile: Tile;
  readonly area: Area;
}

/** The zoom whose pixels are about as large as those of the screen, or finer. */
export function zoomFor(grid: Grid, devicePixelsPerPixel: number): number {
  const halvings = Math.floor(Math.log2(1 / devicePixelsPerPixel) + 0.25);
  return Math.min(Math.max(Number.isFinite(halvings) ? halvings : 0, 0), grid.zooms - 1);
}

export function areaOf(grid: Grid, { zoom, row, col }: Cell): Area {
  const side = grid.side * 2 ** zoom;
  return { left: col * side, top: row * side, right: (col + 1) * side, bottom: (row + 1) * side };
}

/** What of the slide a view shows; empty (right <= left) where it shows nothing. */
export function shownArea(grid: Grid, view: View, size: Size): Area {
  const [top, left] = screenToImage(view, size, { x: 0, y: 0 });
  const [bottom, right] = screenToImage(view, size, { x: size.width, y: size.height });
  // Pixel centres are whole, so pixels begin half a pixel before.
  return {
    left: Math.max(left + 0.5, 0),
    top: Math.max(top + 0.5, 0),
    right: Math.min(right + 0.5, grid.cols),
    bottom: Math.min(bottom + 0.5, grid.rows),
  };
}

/** The cells of a zoom that meet an area, those nearest to its middle first. */
export function cellsIn(grid: Grid, area: Area, zoom: number, margin = 0): Cell[] {
  const side = grid.side * 2 ** zoom;
  const last = (extent: number): number => Math.ceil(extent / side) - 1;
  if (!(area.right > area.left) || !(area.bottom > area.top)) return [];
  const firstCol = Math.max(Math.floor(area.left / side) - margin, 0);
  const firstRow = Math.max(Math.floor(area.top / side) - margin, 0);
  const lastCol = Math.min(Math.ceil(area.right / side) - 1 + margin, last(grid.cols));
  const lastRow = Math.min(Math.ceil(area.bottom / side) - 1 + margin, last(grid.rows));
  const middle = [(area.top + area.bottom) / 2 / side, (area.left + area.right) / 2 / side];
  const cells: Cell[] = [];
  for (let row = firstRow; row <= lastRow; ++row)
    for (let col = firstCol; col <= lastCol; ++col) cells.push({ zoom, row, col });
  const far = ({ row, col }: Cell): number =>
    Math.hypot(row + 0.5 - middle[0]!, col + 0.5 - middle[1]!);
  return cells.sort((a, b) => far(a) - far(b));
}

export function parentOf({ zoom, row, col }: Cell, up = 1): Cell {
  return { zoom: zoom + up, row: Math.floor(row / 2 ** up), col: Math.floor(col / 2 ** up) };
}

function childrenOf(grid: Grid, { zoom, row, col }: Cell): Cell[] {
  const side = grid.side * 2 ** (zoom - 1);
  return [0, 1, 2, 3]
    .map((i) => ({ zoom: zoom - 1, row: 2 * row + (i >> 1), col: 2 * col + (i & 1) }))
    .filter((cell) => cell.row * side < grid.rows && cell.col * side < grid.cols);
}

/** The area as far as the tile has pixels there. */
function pieceOf(grid: Grid, tile: Tile, area: Area): Piece {
  const own = areaOf(grid, tile.cell);
  const pixel = 2 ** tile.cell.zoom;
  const right = Math.min(area.right, own.left + tile.cols * pixel, grid.cols);
  const bottom = Math.min(area.bottom, own.top + tile.rows * pixel, grid.rows);
  return { tile, area: { left: area.left, top: area.top, right, bottom } };
}

/** What a cell is drawn with: its tile, else finer ones that are there, else parts of coarser. */
export function cover(grid: Grid, cell: Cell, find: (cell: Cell) => Tile | undefined): Piece[] {
  const own = find(cell);
  if (own) return [pieceOf(grid, own, areaOf(grid, cell))];
  const children = cell.zoom > 0 ? childrenOf(grid, cell) : [];
  if (children.some(find))
    return children.flatMap((child) => {
      const tile = find(child) ?? coarser(grid, child, find);
      return tile ? [pieceOf(grid, tile, areaOf(grid, child))] : [];
    });
  const tile = coarser(grid, cell, find);
  return tile ? [pieceOf(grid, tile, areaOf(grid, cell))] : [];
}

function coarser(grid: Grid, cell: Cell, find: (cell: Cell) => Tile | undefined): Tile | undefined {
  for (let up = 1; cell.zoom + up < grid.zooms; ++up) {
    const tile = find(parentOf(cell, up));
    if (tile) return tile;
  }
  return undefined;
}
