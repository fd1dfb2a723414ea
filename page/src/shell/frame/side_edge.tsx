// The edge of the side column: dragged, or moved by the arrow keys, it makes the column wider.
// SPDX-License-Identifier: Apache-2.0
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

const PLACE = "sluice.side";
const LEAST = 200;

/** The column's width within what the window allows. */
export function boundedWidth(width: number, window: number): number {
  return Math.round(Math.min(Math.max(width, LEAST), Math.max(LEAST, window / 2)));
}

function remembered(): number | null {
  try {
    const kept = Number(localStorage.getItem(PLACE));
    return kept >= LEAST ? kept : null;
  } catch {
    return null;
  }
}

/** CSS pixels; null: as the style says. */
const width = signal<number | null>(remembered());

function setWidth(next: number | null): void {
  width.value = next === null ? null : boundedWidth(next, window.innerWidth);
  try {
    if (width.value === null) localStorage.removeItem(PLACE);
    else localStorage.setItem(PLACE, String(width.value));
  } catch {
    // Without storage it lasts as long as the page.
  }
}

export function SideEdge(): ComponentChildren {
  const edge = useRef<HTMLDivElement>(null);
  const now = width.value;
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    if (now === null) style.removeProperty("--side");
    else style.setProperty("--side", `${boundedWidth(now, window.innerWidth)}px`);
  }, [now]);
  const own = (): number =>
    edge.current?.nextElementSibling?.getBoundingClientRect().width ?? LEAST;
  return (
    <div
      ref={edge}
      class="side-edge"
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the side column"
      aria-valuenow={now ?? undefined}
      title="Drag to make the side column wider or narrower; double click: as it was"
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId))
          setWidth(window.innerWidth - event.clientX);
      }}
      onDblClick={() => setWidth(null)}
      onKeyDown={(event) => {
        const by = { ArrowLeft: 16, ArrowRight: -16 }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        setWidth(own() + by);
      }}
    />
  );
}
