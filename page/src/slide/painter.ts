// What paints tiles, and its fallback that works on every canvas.
// SPDX-License-Identifier: Apache-2.0
import { coloured } from "./colour";
import type { Look } from "./looks";
import type { Tile } from "./types";

/** Edges in pixels of the canvas or of a tile. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** One part of a tile and where it is drawn. */
export interface Drawing {
  readonly tile: Tile;
  readonly from: Box;
  readonly to: Box;
  readonly look: Look;
}

/** A frame: the slide's own ground, then channel over channel, brightnesses added. */
export interface Frame {
  readonly ground: Box;
  /** Of the ground, as in "#ffffff". */
  readonly color: string;
  readonly drawings: readonly Drawing[];
  /** Enlarged pixels are squares. */
  readonly sharp: boolean;
}

export interface Painter {
  readonly kind: "webgl2" | "2d";
  readonly canvas: HTMLCanvasElement;
  /** False: not all could be drawn in the time of a frame; call it again. */
  paint(frame: Frame): boolean;
  dispose(): void;
}

interface Painted {
  canvas: HTMLCanvasElement;
  look: string;
}

const BUDGET = 10;
const MOST_PAINTED = 400;

const nameOf = ({ color, low, high, gamma }: Look): string => `${color} ${low} ${high} ${gamma}`;

/** Tiles are coloured one by one and kept; the canvas adds them. */
export class Painter2d implements Painter {
  readonly kind = "2d";
  readonly #context: CanvasRenderingContext2D | null;
  /** The least recently drawn first. */
  readonly #painted = new Map<Tile, Painted>();
  /** Whether this frame coloured a tile. */
  #made = false;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.#context = canvas.getContext("2d", { alpha: true });
  }

  paint({ ground, color, drawings, sharp }: Frame): boolean {
    const context = this.#context;
    if (!context) return true;
    context.globalCompositeOperation = "source-over";
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.fillStyle = color;
    context.fillRect(
      ground.left,
      ground.top,
      ground.right - ground.left,
      ground.bottom - ground.top,
    );
    context.imageSmoothingEnabled = !sharp;
    const end = performance.now() + BUDGET;
    let complete = true;
    this.#made = false;
    // On black they are added; a colour image covers what is under it.
    for (const { tile, from, to, look } of drawings) {
      // One at least in every frame: on a slow machine the others may take all the time.
      const image = this.#image(tile, look, !this.#made || performance.now() < end);
      complete &&= image.current;
      if (!image.canvas) continue;
      context.globalCompositeOperation = tile.samples > 1 ? "source-over" : "lighter";
      context.drawImage(
        image.canvas,
        from.left,
        from.top,
        from.right - from.left,
        from.bottom - from.top,
        to.left,
        to.top,
        to.right - to.left,
        to.bottom - to.top,
      );
    }
    this.#forget();
    return complete;
  }

  dispose(): void {
    this.#painted.clear();
  }

  /** A tile as it is to look, or as it looked before where there is no time. */
  #image(
    tile: Tile,
    look: Look,
    inTime: boolean,
  ): { canvas?: HTMLCanvasElement; current: boolean } {
    const name = nameOf(look);
    const known = this.#painted.get(tile);
    if (known) {
      this.#painted.delete(tile);
      this.#painted.set(tile, known);
    }
    if (known?.look === name) return { canvas: known.canvas, current: true };
    if (!inTime) return known ? { canvas: known.canvas, current: false } : { current: false };
    const canvas = known?.canvas ?? document.createElement("canvas");
    if (canvas.width !== tile.cols) canvas.width = tile.cols;
    if (canvas.height !== tile.rows) canvas.height = tile.rows;
    const data = new ImageData(coloured(tile, look), tile.cols, tile.rows);
    canvas.getContext("2d")?.putImageData(data, 0, 0);
    this.#painted.set(tile, { canvas, look: name });
    this.#made = true;
    return { canvas, current: true };
  }

  #forget(): void {
    for (const tile of this.#painted.keys()) {
      if (this.#painted.size <= MOST_PAINTED) return;
      this.#painted.delete(tile);
    }
  }
}
