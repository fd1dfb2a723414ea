// What a figure shows besides pixels: overlays, the colour wheel, and the curve of a line scan.
// SPDX-License-Identifier: Apache-2.0
import { wheelImage, wheelText } from "../display/colour_wheel";
import { isField, limitsOf, type Picture, rangeOf } from "../display/limits";
import { evenTicks } from "../display/nice";
import type { Raster } from "../types";
import type { Subject } from "./figures";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A line over an image, in image coordinates as SVG paths have them. */
export interface Overlay {
  path: string;
  color: string;
}

type Canvas = CanvasRenderingContext2D;

/** A scan of one line is a curve. */
export const isLine = ({ rows, cols }: Pick<Picture, "rows" | "cols">): boolean =>
  Math.min(rows, cols) === 1 && Math.max(rows, cols) > 1;

export function drawOverlays(ctx: Canvas, box: Box, zoom: number, all: readonly Overlay[]): void {
  ctx.save();
  ctx.beginPath();
  ctx.rect(box.x, box.y, box.width, box.height);
  ctx.clip();
  ctx.translate(box.x + zoom / 2, box.y + zoom / 2);
  ctx.scale(zoom, zoom);
  for (const { path, color } of all) {
    const line = new Path2D(path);
    // A dark halo, so that it can be seen on any image.
    ctx.strokeStyle = "rgba(0, 0, 0, 0.65)";
    ctx.lineWidth = 5 / zoom;
    ctx.stroke(line);
    ctx.strokeStyle = color;
    ctx.lineWidth = 2.5 / zoom;
    ctx.stroke(line);
  }
  ctx.restore();
}

/** The wheel in the lower right corner, with what its rim stands for. */
export function drawWheel(ctx: Canvas, box: Box, text: number, subject: Subject): void {
  const { picture, settings, unit } = subject;
  if (!isField(picture)) return;
  const size = Math.round(Math.min(box.width / 4, text * 5));
  const image = wheelImage(size, settings.invert);
  const canvas = document.createElement("canvas");
  canvas.width = size;
  canvas.height = size;
  canvas.getContext("2d")?.putImageData(image, 0, 0);
  const label = wheelText(limitsOf(picture, settings).high, unit);
  ctx.font = `600 ${text}px system-ui, sans-serif`;
  const width = Math.max(size, ctx.measureText(label).width) + text;
  const [x, y] = [box.x + box.width - width - text / 2, box.y + box.height - size - text * 2.2];
  ctx.fillStyle = "rgba(0, 0, 0, 0.55)";
  ctx.fillRect(x, y - text / 2, width, size + text * 2.2);
  ctx.drawImage(canvas, x + (width - size) / 2, y);
  ctx.fillStyle = "#ffffff";
  ctx.textAlign = "center";
  ctx.textBaseline = "alphabetic";
  ctx.fillText(label, x + width / 2, y + size + text * 1.2);
}

interface Curve {
  label: string;
  y: Raster["values"];
  color: string;
}

/** What is drawn of a line scan: one curve, or one of each component. */
export function curvesOf(picture: Picture): Curve[] {
  if (!isField(picture)) return [{ label: "Value", y: picture.values, color: "#1f66d1" }];
  return [
    { label: "Rows", y: picture.down, color: "#1f66d1" },
    { label: "Columns", y: picture.right, color: "#b3261e" },
  ];
}

/** Distance along a line scan, in its unit or in scan points. */
export function lineAxis({ step, stepUnit }: Pick<Subject, "step" | "stepUnit">): {
  step: number;
  unit: string;
} {
  return step > 0 ? { step, unit: stepUnit } : { step: 1, unit: "scan points" };
}

/** What the vertical axis spans: all finite values and some room. */
function heightOf(curves: readonly Curve[]): [bottom: number, top: number] {
  const ranges = curves.map(({ y }) => rangeOf(y)).filter(({ count }) => count > 0);
  if (ranges.length === 0) return [0, 1];
  const low = Math.min(...ranges.map(({ min }) => min));
  const high = Math.max(...ranges.map(({ max }) => max));
  const pad = (high - low || Math.abs(high) || 1) * 0.05;
  return [low - pad, high + pad];
}

/** Curves with both axes; the box is the whole of it. */
export function drawCurves(ctx: Canvas, box: Box, text: number, subject: Subject): void {
  const { picture, unit } = subject;
  const count = Math.max(picture.rows, picture.cols);
  const axis = lineAxis(subject);
  const curves = curvesOf(picture);
  const [bottom, top] = heightOf(curves);
  const inner = {
    x: box.x + text * 5,
    y: box.y + text * 1.5,
    width: box.width - text * 6,
    height: box.height - text * 4.5,
  };
  const across = (i: number): number => inner.x + (i / (count - 1)) * inner.width;
  const up = (v: number): number => inner.y + (1 - (v - bottom) / (top - bottom)) * inner.height;
  ctx.save();
  ctx.font = `${Math.round(text * 0.9)}px system-ui, sans-serif`;
  ctx.fillStyle = "#1d2129";
  ctx.strokeStyle = "#1d2129";
  ctx.lineWidth = 1;
  ctx.strokeRect(inner.x, inner.y, inner.width, inner.height);
  const vertical = evenTicks(bottom, top, 5);
  ctx.textAlign = "right";
  ctx.textBaseline = "middle";
  for (const { value, text: label } of vertical.ticks)
    ctx.fillText(label, inner.x - text * 0.4, up(value));
  ctx.textAlign = "center";
  ctx.textBaseline = "top";
  const level = evenTicks(0, (count - 1) * axis.step, 6);
  for (const { value, text: label } of level.ticks)
    ctx.fillText(label, across(value / axis.step), inner.y + inner.height + text * 0.4);
  const name = ["Distance", level.factor, `(${axis.unit})`].filter((part) => part !== "").join(" ");
  ctx.fillText(name, inner.x + inner.width / 2, inner.y + inner.height + text * 1.7);
  ctx.textAlign = "left";
  ctx.textBaseline = "alphabetic";
  ctx.fillText([vertical.factor, unit].filter((part) => part !== "").join(" "), box.x, box.y + text);
  curves.forEach(({ label, y, color }, index) => {
    ctx.strokeStyle = color;
    ctx.lineWidth = Math.max(1.5, text / 10);
    ctx.beginPath();
    for (let i = 0, down = false; i < count; ++i) {
      const v = y[i] ?? NaN;
      if (!Number.isFinite(v)) down = false;
      else if (down) ctx.lineTo(across(i), up(v));
      else ctx.moveTo(across(i), up(v));
      down = Number.isFinite(v);
    }
    ctx.stroke();
    if (curves.length === 1) return;
    ctx.fillStyle = color;
    ctx.fillText(label, inner.x + text * (1 + 6 * index), inner.y + text * 1.2);
  });
  ctx.restore();
}
