// Panels as pictures: plain pixels, or a figure with title, scale bar and colour bar.
// SPDX-License-Identifier: Apache-2.0
import { figureBar } from "../display/figure_bar";
import { isField, limitsOf, type Picture } from "../display/limits";
import { scaleBarLength } from "../display/nice";
import { toRgba } from "../display/renderer_2d";
import { drawFigure, figureLayout, type FigurePanel, zoomFor } from "../export/figure";
import type { Bytes } from "../export/outcome";
import { encodePng, type Picture as Pixels } from "../export/png";
import type { DisplaySettings } from "../types";
import { drawCurves, drawOverlays, drawWheel, isLine, type Overlay } from "./figure_extras";

/** What an array answers: program, dataset, loading options, request, which points. */
export type Provenance = Readonly<Record<string, unknown>>;

/** What of a panel a file needs. */
export interface Subject {
  picture: Picture;
  settings: DisplaySettings;
  title: string;
  unit: string;
  /** Size of a pixel; 0: unknown. */
  step: number;
  stepUnit: string;
  /** Where a pixel is of another height than width. */
  stepDown?: number;
  about: Provenance;
  /** What is drawn over it, where that was asked for. */
  overlays?: readonly Overlay[];
}

/** The texts that a PNG carries. */
export const pngTexts = ({ title, about }: Pick<Subject, "title" | "about">) => ({
  Title: title,
  "Sluice-Request": JSON.stringify(about),
});

export function pixelsOf({ picture, settings }: Subject): Pixels {
  return { width: picture.cols, height: picture.rows, rgba: toRgba(picture, settings) };
}

/** One pixel of the PNG per pixel of the image. */
export function plainPng(subject: Subject): Bytes {
  return encodePng(pixelsOf(subject), pngTexts(subject));
}

function colorBarOf({ picture, settings, unit }: Subject): FigurePanel["colorBar"] {
  if (isField(picture)) return null;
  return figureBar(settings, limitsOf(picture, settings), unit);
}

/** Room for a curve, of half its width in height. */
function blank(side: number): Pixels {
  const [width, height] = [Math.max(2, Math.round(side)), Math.max(1, Math.round(side / 2))];
  return { width, height, rgba: new Uint8Array(4 * width * height).fill(255) };
}

function panelOf(subject: Subject, zoom: number, target: number): FigurePanel {
  const { picture, settings, title, step, stepUnit } = subject;
  if (isLine(picture))
    return { picture: blank(target / zoom), title, scaleBar: null, colorBar: null };
  const bar = scaleBarLength(picture.cols, step, stepUnit);
  return {
    picture: pixelsOf(subject),
    title,
    scaleBar: settings.scaleBar ? { pixels: bar.pixels, label: bar.text } : null,
    colorBar: settings.colorBar ? colorBarOf(subject) : null,
  };
}

/** Panels side by side with their bars; null when this browser gives no canvas. */
export function figurePng(subjects: readonly Subject[], target = 768): Bytes | null {
  if (subjects.length === 0) return null;
  const image = subjects.find(({ picture }) => !isLine(picture));
  const zoom = image ? zoomFor(pixelsOf(image), target) : 1;
  const panels = subjects.map((subject) => panelOf(subject, zoom, target));
  const { width, height, text, images } = figureLayout(panels, zoom);
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return null;
  drawFigure(context, panels, { zoom, background: "#ffffff", foreground: "#1d2129" });
  subjects.forEach((subject, i) => {
    const box = images[i]!;
    if (isLine(subject.picture)) drawCurves(context, box, text, subject);
    else if (subject.overlays) drawOverlays(context, box, zoom, subject.overlays);
    if (subject.settings.colorBar && !isLine(subject.picture))
      drawWheel(context, box, text, subject);
  });
  const { data } = context.getImageData(0, 0, width, height);
  const texts = subjects.map(pngTexts);
  const [only, ...more] = texts;
  const all = more.length > 0 ? JSON.stringify(subjects.map(({ about }) => about)) : "";
  const about = all === "" ? only : { ...only, "Sluice-Request": all };
  return encodePng({ width, height, rgba: data }, about);
}
