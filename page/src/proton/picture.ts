// The planes as one PNG: as they are on the screen, with titles, colour bar and isodoses.
// SPDX-License-Identifier: Apache-2.0
import { contour } from "../analysis/contour";
import { figureBar } from "../display/figure_bar";
import { numberText, scaleBarLength } from "../display/nice";
import { toRgba } from "../display/renderer_2d";
import { download } from "../export/download";
import { drawFigure, figureLayout, type FigurePanel } from "../export/figure";
import { encodePng, type Picture } from "../export/png";
import { complain } from "../shell/notices";
import type { Raster } from "../types";
import { isodoses } from "./isodoses";
import { placeText, type Shown, shownOf } from "./plane_view";
import { overlayRgba } from "./rasters";
import { positionText, valueOf } from "./readout";
import { aspectOf, pixelOf } from "./space";
import {
  base,
  difference,
  limitsFor,
  lined,
  mapFor,
  opacity,
  over,
  place,
  planes,
  reference,
  subject,
  threshold,
  together,
} from "./state";
import type { PlaneKind, Volume } from "./types";

/** Pixels of the file along the longer side of a plane. */
const TARGET = 640;

function surfaceOf(width: number, height: number): CanvasRenderingContext2D | null {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  return canvas.getContext("2d", { willReadFrequently: true });
}

/** Draws a raster's colours over all of a canvas. */
function stamp(to: CanvasRenderingContext2D, { rows, cols }: Raster, rgba: Uint8ClampedArray<ArrayBuffer>): void {
  const from = surfaceOf(cols, rows);
  if (!from) return;
  from.putImageData(new ImageData(rgba, cols, rows), 0, 0);
  to.imageSmoothingEnabled = false;
  to.drawImage(from.canvas, 0, 0, to.canvas.width, to.canvas.height);
}

/** Lines in pixels of a raster: a pixel's centre lies half a pixel from its edge. */
function stroke(
  to: CanvasRenderingContext2D,
  { rows, cols }: Raster,
  pieces: readonly number[],
  colour: string,
  width = 1.6,
): void {
  const [x, y] = [to.canvas.width / cols, to.canvas.height / rows];
  to.strokeStyle = colour;
  to.lineWidth = width;
  to.beginPath();
  for (let i = 0; i < pieces.length; i += 4) {
    to.moveTo((pieces[i + 1]! + 0.5) * x, (pieces[i]! + 0.5) * y);
    to.lineTo((pieces[i + 3]! + 0.5) * x, (pieces[i + 2]! + 0.5) * y);
  }
  to.stroke();
}

function drawn(plane: PlaneKind, here: Volume, shown: Shown): Picture | null {
  const { picture } = shown;
  if (!picture) return null;
  const aspect = aspectOf(here, plane);
  const [wide, tall] = [picture.cols, picture.rows * aspect];
  const zoom = TARGET / Math.max(wide, tall);
  const [width, height] = [Math.max(1, Math.round(wide * zoom)), Math.max(1, Math.round(tall * zoom))];
  const to = surfaceOf(width, height);
  if (!to) return null;
  stamp(to, picture, toRgba(picture, shown.settings, shown.limits));
  const top = over.value;
  if (shown.over && top) {
    const least = (threshold.value / 100) * reference.value;
    stamp(to, shown.over, overlayRgba(shown.over, limitsFor(top), mapFor(top), least, opacity.value));
  }
  if (shown.lines)
    for (const { value, colour } of isodoses())
      stroke(to, shown.lines, contour(shown.lines, value), colour);
  const [row, col] = pixelOf(here, plane, place.value);
  const cross = [row, -0.5, row, picture.cols - 0.5, -0.5, col, picture.rows - 0.5, col];
  stroke(to, picture, cross, "rgba(0, 0, 0, 0.4)", 3);
  stroke(to, picture, cross, "rgba(255, 255, 255, 0.7)", 1);
  return { width, height, rgba: to.getImageData(0, 0, width, height).data };
}

function panelOf(plane: PlaneKind, here: Volume, first: boolean): FigurePanel | null {
  const shown = shownOf(plane, here);
  const picture = drawn(plane, here, shown);
  if (!picture || !shown.picture) return null;
  const step = here.lies === "unknown" ? 0 : here.spacing[plane.across]!;
  const bar = scaleBarLength(shown.picture.cols, step, "mm");
  return {
    picture,
    title: `${plane.title}  ${placeText(here, plane)}`,
    scaleBar: { pixels: (bar.pixels * picture.width) / shown.picture.cols, label: bar.text },
    colorBar: first ? figureBar(shown.bar.settings, shown.bar.limits, shown.bar.unit) : null,
  };
}

/** The legend below the panels: a line for each isodose, then what is at the crosshair. */
function drawLegend(to: CanvasRenderingContext2D, top: number, text: number, words: string): void {
  to.font = `${text}px system-ui, sans-serif`;
  to.textAlign = "left";
  to.textBaseline = "middle";
  to.fillStyle = "#1d2129";
  to.fillText(words, text, top + text * 0.8);
  let x = text;
  const drawn = lined.value && !difference.value && subject.value;
  for (const { level, colour, value } of drawn ? isodoses() : []) {
    const label = `${numberText(level, 4)} % = ${numberText(value, 4)} ${subject.value?.unit ?? ""}`;
    to.fillStyle = "#14161a";
    to.fillRect(x, top + text * 1.9, text * 2, text);
    to.fillStyle = colour;
    to.fillRect(x + 3, top + text * 2.4 - 1, text * 2 - 6, 2);
    to.fillStyle = "#1d2129";
    to.fillText(label, x + text * 2.4, top + text * 2.4);
    x += text * 3.6 + to.measureText(label).width;
  }
}

function figureOf(panels: readonly FigurePanel[], here: Volume): Picture | null {
  const { width, height, text } = figureLayout(panels, 1);
  const small = Math.min(text, 16);
  const to = surfaceOf(Math.max(width, 900), Math.ceil(height + small * 3.6));
  if (!to) return null;
  to.fillStyle = "#ffffff";
  to.fillRect(0, 0, to.canvas.width, to.canvas.height);
  drawFigure(to, panels, { zoom: 1, background: "#ffffff", foreground: "#1d2129" });
  drawLegend(to, height, small, [positionText(here), ...together.value.map(valueOf)].join(" · "));
  const { data } = to.getImageData(0, 0, to.canvas.width, to.canvas.height);
  return { width: to.canvas.width, height: to.canvas.height, rgba: data };
}

/** Saves all planes; the file says of which volumes at which place. */
export function savePicture(): void {
  const here = base.value;
  const panels = here
    ? planes.value.flatMap((plane, i) => panelOf(plane, here, i === 0) ?? [])
    : [];
  const figure = here && panels.length > 0 ? figureOf(panels, here) : null;
  if (!here || !figure) {
    complain("There is no picture to save yet.");
    return;
  }
  const sources = [here, over.value].flatMap((one) => (one ? [one.path] : []));
  const stem = here.name.replace(/\.\w+$/, "").replaceAll("/", "_");
  download(
    `${stem}-planes.png`,
    encodePng(figure, { Source: sources.join("; "), Description: positionText(here) }),
  );
}
