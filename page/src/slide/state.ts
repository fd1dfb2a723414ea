// What the page of slides shows, as signals, and how it changes.
// SPDX-License-Identifier: Apache-2.0
import { batch, computed, signal } from "@preact/signals";
import {
  fitView,
  pannedView,
  type ScreenPoint,
  type Size,
  type View,
  zoomedView,
} from "../display/view";
import type { Point } from "../types";
import type { Grid } from "./grid";
import { firstLook, type Look } from "./looks";
import type { Hello } from "./messages";
import type { Flaw } from "./scene";
import type { Progress } from "./store";
import type { Rect, Slide } from "./types";

/** Pixels along each side of a tile. */
export const side = signal(512);
export const slides = signal<readonly Slide[]>([]);
const slideId = signal("");
/** null: the whole slide. */
export const view = signal<View | null>(null);
/** Of the canvas in CSS pixels. */
export const size = signal<Size>({ width: 0, height: 0 });
/** Indices by dimension letter, without the channel. */
export const plane = signal<Readonly<Record<string, number>>>({});
/** One per channel. */
export const looks = signal<readonly Look[]>([]);
export const cursor = signal<Point | null>(null);
export const dragging = signal(false);
/** Counts tiles that came. */
export const arrivals = signal(0);
export const flaws = signal<readonly Flaw[]>([]);
/** Of what is wanted: tiles that are missing, and the slowest read. */
export const missing = signal(0);
export const slowest = signal<Progress | null>(null);
export const sideColumn = signal(true);
export const helpOpen = signal(false);

export const slide = computed<Slide | null>(
  () => slides.value.find(({ id }) => id === slideId.value) ?? slides.value[0] ?? null,
);
/** Pixels need not be square: how much higher they are than wide. */
export function aspectOf(of: Slide | null): number {
  const [x, y] = of?.pixel ?? [0, 0];
  return x > 0 && y > 0 && Number.isFinite(y / x) ? y / x : 1;
}
export const grid = computed<Grid>(() => ({
  cols: slide.value?.bounds[2] ?? 0,
  rows: slide.value?.bounds[3] ?? 0,
  side: side.value,
  zooms: slide.value?.zooms ?? 1,
  aspect: aspectOf(slide.value),
}));
/** The view in use; what was set before knows nothing of this slide's pixels. */
export const shownView = computed<View>(() =>
  view.value
    ? { ...view.value, aspect: grid.value.aspect }
    : fitView(grid.value, size.value),
);

function begin(chosen: Slide | undefined): void {
  slideId.value = chosen?.id ?? "";
  view.value = null;
  cursor.value = null;
  plane.value = Object.fromEntries((chosen?.dimensions ?? []).map((d) => [d.letter, d.first]));
  looks.value = (chosen?.channels ?? []).map(firstLook);
}

/** Chooses a slide; the view, the plane and the looks begin anew. */
export function choose(id: string): void {
  batch(() => begin(slides.value.find((one) => one.id === id)));
}

/** After a reconnection to the same slides everything stays; true: these are others. */
export function greet(hello: Hello): boolean {
  const before = slide.value;
  side.value = hello.side;
  slides.value = hello.slides;
  const now = hello.slides.find(({ id }) => id === before?.id);
  const same = now !== undefined && JSON.stringify(now) === JSON.stringify(before);
  if (!same) begin(hello.slides[0]);
  return !same;
}

export function setLook(channel: number, change: Partial<Look>): void {
  looks.value = looks.peek().map((look, i) => (i === channel ? { ...look, ...change } : look));
}

export function setIndex(letter: string, index: number): void {
  plane.value = { ...plane.value, [letter]: index };
}

/** Moves along a dimension as far as it goes; false where the slide has none. */
export function step(letter: string, by: number): boolean {
  const dimension = slide.value?.dimensions.find((one) => one.letter === letter);
  if (!dimension) return false;
  const { first, count } = dimension;
  const next = (plane.value[letter] ?? first) + by;
  setIndex(letter, Math.min(Math.max(next, first), first + count - 1));
  return true;
}

export const middle = (): ScreenPoint => ({ x: size.value.width / 2, y: size.value.height / 2 });

export function pan(by: ScreenPoint): void {
  view.value = pannedView(shownView.value, by, grid.value, size.value);
}

/** Zooms about a place on the canvas. */
export function zoom(factor: number, at: ScreenPoint = middle()): void {
  view.value = zoomedView(shownView.value, factor, at, grid.value, size.value);
}

/** To this many screen pixels per pixel. */
export function zoomTo(devicePixelsPerPixel: number): void {
  zoom(devicePixelsPerPixel / devicePixelRatio / shownView.value.zoom);
}

export function fit(): void {
  view.value = null;
}

export function center(point: Point): void {
  const { zoom: kept } = shownView.value;
  view.value = pannedView({ zoom: kept, center: point }, { x: 0, y: 0 }, grid.value, size.value);
}

/** Shows a rectangle of the file with a little around it. */
export function show([x, y, width, height]: Rect): void {
  const [x0, y0] = slide.value?.bounds ?? [0, 0];
  const inside = fitView({ rows: height, cols: width, aspect: grid.value.aspect }, size.value);
  const [row, col] = inside.center;
  const wanted: View = { zoom: inside.zoom * 0.92, center: [row + y - y0, col + x - x0] };
  view.value = pannedView(wanted, { x: 0, y: 0 }, grid.value, size.value);
}
