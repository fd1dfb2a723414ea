// What is wanted and what is drawn, out of the view, the plane and the looks: pure functions.
// SPDX-License-Identifier: Apache-2.0
import { imageToScreen, type Size, type View } from "../display/view";
import { type Area, areaOf, cellsIn, cover, type Grid, parentOf, shownArea, zoomFor } from "./grid";
import { isColour, type Look } from "./looks";
import type { Box, Drawing, Frame } from "./painter";
import { keyOf, type Wanted } from "./store";
import type { Cell, Slide, Tile } from "./types";

/** All that decides what is on the screen. */
export interface Scene {
  readonly slide: Slide;
  readonly grid: Grid;
  readonly view: View;
  /** In CSS pixels. */
  readonly size: Size;
  /** Screen pixels per CSS pixel. */
  readonly ratio: number;
  /** Indices by dimension letter, without the channel. */
  readonly plane: Readonly<Record<string, number>>;
  /** One per channel of the slide. */
  readonly looks: readonly Look[];
}

/** The wanted tile of a cell and channel. */
export function wantedOf(scene: Scene, cell: Cell, channel: number): Wanted {
  const at = scene.slide.channels[channel]?.at ?? 0;
  return { slide: scene.slide.id, plane: { ...scene.plane, C: at }, cell };
}

function channelsOn({ looks }: Scene): number[] {
  return looks.flatMap(({ on }, index) => (on ? [index] : []));
}

export function wholeCell(grid: Grid): Cell {
  return { zoom: grid.zooms - 1, row: 0, col: 0 };
}

/** Everything that a scene needs: coarse before fine, the middle first, its surroundings last. */
export function wantedTiles(scene: Scene): Wanted[] {
  const { grid, view, size, ratio, slide } = scene;
  const channels = channelsOn(scene);
  const shown = shownArea(grid, view, size);
  const zoom = zoomFor(grid, view.zoom * ratio);
  const whole = [wholeCell(grid)];
  const sharp = cellsIn(grid, shown, zoom);
  const coarse = sharp.map((cell) => parentOf(cell, 2)).filter((cell) => cell.zoom < grid.zooms);
  // Without coarse levels in the file a coarse tile takes as long as all fine ones together.
  const order = slide.pyramid ? [whole, coarse, sharp] : [sharp, whole];
  const around = cellsIn(grid, shown, zoom, 1);
  const all = new Map<string, Wanted>();
  for (const cells of [...order, around])
    for (const cell of cells)
      for (const channel of channels) {
        const wanted = wantedOf(scene, cell, channel);
        const key = keyOf(wanted);
        if (!all.has(key)) all.set(key, wanted);
      }
  return [...all.values()];
}

/** How many of those fill the screen; what follows lies around it. */
export function shownCells(scene: Scene): Cell[] {
  const { grid, view, size, ratio } = scene;
  return cellsIn(grid, shownArea(grid, view, size), zoomFor(grid, view.zoom * ratio));
}

/** Where an area lies on the canvas; edges are whole, so that there are no seams. */
export function boxOf(scene: Scene, area: Area): Box {
  const { view, size, ratio } = scene;
  const corner = imageToScreen(view, size, [area.top - 0.5, area.left - 0.5]);
  const other = imageToScreen(view, size, [area.bottom - 0.5, area.right - 0.5]);
  return {
    left: Math.round(corner.x * ratio),
    top: Math.round(corner.y * ratio),
    right: Math.round(other.x * ratio),
    bottom: Math.round(other.y * ratio),
  };
}

/** The part of a tile that lies in an area, in its own pixels. */
function partOf(grid: Grid, tile: Tile, area: Area): Box {
  const own = areaOf(grid, tile.cell);
  const pixel = 2 ** tile.cell.zoom;
  return {
    left: (area.left - own.left) / pixel,
    top: (area.top - own.top) / pixel,
    right: Math.min((area.right - own.left) / pixel, tile.cols),
    bottom: Math.min((area.bottom - own.top) / pixel, tile.rows),
  };
}

/** A part that cannot be shown, and why. */
export interface Flaw {
  readonly box: Box;
  readonly area: Area;
  readonly message: string;
}

function flawsOf(scene: Scene, tile: Tile, area: Area): Flaw[] {
  if (tile.error) return [{ box: boxOf(scene, area), area, message: tile.error }];
  const [x0, y0] = scene.slide.bounds;
  return tile.damage.flatMap(({ rect: [x, y, width, height], message }) => {
    const part = {
      left: Math.max(x - x0, area.left),
      top: Math.max(y - y0, area.top),
      right: Math.min(x - x0 + width, area.right),
      bottom: Math.min(y - y0 + height, area.bottom),
    };
    const seen = part.right > part.left && part.bottom > part.top;
    return seen ? [{ box: boxOf(scene, part), area: part, message }] : [];
  });
}

/** The frame of a scene with the tiles that are there, and what of it is damaged. */
export function frameOf(
  scene: Scene,
  find: (wanted: Wanted) => Tile | undefined,
): { frame: Frame; flaws: Flaw[] } {
  const { grid, slide, looks } = scene;
  const drawings: Drawing[] = [];
  const flaws: Flaw[] = [];
  const cells = shownCells(scene);
  for (const channel of channelsOn(scene)) {
    const look = looks[channel];
    if (!look) continue;
    for (const cell of cells)
      for (const { tile, area } of cover(grid, cell, (at) => find(wantedOf(scene, at, channel)))) {
        flaws.push(...flawsOf(scene, tile, area));
        const to = boxOf(scene, area);
        if (tile.values.length === 0 || to.right <= to.left || to.bottom <= to.top) continue;
        drawings.push({ tile, from: partOf(grid, tile, area), to, look });
      }
  }
  const ground = boxOf(scene, { left: 0, top: 0, right: grid.cols, bottom: grid.rows });
  const color = slide.channels.some(isColour) ? "#ffffff" : "#000000";
  const sharp = scene.view.zoom * scene.ratio >= 1;
  return { frame: { ground, color, drawings, sharp }, flaws };
}
