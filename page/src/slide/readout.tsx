// The line below the slide: where the cursor is, what is there, and how far loading is.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { lengthText, numberText, valueText } from "../display/nice";
import { zoomFor } from "./grid";
import { find, scene } from "./drawing";
import { type Scene, wantedOf } from "./scene";
import { arrivals, cursor, flaws, missing, slide, slowest, view } from "./state";
import type { Tile } from "./types";

/** Values of a channel at a pixel, from the finest tile that is there, and of which zoom. */
export function valuesAt(
  now: Scene,
  [row, col]: readonly [number, number],
  channel: number,
): { values: number[]; zoom: number } | null {
  const { grid } = now;
  for (let zoom = zoomFor(grid, now.view.zoom * now.ratio); zoom < grid.zooms; ++zoom) {
    const [r, c] = [Math.floor(row / 2 ** zoom), Math.floor(col / 2 ** zoom)];
    const cell = { zoom, row: Math.floor(r / grid.side), col: Math.floor(c / grid.side) };
    const tile = find(wantedOf(now, cell, channel));
    if (!tile || tile.error) continue;
    const values = pixelOf(tile, r % grid.side, c % grid.side);
    return values ? { values, zoom } : null;
  }
  return null;
}

function pixelOf(tile: Tile, row: number, col: number): number[] | null {
  if (row >= tile.rows || col >= tile.cols) return null;
  const at = (row * tile.cols + col) * tile.samples;
  return [...tile.values.subarray(at, at + tile.samples)];
}

/** "x 1200, y 340 · 264 µm, 74.8 µm · DAPI 1200". */
function placeText(now: Scene, [r, c]: readonly [number, number]): string {
  const [row, col] = [Math.round(r), Math.round(c)];
  const { slide: of, grid, looks } = now;
  if (row < 0 || col < 0 || row >= grid.rows || col >= grid.cols) return "";
  const [x0, y0] = of.bounds;
  const parts = [`x ${x0 + col}, y ${y0 + row}`];
  const [dx, dy] = of.pixel;
  if (dx > 0 && dy > 0)
    parts.push(`${lengthText(col * dx, "µm", 5)}, ${lengthText(row * dy, "µm", 5)}`);
  let coarsest = 0;
  of.channels.forEach((channel, index) => {
    if (!looks[index]?.on) return;
    const found = valuesAt(now, [row, col], index);
    if (!found) return;
    coarsest = Math.max(coarsest, found.zoom);
    const text = found.values.slice(0, 3).map(valueText).join(", ");
    parts.push(found.values.length > 1 ? `R, G, B ${text}` : `${channel.name} ${text}`);
  });
  if (coarsest > 0) parts.push(`(means of ${2 ** coarsest} × ${2 ** coarsest} pixels)`);
  const flaw = flaws.value.find(
    ({ area }) => col >= area.left && col < area.right && row >= area.top && row < area.bottom,
  );
  if (flaw) parts.push(flaw.message);
  return parts.join(" · ");
}

function Loading(): ComponentChildren {
  const slow = slowest.value;
  if (missing.value === 0) return null;
  const percent = slow ? ` ${Math.floor((100 * slow.done) / Math.max(slow.total, 1))} %` : "";
  return <span class="loading">loading{percent}</span>;
}

export function Readout(): ComponentChildren {
  void [arrivals.value, view.value, slide.value];
  const point = cursor.value;
  const now = scene();
  const zoom = now ? now.view.zoom * now.ratio : 0;
  return (
    <footer class="slide-foot">
      <output class="readout" aria-live="off">
        {(now && point && placeText(now, point)) || " "}
      </output>
      <Loading />
      <span class="zoom-text">{zoom > 0 ? `${numberText(100 * zoom, 3)} %` : ""}</span>
    </footer>
  );
}
