// The painter that all panels share, and which kind of it this browser gets.
// SPDX-License-Identifier: Apache-2.0
import type { DisplaySettings } from "../types";
import type { Limits, Picture } from "./limits";
import { Painter2d } from "./renderer_2d";
import { glPainter } from "./renderer_gl";

/** Where the whole picture lies on the target, in its pixels. */
export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Painter {
  readonly kind: "webgl2" | "2d";
  /** Draws the picture; what the target held outside of `place` stays. */
  paint(
    target: CanvasRenderingContext2D,
    picture: Picture,
    settings: DisplaySettings,
    limits: Limits,
    place: Place,
  ): void;
  /** Forgets what was kept for a target that goes away. */
  release(target: CanvasRenderingContext2D): void;
}

let current: Painter | undefined;
const listeners = new Set<() => void>();

function fallBack(): void {
  current = new Painter2d();
  for (const call of listeners) call();
}

/** The kind that `?renderer=` of the page's address asks for: webgl2, 2d, or the better one. */
export function chosenKind(search: string): "webgl2" | "2d" | "auto" {
  const asked = new URLSearchParams(search).get("renderer");
  return asked === "2d" || asked === "webgl2" ? asked : "auto";
}

/** The shared painter: WebGL2 on a graphics processor, else the 2-D canvas. */
export function painter(): Painter {
  if (current) return current;
  const kind = chosenKind(location.search);
  // Software WebGL needs longer than the processor's own loop (docs/design/004).
  const gl = kind === "2d" ? null : glPainter(fallBack, kind === "webgl2");
  return (current = gl ?? new Painter2d());
}

/** Calls back when the graphics context was lost and everything must be drawn anew. */
export function onPainterChange(call: () => void): () => void {
  listeners.add(call);
  return () => listeners.delete(call);
}
