// What a panel does with pointers, the wheel and keys.
// SPDX-License-Identifier: Apache-2.0
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Point } from "../types";
import type { ImageViewProps } from "./image_view";
import { type Handlers, type PanelEvent, PointerFollower } from "./pointer";
import {
  type Extent,
  fitView,
  pannedView,
  screenToImage,
  type ScreenPoint,
  type Size,
  type View,
  zoomedView,
} from "./view";

/** A pointer over the image. */
export interface ImagePointer {
  /** In image pixels, not rounded, also outside of the image. */
  readonly point: Point;
  /** CSS pixels per image pixel: how near is near. */
  readonly zoom: number;
  readonly shift: boolean;
  readonly ctrl: boolean;
  readonly touch: boolean;
}

interface Panel {
  props: ImageViewProps;
  view: View;
  size: Size;
  shared: Signal<View | null>;
}

export interface PanelInput {
  cursor: Signal<Point | null>;
  dragging: Signal<boolean>;
  onKeyDown: (e: KeyboardEvent) => void;
  onKeyUp: (e: KeyboardEvent) => void;
  onDoubleClick: (e: MouseEvent) => void;
}

function pointerOf(panel: Panel, at: ScreenPoint, event: MouseEvent): ImagePointer {
  return {
    point: screenToImage(panel.view, panel.size, at),
    zoom: panel.view.zoom,
    shift: event.shiftKey,
    ctrl: event.ctrlKey || event.metaKey,
    touch: event instanceof PointerEvent && event.pointerType === "touch",
  };
}

/** What the panel's picture covers; null: there is none. */
export function extentOf({
  picture,
  aspect,
}: Pick<ImageViewProps, "picture" | "aspect">): Extent | null {
  return picture && { rows: picture.rows, cols: picture.cols, aspect };
}

/** Changes the view; `panel.view` too, for events that come before the next rendering. */
function show(panel: Panel, view: View | null): void {
  const extent = extentOf(panel.props);
  if (!extent) return;
  panel.shared.value = view;
  panel.view = view ?? fitView(extent, panel.size);
}

function zoom(panel: Panel, factor: number, at: ScreenPoint): void {
  const extent = extentOf(panel.props);
  if (extent) show(panel, zoomedView(panel.view, factor, at, extent, panel.size));
}

function pan(panel: Panel, by: ScreenPoint): void {
  const extent = extentOf(panel.props);
  if (extent) show(panel, pannedView(panel.view, by, extent, panel.size));
}

const steps: Record<string, ScreenPoint> = {
  ArrowLeft: { x: 1, y: 0 },
  ArrowRight: { x: -1, y: 0 },
  ArrowUp: { x: 0, y: 1 },
  ArrowDown: { x: 0, y: -1 },
};

/** True when the key zoomed or panned. */
function viewKey(panel: Panel, e: KeyboardEvent): boolean {
  if (e.ctrlKey || e.metaKey) return false;
  const middle = { x: panel.size.width / 2, y: panel.size.height / 2 };
  const step = steps[e.key];
  if (e.altKey && step) pan(panel, { x: 40 * step.x, y: 40 * step.y });
  else if (e.key === "+" || e.key === "=") zoom(panel, 1.25, middle);
  else if (e.key === "-" || e.key === "_") zoom(panel, 1 / 1.25, middle);
  else if (e.key === "0") show(panel, null);
  else return false;
  return true;
}

/** Attaches the pointers and the wheel once; the handlers see the newest properties. */
export function usePointers(element: { current: HTMLElement | null }, now: Panel): PanelInput {
  const panel = useRef(now);
  panel.current = now;
  const cursor = useSignal<Point | null>(null);
  const dragging = useSignal(false);
  const space = useRef(false);
  useEffect(() => {
    const own = element.current;
    if (!own) return undefined;
    const follower = new PointerFollower(own, handlersOf(panel, cursor, dragging, space));
    const onWheel = (e: WheelEvent): void => {
      e.preventDefault();
      const box = own.getBoundingClientRect();
      const lines = e.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : 33;
      const way = Math.min(Math.max(e.deltaY * lines, -300), 300);
      if (panel.current.props.onWheel?.(way / 100, e)) return;
      const at = { x: e.clientX - box.left, y: e.clientY - box.top };
      zoom(panel.current, Math.exp(-way * (e.ctrlKey ? 0.01 : 0.002)), at);
    };
    own.addEventListener("wheel", onWheel, { passive: false });
    return () => {
      follower.stop();
      own.removeEventListener("wheel", onWheel);
    };
  }, [element]);
  return {
    cursor,
    dragging,
    onKeyDown: (e) => {
      const { onKeyDown } = panel.current.props;
      if (e.key === " ") space.current = true;
      if (onKeyDown?.(e) || viewKey(panel.current, e)) e.preventDefault();
    },
    onKeyUp: (e) => {
      if (e.key === " ") space.current = false;
    },
    onDoubleClick: (e) => {
      const box = element.current?.getBoundingClientRect();
      if (!box) return;
      const at = { x: e.clientX - box.left, y: e.clientY - box.top };
      const { onDoubleClick } = panel.current.props;
      if (!onDoubleClick?.(pointerOf(panel.current, at, e))) show(panel.current, null);
    },
  };
}

function handlersOf(
  panel: { current: Panel },
  cursor: Signal<Point | null>,
  dragging: Signal<boolean>,
  space: { current: boolean },
): Handlers {
  const point = (e: PanelEvent): ImagePointer => pointerOf(panel.current, e.at, e.event);
  return {
    down: (e) => !space.current && (panel.current.props.onPointerDown?.(point(e)) ?? false),
    move: (e) => {
      const p = point(e);
      cursor.value = p.point;
      panel.current.props.onPointerMove?.(p);
    },
    up: (e) => panel.current.props.onPointerUp?.(point(e)),
    hover: (e) => {
      const p = e && point(e);
      cursor.value = p ? p.point : null;
      panel.current.props.onHover?.(p);
    },
    pan: (by) => pan(panel.current, by),
    pinch: (factor, middle) => zoom(panel.current, factor, middle),
    pansBackground: () => space.current || panel.current.props.backgroundPan === true,
    dragging: (on) => {
      dragging.value = on;
    },
  };
}
