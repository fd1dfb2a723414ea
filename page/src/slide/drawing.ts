// Draws when something changed, and asks for the tiles that are seen.
// SPDX-License-Identifier: Apache-2.0
import { batch, effect } from "@preact/signals";
import { note } from "../shell/notices";
import { forgetPictures } from "./attachments";
import { drop, onHello, ask, tell } from "./live";
import { autoWindow } from "./looks";
import type { Painter } from "./painter";
import { frameOf, type Scene, shownCells, wantedOf, wantedTiles, wholeCell } from "./scene";
import {
  arrivals,
  flaws,
  greet,
  grid,
  looks,
  missing,
  plane,
  setLook,
  shownView,
  side,
  size,
  slide,
  slowest,
} from "./state";
import { keyOf, TileStore, type Wanted } from "./store";
import type { Tile } from "./types";

let painter: Painter | null = null;
let frame = 0;
/** Milliseconds that drawing took, the newest 600. */
const times: number[] = [];
let firstPicture = 0;

export const store = new TileStore(
  { ask, tell, drop },
  () => {
    arrivals.value++;
    invalidate();
  },
  () => side.value,
);

export const find = (wanted: Wanted): Tile | undefined => store.find(keyOf(wanted));

/** What is on the screen; null before there is a slide. */
export function scene(): Scene | null {
  const shown = slide.peek();
  if (!shown || size.peek().width === 0) return null;
  return {
    slide: shown,
    grid: grid.peek(),
    view: shownView.peek(),
    size: size.peek(),
    ratio: devicePixelRatio,
    plane: plane.peek(),
    looks: looks.peek(),
  };
}

/** The tiles of a channel that tell of its brightness: the whole slide, or else what is seen. */
export function samplesOf(now: Scene, channel: number): Tile[] {
  const whole = find(wantedOf(now, wholeCell(now.grid), channel));
  if (whole && whole.values.length > 0) return [whole];
  return shownCells(now).flatMap((cell) => find(wantedOf(now, cell, channel)) ?? []);
}

/** Finds the windows of channels that have none yet; false: all have. */
function settle(now: Scene): boolean {
  if (now.looks.every(({ settled }) => settled)) return false;
  now.looks.forEach((look, channel) => {
    if (look.settled) return;
    const found = autoWindow(samplesOf(now, channel));
    const whole = find(wantedOf(now, wholeCell(now.grid), channel)) !== undefined;
    if (found) setLook(channel, { ...found, settled: whole });
  });
  return true;
}

/** Draws now. */
export function repaint(): void {
  cancelAnimationFrame(frame);
  draw();
}

function draw(): void {
  frame = 0;
  let now = scene();
  if (!now || !painter) return;
  const start = performance.now();
  if (settle(now)) now = scene() ?? now;
  store.want(wantedTiles(now));
  const { frame: picture, flaws: found } = frameOf(now, find);
  const complete = painter.paint(picture);
  if (firstPicture === 0 && picture.drawings.length > 0) firstPicture = performance.now();
  times.push(performance.now() - start);
  if (times.length > 600) times.shift();
  batch(() => {
    flaws.value = found;
    missing.value = store.missing();
    slowest.value = store.slowest();
  });
  if (!complete) invalidate();
}

/** Draws at the next frame. */
export function invalidate(): void {
  frame ||= requestAnimationFrame(draw);
}

export function usePainter(next: Painter | null): void {
  painter?.dispose();
  painter = next;
  invalidate();
}

export const drawn = (): { times: number[]; firstPicture: number; kind: string } => ({
  times: [...times],
  firstPicture,
  kind: painter?.kind ?? "",
});
export const isDrawn = (): boolean => frame === 0 && store.missing() === 0;
export const canvas = (): HTMLCanvasElement | null => painter?.canvas ?? null;

onHello((hello) => {
  // Nothing of other slides may be shown as if it were of these.
  if (greet(hello)) {
    store.clear();
    forgetPictures();
  }
  hello.notes.forEach(note);
  store.resume();
  invalidate();
});

/** Draws from now on whenever something of it is seen. */
export function startDrawing(): void {
  effect(() => {
    void [slide.value, shownView.value, size.value, plane.value, looks.value];
    invalidate();
  });
}
