// The canvas with the slide: pointers, wheel, hatches over what is damaged, the scale bar.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { usePixelRatio, useSize } from "../display/painting";
import { PointerFollower } from "../display/pointer";
import { ScaleBar } from "../display/scale_bar";
import { screenToImage, visibleCols } from "../display/view";
import { invalidate, usePainter } from "./drawing";
import { Overview } from "./overview";
import { choosePainter } from "./painter_choice";
import { cursor, dragging, flaws, grid, pan, shownView, size, slide, zoom } from "./state";

interface Ref<T> {
  current: T | null;
}

/** Pointers and the wheel move the view. */
function usePointers(box: Ref<HTMLElement>): void {
  useEffect(() => {
    const own = box.current;
    if (!own) return undefined;
    const follower = new PointerFollower(own, {
      down: () => false,
      move: () => undefined,
      up: () => undefined,
      hover: (e) => {
        cursor.value = e && screenToImage(shownView.peek(), size.peek(), e.at);
      },
      pan,
      pinch: zoom,
      pansBackground: () => true,
      dragging: (on) => (dragging.value = on),
    });
    const onWheel = (e: WheelEvent): void => {
      e.preventDefault();
      const area = own.getBoundingClientRect();
      const lines = e.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : 33;
      const way = Math.min(Math.max(e.deltaY * lines, -300), 300);
      const at = { x: e.clientX - area.left, y: e.clientY - area.top };
      zoom(Math.exp(-way * (e.ctrlKey ? 0.01 : 0.003)), at);
    };
    own.addEventListener("wheel", onWheel, { passive: false });
    return () => {
      follower.stop();
      own.removeEventListener("wheel", onWheel);
    };
  }, []);
}

/** Keeps a painter's canvas in the box and as large as it. */
function useCanvas(box: Ref<HTMLElement>): void {
  const now = useSize(box);
  const ratio = usePixelRatio();
  const painter = useRef<ReturnType<typeof choosePainter> | null>(null);
  useLayoutEffect(() => {
    const renew = (): void => {
      painter.current?.canvas.remove();
      painter.current = choosePainter(renew);
      box.current?.append(painter.current.canvas);
      resize();
      usePainter(painter.current);
    };
    const resize = (): void => {
      const canvas = painter.current?.canvas;
      if (!canvas || !box.current) return;
      canvas.width = Math.round(box.current.clientWidth * devicePixelRatio);
      canvas.height = Math.round(box.current.clientHeight * devicePixelRatio);
    };
    renew();
    return () => usePainter(null);
  }, []);
  useLayoutEffect(() => {
    const canvas = painter.current?.canvas;
    if (!canvas) return;
    canvas.width = Math.round(now.width * ratio);
    canvas.height = Math.round(now.height * ratio);
    size.value = now;
    invalidate();
  }, [now, ratio]);
}

/** Hatches where tiles are damaged; the error stands in the title and below the slide. */
function Flaws(): ComponentChildren {
  if (flaws.value.length === 0) return null;
  return (
    <svg class="overlay flaws">
      <defs>
        <pattern
          id="hatch"
          width="10"
          height="10"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width="10" height="10" class="hatch-ground" />
          <rect width="4" height="10" class="hatch-line" />
        </pattern>
      </defs>
      {flaws.value.map(({ box, message }) => (
        <rect
          key={`${box.left} ${box.top} ${box.right} ${box.bottom}`}
          x={box.left / devicePixelRatio}
          y={box.top / devicePixelRatio}
          width={(box.right - box.left) / devicePixelRatio}
          height={(box.bottom - box.top) / devicePixelRatio}
        >
          <title>{message}</title>
        </rect>
      ))}
    </svg>
  );
}

export function SlideView(): ComponentChildren {
  const box = useRef<HTMLDivElement>(null);
  const ground = useRef<HTMLDivElement>(null);
  usePointers(box);
  useCanvas(ground);
  const shown = shownView.value;
  const step = slide.value?.pixel[0] ?? 0;
  return (
    <div
      class={dragging.value ? "image-panel slide-panel dragging" : "image-panel slide-panel"}
      ref={box}
      tabIndex={0}
      role="application"
      aria-label="Slide: drag or arrows move it, plus and minus zoom, 0 shows all of it"
      onDblClick={(e) => {
        const area = e.currentTarget.getBoundingClientRect();
        zoom(e.shiftKey ? 0.5 : 2, { x: e.clientX - area.left, y: e.clientY - area.top });
      }}
    >
      <div class="slide-canvas" ref={ground} />
      <Flaws />
      {grid.value.cols > 0 && size.value.width > 0 && (
        <ScaleBar
          cols={visibleCols(shown, grid.value, size.value)}
          zoom={shown.zoom}
          step={step}
          unit="µm"
        />
      )}
      <Overview />
    </div>
  );
}
