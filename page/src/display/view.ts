// Zoom and pan: image coordinates to screen coordinates and back.
// SPDX-License-Identifier: Apache-2.0
import type { Point } from "../types";

/** What part of an image a panel shows. */
export interface View {
  /** CSS pixels per image pixel. */
  readonly zoom: number;
  /** The image point in the middle of the panel. */
  readonly center: Point;
  /** Height of an image pixel in widths of it; 1 if not given. */
  readonly aspect?: number | undefined;
}

/** Of a panel, in CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Of an image, in pixels. */
export interface Extent {
  readonly rows: number;
  readonly cols: number;
  /** Height of a pixel in widths of it; 1 if not given. */
  readonly aspect?: number | undefined;
}

export interface ScreenPoint {
  readonly x: number;
  readonly y: number;
}

/** CSS pixels per image row. */
const tall = ({ zoom, aspect = 1 }: View): number => zoom * aspect;

const aspectOf = ({ aspect }: Extent): { aspect?: number } =>
  aspect === undefined || aspect === 1 ? {} : { aspect };

/** From the panel's upper left corner in CSS pixels. */
export function imageToScreen(view: View, size: Size, [row, col]: Point): ScreenPoint {
  return {
    x: size.width / 2 + (col - view.center[1]) * view.zoom,
    y: size.height / 2 + (row - view.center[0]) * tall(view),
  };
}

/** The image point under a place of the panel; pixel centres are whole. */
export function screenToImage(view: View, size: Size, { x, y }: ScreenPoint): Point {
  return [
    view.center[0] + (y - size.height / 2) / tall(view),
    view.center[1] + (x - size.width / 2) / view.zoom,
  ];
}

/** The whole image, as large as the panel takes. */
export function fitView(image: Extent, size: Size): View {
  const zoom = Math.min(size.width / image.cols, size.height / (image.rows * (image.aspect ?? 1)));
  return {
    ...aspectOf(image),
    zoom: Number.isFinite(zoom) && zoom > 0 ? zoom : 1,
    center: [(image.rows - 1) / 2, (image.cols - 1) / 2],
  };
}

const clamp = (v: number, low: number, high: number): number => Math.min(Math.max(v, low), high);

/** The view with its zoom within half of fit and 64 screen pixels, its middle within the image. */
export function boundedView(view: View, image: Extent, size: Size): View {
  const fit = fitView(image, size).zoom;
  const wanted = Number.isFinite(view.zoom) ? view.zoom : fit;
  const inside = (v: number, count: number): number =>
    clamp(Number.isFinite(v) ? v : (count - 1) / 2, -0.5, count - 0.5);
  return {
    ...aspectOf(image),
    zoom: clamp(wanted, fit / 2, Math.max(64, fit)),
    center: [inside(view.center[0], image.rows), inside(view.center[1], image.cols)],
  };
}

/** Zooms by a factor so that the image point at `anchor` stays there. */
export function zoomedView(
  view: View,
  factor: number,
  anchor: ScreenPoint,
  image: Extent,
  size: Size,
): View {
  const [row, col] = screenToImage(view, size, anchor);
  const { zoom, aspect = 1 } = boundedView({ ...view, zoom: view.zoom * factor }, image, size);
  const center: Point = [
    row - (anchor.y - size.height / 2) / (zoom * aspect),
    col - (anchor.x - size.width / 2) / zoom,
  ];
  return boundedView({ zoom, center }, image, size);
}

/** Moves the image by a way on the screen. */
export function pannedView(view: View, by: ScreenPoint, image: Extent, size: Size): View {
  const [row, col] = view.center;
  const center: Point = [row - by.y / tall(view), col - by.x / view.zoom];
  return boundedView({ zoom: view.zoom, center }, image, size);
}

/** How many image columns the panel shows. */
export function visibleCols(view: View, image: Extent, size: Size): number {
  return Math.min(image.cols, size.width / view.zoom);
}
