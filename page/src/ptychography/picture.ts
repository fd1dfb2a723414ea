// Object and probe as one PNG: what is seen, with titles, scale and colour bars.
// SPDX-License-Identifier: Apache-2.0
import { figureBar } from "../display/figure_bar";
import { isField } from "../display/limits";
import { scaleBarLength } from "../display/nice";
import { toRgba } from "../display/renderer_2d";
import { download } from "../export/download";
import { drawFigure, figureLayout, type FigurePanel, zoomFor } from "../export/figure";
import type { Bytes } from "../export/outcome";
import { encodePng, type Picture } from "../export/png";
import { complain } from "../shell/notices";
import { drawnOf, limitsFor, titleOf, unitOf } from "./pictures";
import { job, looks, PICTURES, type PictureKey, status } from "./state";
import { rText, statusText } from "./texts";

/** Means of squares of `by` pixels; what is left at the right and the bottom is cut. */
export function shrunk({ width, height, rgba }: Picture, by: number): Picture {
  const [cols, rows] = [Math.max(1, Math.floor(width / by)), Math.max(1, Math.floor(height / by))];
  const [wide, tall] = [Math.min(by, width), Math.min(by, height)];
  const out = new Uint8ClampedArray(4 * rows * cols);
  for (let i = 0; i < out.length; ++i) {
    const [row, col, part] = [Math.floor(i / 4 / cols), Math.floor(i / 4) % cols, i % 4];
    let sum = 0;
    for (let y = 0; y < tall; ++y)
      for (let x = 0; x < wide; ++x) sum += rgba[4 * ((row * by + y) * width + col * by + x) + part]!;
    out[i] = Math.round(sum / (wide * tall));
  }
  return { width: cols, height: rows, rgba: out };
}

/** Of at most so many pixels a side. */
function panelOf(key: PictureKey, most: number): FigurePanel | null {
  const { picture } = drawnOf(key);
  if (!picture) return null;
  const [settings, limits] = [looks.value[key], limitsFor(key)];
  const bar = scaleBarLength(picture.cols, job.value?.pixelNm ?? 0, "nm");
  const by = Math.ceil(Math.max(picture.rows, picture.cols) / most);
  const whole = { width: picture.cols, height: picture.rows, rgba: toRgba(picture, settings, limits) };
  return {
    picture: by > 1 ? shrunk(whole, by) : whole,
    title: titleOf(key),
    scaleBar: { pixels: bar.pixels / Math.max(by, 1), label: bar.text },
    colorBar: isField(picture) ? null : figureBar(settings, limits, unitOf(key)),
  };
}

/** About `target` pixels for the longer side of the object, and more only where it has more and
 *  `most` allows it; null: nothing has come, or no canvas. */
export function figureOf(target: number, most = Infinity): Bytes | null {
  const panels = PICTURES.flatMap((key) => panelOf(key, most) ?? []);
  if (panels.length < PICTURES.length) return null;
  const zoom = zoomFor(panels[0]!.picture, target);
  const { width, height } = figureLayout(panels, zoom);
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const to = canvas.getContext("2d", { willReadFrequently: true });
  if (!to) return null;
  drawFigure(to, panels, { zoom, background: "#ffffff", foreground: "#1d2129" });
  const { data } = to.getImageData(0, 0, width, height);
  const [here, now] = [job.value, status.value];
  const about = now ? `${statusText(now)}; R ${rText(now)}` : "";
  return encodePng(
    { width, height, rgba: data },
    { Source: here?.path || here?.name || "", Description: about },
  );
}

export function savePicture(): void {
  const png = figureOf(768);
  if (!png) {
    complain("There is no picture to save yet.");
    return;
  }
  download(`${(job.value?.name ?? "ptychography").replace(/\.\w+$/, "").replaceAll("/", "_")}.png`, png);
}
