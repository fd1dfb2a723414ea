// Hooks that keep a panel's canvas as large as the panel and painted.
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { DisplaySettings } from "../types";
import type { Limits, Picture } from "./limits";
import { onPainterChange, painter, type Place } from "./renderer";
import { imageToScreen, type Size, type View } from "./view";

interface Ref<T> {
  current: T | null;
}

/** The size of an element in CSS pixels, as it changes. */
export function useSize(element: Ref<HTMLElement>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const own = element.current;
    if (!own) return undefined;
    const measure = (): void => {
      const { clientWidth: width, clientHeight: height } = own;
      setSize((old) => (old.width === width && old.height === height ? old : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(own);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

/** Screen pixels per CSS pixel, as it changes with the page's zoom or another screen. */
export function usePixelRatio(): number {
  const [ratio, setRatio] = useState(devicePixelRatio);
  useEffect(() => {
    const query = matchMedia(`(resolution: ${ratio}dppx)`);
    const change = (): void => setRatio(devicePixelRatio);
    query.addEventListener("change", change);
    return () => query.removeEventListener("change", change);
  }, [ratio]);
  return ratio;
}

/** Counts how often the painter was replaced. */
function usePainterChanges(): number {
  const [changes, setChanges] = useState(0);
  useEffect(() => onPainterChange(() => setChanges((n) => n + 1)), []);
  return changes;
}

/** Draws over a picture that lies at a place of a canvas, in its pixels. */
export type PaintOver = (context: CanvasRenderingContext2D, place: Place) => void;

function paint(
  context: CanvasRenderingContext2D,
  picture: Picture | null,
  settings: DisplaySettings,
  limits: Limits,
  view: View,
  size: Size,
  ratio: number,
  over: PaintOver | undefined,
): void {
  const { canvas } = context;
  const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  context.clearRect(0, 0, width, height);
  if (!picture || width === 0 || height === 0 || picture.rows * picture.cols === 0) return;
  const corner = imageToScreen(view, size, [-0.5, -0.5]);
  const place = {
    x: corner.x * ratio,
    y: corner.y * ratio,
    width: picture.cols * view.zoom * ratio,
    height: picture.rows * view.zoom * (view.aspect ?? 1) * ratio,
  };
  painter().paint(context, picture, settings, limits, place);
  over?.(context, place);
}

/** Paints whenever something that is seen has changed. */
export function usePainting(
  canvas: Ref<HTMLCanvasElement>,
  picture: Picture | null,
  settings: DisplaySettings,
  limits: Limits,
  view: View,
  size: Size,
  onPainted: (() => void) | undefined,
  over?: PaintOver | undefined,
): void {
  const ratio = usePixelRatio();
  const changes = usePainterChanges();
  const context = useRef<CanvasRenderingContext2D | null>(null);
  const { scale, power, map, invert, smooth } = settings;
  const { low, high } = limits;
  const { zoom, center, aspect } = view;
  useLayoutEffect(() => {
    context.current ??= canvas.current?.getContext("2d") ?? null;
    if (!context.current) return;
    paint(context.current, picture, settings, limits, view, size, ratio, over);
    if (picture) onPainted?.();
    // Every value that is seen, not the objects: equal ones must not paint twice.
  }, [
    picture, scale, power, map, invert, smooth, low, high, zoom, center[0], center[1], aspect, size,
    ratio, changes, over,
  ]);
  useEffect(
    () => () => {
      if (context.current) painter().release(context.current);
    },
    [],
  );
}
