// The overview: the whole slide in a corner with the rectangle that is seen; drag it to move.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { usePixelRatio } from "../display/painting";
import { shownArea } from "./grid";
import { find, scene } from "./drawing";
import { isColour } from "./looks";
import { type Drawing, Painter2d } from "./painter";
import { type Scene, wantedOf, wholeCell } from "./scene";
import { arrivals, center, grid, looks, plane, shownView, size, slide } from "./state";

const LONGEST = 190;

/** The whole slide on a canvas of this size. */
function drawingsOf(now: Scene, width: number, height: number): Drawing[] {
  const cell = wholeCell(now.grid);
  return now.looks.flatMap((look, channel) => {
    const tile = find(wantedOf(now, cell, channel));
    if (!look.on || !tile || tile.values.length === 0) return [];
    const from = {
      left: 0,
      top: 0,
      right: Math.min(now.grid.cols / 2 ** cell.zoom, tile.cols),
      bottom: Math.min(now.grid.rows / 2 ** cell.zoom, tile.rows),
    };
    return [{ tile, from, to: { left: 0, top: 0, right: width, bottom: height }, look }];
  });
}

function useMap(
  canvas: { current: HTMLCanvasElement | null },
  width: number,
  height: number,
): void {
  const painter = useRef<Painter2d | null>(null);
  useLayoutEffect(() => {
    const now = scene();
    if (!canvas.current || !now) return;
    if (painter.current?.canvas !== canvas.current) painter.current = new Painter2d(canvas.current);
    const color = now.slide.channels.some(isColour) ? "#ffffff" : "#000000";
    const ground = { left: 0, top: 0, right: width, bottom: height };
    const map = painter.current;
    const again = (): void => {
      if (!map.paint({ ground, color, drawings: drawingsOf(now, width, height), sharp: false }))
        requestAnimationFrame(again);
    };
    again();
  }, [arrivals.value, slide.value, looks.value, plane.value, width, height]);
}

export function Overview(): ComponentChildren {
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const ratio = usePixelRatio();
  const { cols, rows, aspect = 1 } = grid.value;
  const scale = LONGEST / Math.max(cols, rows * aspect, 1);
  const down = scale * aspect;
  const [width, height] = [Math.max(cols * scale, 8), Math.max(rows * down, 8)];
  useMap(canvas, Math.round(width * ratio), Math.round(height * ratio));
  useLayoutEffect(() => {
    const { current } = box;
    if (!current) return;
    current.style.width = `${width}px`;
    current.style.height = `${height}px`;
  }, [width, height]);
  const seen = shownArea(grid.value, shownView.value, size.value);
  const go = (e: PointerEvent): void => {
    e.stopPropagation();
    if (e.buttons !== 1 || !box.current) return;
    const area = box.current.getBoundingClientRect();
    center([(e.clientY - area.top) / down, (e.clientX - area.left) / scale]);
  };
  return (
    <div
      class="overview"
      ref={box}
      title="Overview: click or drag to move there"
      onDblClick={(e) => e.stopPropagation()}
      onPointerDown={(e) => {
        e.currentTarget.setPointerCapture(e.pointerId);
        go(e);
      }}
      onPointerMove={go}
      onPointerUp={(e) => e.stopPropagation()}
    >
      <canvas
        ref={canvas}
        width={Math.round(width * ratio)}
        height={Math.round(height * ratio)}
        role="img"
        aria-label="Overview of the slide"
      />
      <svg class="overlay">
        <rect
          class="seen"
          x={Math.min(seen.left * scale, width - 2)}
          y={Math.min(seen.top * down, height - 2)}
          width={Math.max((seen.right - seen.left) * scale, 3)}
          height={Math.max((seen.bottom - seen.top) * down, 3)}
        />
      </svg>
    </div>
  );
}
