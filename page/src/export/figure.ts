// A picture with title, scale bar and colour bar, drawn on a canvas that the caller gives.
// SPDX-License-Identifier: Apache-2.0
import type { Picture } from "./png";

export interface FigurePanel {
  readonly picture: Picture;
  readonly title: string;
  /** Length in image pixels, and what stands above the bar. */
  readonly scaleBar: { readonly pixels: number; readonly label: string } | null;
  readonly colorBar: ColorBar | null;
}

export interface ColorBar {
  /** RGBA of the map from its low to its high end, any number of colours. */
  readonly colors: Uint8Array | Uint8ClampedArray;
  /** Place on the bar: 0 low, 1 high. */
  readonly ticks: readonly { readonly place: number; readonly label: string }[];
  /** Quantity and unit. */
  readonly label: string;
}

export interface FigureOptions {
  /** Canvas pixels per image pixel. */
  readonly zoom: number;
  readonly background: string;
  readonly foreground: string;
}

/** The part of a 2-D canvas context that a figure needs. */
export type FigureContext = Pick<
  CanvasRenderingContext2D,
  | "createImageData"
  | "putImageData"
  | "fillRect"
  | "fillText"
  | "measureText"
  | "save"
  | "restore"
  | "translate"
  | "rotate"
  | "strokeRect"
> & {
  fillStyle: CanvasRenderingContext2D["fillStyle"];
  strokeStyle: CanvasRenderingContext2D["strokeStyle"];
  font: string;
  lineWidth: number;
  textAlign: CanvasTextAlign;
  textBaseline: CanvasTextBaseline;
};

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Layout {
  readonly width: number;
  readonly height: number;
  /** Of letters, canvas pixels. */
  readonly text: number;
  readonly images: readonly Box[];
}

/** Whole zoom that makes the longer side about `target` canvas pixels. */
export const zoomFor = ({ width, height }: Picture, target = 768): number =>
  Math.max(1, Math.round(target / Math.max(width, height)));

const barWidth = (text: number, bar: ColorBar | null): number =>
  bar ? text * (3 + 0.62 * Math.max(3, ...bar.ticks.map((t) => t.label.length)) + 1.6) : 0;

/** Where the panels lie, side by side. */
export function figureLayout(panels: readonly FigurePanel[], zoom: number): Layout {
  const sizes = panels.map(({ picture }) => [picture.width * zoom, picture.height * zoom] as const);
  const tallest = Math.max(0, ...sizes.map(([, h]) => h));
  const text = Math.min(Math.max(Math.round(tallest / 28), 11), 40);
  const head = panels.some((p) => p.title) ? text * 1.8 : 0;
  let x = text;
  const images = panels.map(({ colorBar }, i): Box => {
    const [width, height] = sizes[i]!;
    const box = { x: Math.round(x), y: Math.round(text + head), width, height };
    x += width + barWidth(text, colorBar) + text * (i + 1 < panels.length ? 2 : 1);
    return box;
  });
  return {
    width: Math.ceil(x),
    height: Math.ceil(text * 2 + head + tallest),
    text,
    images,
  };
}

/** Draws the panels; the canvas is as large as `figureLayout` says. */
export function drawFigure(
  ctx: FigureContext,
  panels: readonly FigurePanel[],
  options: FigureOptions,
): void {
  const layout = figureLayout(panels, options.zoom);
  ctx.fillStyle = options.background;
  ctx.fillRect(0, 0, layout.width, layout.height);
  panels.forEach((panel, i) => {
    const box = layout.images[i]!;
    drawPicture(ctx, panel.picture, box, options.zoom);
    ctx.fillStyle = options.foreground;
    setText(ctx, layout.text, "left", "alphabetic", 600);
    const title = panel.title && fitted(ctx, panel.title, box.width);
    if (title) ctx.fillText(title, box.x, box.y - layout.text / 2);
    if (panel.scaleBar) drawScaleBar(ctx, panel.scaleBar, box, layout.text, options.zoom);
    if (panel.colorBar) drawColorBar(ctx, panel.colorBar, box, layout.text, options.foreground);
  });
}

function setText(
  ctx: FigureContext,
  size: number,
  align: CanvasTextAlign,
  baseline: CanvasTextBaseline,
  weight = 400,
): void {
  ctx.font = `${weight} ${size}px system-ui, sans-serif`;
  ctx.textAlign = align;
  ctx.textBaseline = baseline;
}

/** The text, shortened at its end until it is no wider than `width`. */
function fitted(ctx: FigureContext, text: string, width: number): string {
  if (ctx.measureText(text).width <= width) return text;
  const letters = Array.from(text);
  const shown = (): string => `${letters.join("")}…`;
  while (letters.length > 1 && ctx.measureText(shown()).width > width) letters.pop();
  return shown();
}

function drawPicture(ctx: FigureContext, picture: Picture, box: Box, zoom: number): void {
  const image = ctx.createImageData(box.width, box.height);
  const from = picture.rgba;
  for (let y = 0; y < box.height; ++y) {
    const row = Math.floor(y / zoom) * picture.width;
    for (let x = 0; x < box.width; ++x) {
      const source = (row + Math.floor(x / zoom)) * 4;
      const target = (y * box.width + x) * 4;
      for (let c = 0; c < 4; ++c) image.data[target + c] = from[source + c]!;
    }
  }
  ctx.putImageData(image, box.x, box.y);
}

function drawScaleBar(
  ctx: FigureContext,
  bar: { readonly pixels: number; readonly label: string },
  box: Box,
  text: number,
  zoom: number,
): void {
  const width = bar.pixels * zoom;
  const pad = text * 0.5;
  setText(ctx, text, "center", "alphabetic", 600);
  const plate = Math.max(width, ctx.measureText(bar.label).width) + 2 * pad;
  const height = text * 2.1;
  const [x, y] = [box.x + text * 0.6, box.y + box.height - text * 0.6 - height];
  // A dark plate: white on it can be read on any image.
  ctx.fillStyle = "rgba(0, 0, 0, 0.55)";
  ctx.fillRect(x, y, plate, height);
  ctx.fillStyle = "#ffffff";
  ctx.fillRect(x + (plate - width) / 2, y + height - text * 0.6, width, Math.max(2, text * 0.25));
  ctx.fillText(bar.label, x + plate / 2, y + text * 1.15);
}

function drawColorBar(
  ctx: FigureContext,
  bar: ColorBar,
  box: Box,
  text: number,
  foreground: string,
): void {
  const x = box.x + box.width + text;
  const width = Math.round(text * 1.1);
  const count = bar.colors.length / 4;
  const strip = ctx.createImageData(width, box.height);
  for (let y = 0; y < box.height; ++y) {
    const up = 1 - (y + 0.5) / box.height;
    const color = Math.min(Math.floor(up * count), count - 1) * 4;
    for (let i = 0; i < width; ++i)
      for (let c = 0; c < 4; ++c)
        strip.data[(y * width + i) * 4 + c] = bar.colors[color + c]!;
  }
  ctx.putImageData(strip, x, box.y);
  ctx.strokeStyle = foreground;
  ctx.lineWidth = 1;
  ctx.strokeRect(x - 0.5, box.y - 0.5, width + 1, box.height + 1);
  ctx.fillStyle = foreground;
  for (const { place, label } of bar.ticks) {
    const y = box.y + (1 - place) * box.height;
    ctx.fillRect(x + width, Math.round(y) - 0.5, text * 0.35, 1);
    const baseline = place > 0.97 ? "top" : place < 0.03 ? "bottom" : "middle";
    setText(ctx, text * 0.9, "left", baseline);
    ctx.fillText(label, x + width + text * 0.55, y);
  }
  if (!bar.label) return;
  ctx.save();
  ctx.translate(box.x + box.width + barWidth(text, bar), box.y + box.height / 2);
  ctx.rotate(-Math.PI / 2);
  setText(ctx, text * 0.9, "center", "alphabetic");
  ctx.fillText(fitted(ctx, bar.label, box.height), 0, 0);
  ctx.restore();
}
