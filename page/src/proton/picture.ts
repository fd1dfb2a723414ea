// The planes as one PNG: as they are on the screen, with titles, colour bar and isodoses.
// SPDX-License-Identifier: Apache-2.0
import { contour } from "../analysis/contour";
import { figureBar } from "../display/figure_bar";
import { numberText, scaleBarLength } from "../display/nice";
import { toRgba } from "../display/renderer_2d";
import { download } from "../export/download";
import { drawFigure, figureLayout, type FigurePanel } from "../export/figure";
import { encodePng, type Picture } from "../export/png";
import { untilDrawn } from "../shell/hooks";
import { phase } from "../shell/live";
import { complain } from "../shell/notices";
import type { Raster } from "../types";
import { isSettled } from "./asking";
import { linesOf } from "./asking_structures";
import { flow } from "./flow";
import { type Isodose, isodoses } from "./isodoses";
import { placeText, type Shown, shownOf } from "./plane_view";
import { overlayRgba } from "./rasters";
import { positionText, valueOf } from "./readout";
import { aspectOf, pixelOf } from "./space";
import {
  base,
  difference,
  drawnFrom,
  limitsFor,
  lined,
  mapFor,
  opacity,
  over,
  place,
  planes,
  subject,
  together,
} from "./state";
import { drawn as drawnStructures, structureColour } from "./structures";
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
    const rgba = overlayRgba(shown.over, limitsFor(top), mapFor(top), drawnFrom.value, opacity.value);
    stamp(to, shown.over, rgba);
  }
  if (shown.lines)
    for (const { value, colour } of isodoses())
      stroke(to, shown.lines, contour(shown.lines, value), colour);
  for (const { structure, points } of linesOf(plane)) {
    const pieces = points.slice(1).flatMap((to, i) => [...points[i]!, ...to]);
    stroke(to, picture, pieces, structureColour(structure.id), 2.2);
  }
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
  const step = here.spaced ? here.spacing[plane.across]! : 0;
  const bar = scaleBarLength(shown.picture.cols, step, "mm");
  return {
    picture,
    title: `${plane.title}  ${placeText(here, plane)}`,
    scaleBar: { pixels: (bar.pixels * picture.width) / shown.picture.cols, label: bar.text },
    colorBar: first ? figureBar(shown.bar.settings, shown.bar.limits, shown.bar.unit) : null,
  };
}

/** Something of the legend, of a width and how it is drawn from a place on. */
interface Item {
  readonly width: number;
  readonly draw: (to: CanvasRenderingContext2D, x: number, y: number) => void;
}

/** A font, and how wide words are in it. */
function setFont(to: CanvasRenderingContext2D, text: number): void {
  to.font = `${text}px system-ui, sans-serif`;
  to.textAlign = "left";
  to.textBaseline = "middle";
}

const wordItem = (measure: CanvasRenderingContext2D, words: string): Item => ({
  width: measure.measureText(words).width,
  draw: (to, x, y) => to.fillText(words, x, y),
});

const isodoseText = ({ level, value }: Isodose): string =>
  `${numberText(level, 4)} % = ${numberText(value, 4)} ${subject.value?.unit ?? ""}`;

/** A piece of a line, and what it is. */
function lineItem(measure: CanvasRenderingContext2D, text: number, colour: string, label: string): Item {
  return {
    width: text * 2.4 + measure.measureText(label).width,
    draw: (to, x, y) => {
      to.fillText(label, x + text * 2.4, y);
      to.fillStyle = "#14161a";
      to.fillRect(x, y - text / 2, text * 2, text);
      to.fillStyle = colour;
      to.fillRect(x + 3, y - 1, text * 2 - 6, 2);
    },
  };
}

/** What is at the crosshair, and below it a line for each isodose. */
function legendOf(measure: CanvasRenderingContext2D, here: Volume, text: number): Item[][] {
  const words = [...positionText(here).split(" · "), ...together.value.map(valueOf)];
  const lines = lined.value && !difference.value && subject.value ? isodoses() : [];
  return [
    words.map((one) => wordItem(measure, one)),
    lines.map((one) => lineItem(measure, text, one.colour, isodoseText(one))),
    drawnStructures.value.map(({ id, name }) => lineItem(measure, text, structureColour(id), name)),
  ];
}

/** The panels, and the legend below them in as many rows as it needs. */
function figureOf(panels: readonly FigurePanel[], here: Volume): Picture | null {
  const { width, height, text } = figureLayout(panels, 1);
  const small = Math.min(text, 16);
  const measure = surfaceOf(1, 1);
  if (!measure) return null;
  setFont(measure, small);
  const wide = Math.max(width, 900);
  const parts = legendOf(measure, here, small).map((items) => ({
    items,
    flow: flow(items.map((item) => item.width), wide - 2 * small, small * 1.2),
  }));
  const rows = parts.reduce((sum, part) => sum + part.flow.rows, 0);
  const row = small * 1.6;
  const longest = Math.max(...parts.map((part) => part.flow.width)) + 2 * small;
  const to = surfaceOf(Math.ceil(Math.max(wide, longest)), Math.ceil(height + row * rows + small / 2));
  if (!to) return null;
  to.fillStyle = "#ffffff";
  to.fillRect(0, 0, to.canvas.width, to.canvas.height);
  drawFigure(to, panels, { zoom: 1, background: "#ffffff", foreground: "#1d2129" });
  setFont(to, small);
  let top = height + row / 2;
  for (const { items, flow: lie } of parts) {
    lie.places.forEach((at, i) => {
      to.fillStyle = "#1d2129";
      items[i]!.draw(to, small + at.x, top + row * at.row);
    });
    top += row * lie.rows;
  }
  const { data } = to.getImageData(0, 0, to.canvas.width, to.canvas.height);
  return { width: to.canvas.width, height: to.canvas.height, rgba: data };
}

/** Saves all planes once all have come; the file says of which volumes at which place. */
export async function savePicture(): Promise<void> {
  // Without a connection nothing more comes.
  await untilDrawn(() => phase.value.kind !== "open" || isSettled());
  const here = isSettled() ? base.value : null;
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
