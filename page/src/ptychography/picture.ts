// Object and probe as one PNG: what is seen, with titles, scale and colour bars.
// SPDX-License-Identifier: Apache-2.0
import { figureBar } from "../display/figure_bar";
import { isField } from "../display/limits";
import { scaleBarLength } from "../display/nice";
import { toRgba } from "../display/renderer_2d";
import { download } from "../export/download";
import { drawFigure, figureLayout, type FigurePanel, zoomFor } from "../export/figure";
import type { Bytes } from "../export/outcome";
import { encodePng } from "../export/png";
import { complain } from "../shell/notices";
import { drawnOf, limitsFor, titleOf, unitOf } from "./pictures";
import { job, looks, PICTURES, type PictureKey, status } from "./state";
import { rText, statusText } from "./texts";

function panelOf(key: PictureKey): FigurePanel | null {
  const { picture } = drawnOf(key);
  if (!picture) return null;
  const [settings, limits] = [looks.value[key], limitsFor(key)];
  const bar = scaleBarLength(picture.cols, job.value?.pixelNm ?? 0, "nm");
  return {
    picture: { width: picture.cols, height: picture.rows, rgba: toRgba(picture, settings, limits) },
    title: titleOf(key),
    scaleBar: { pixels: bar.pixels, label: bar.text },
    colorBar: isField(picture) ? null : figureBar(settings, limits, unitOf(key)),
  };
}

/** About `target` pixels for the longer side of the object; null: nothing has come, or no canvas. */
export function figureOf(target: number): Bytes | null {
  const panels = PICTURES.flatMap((key) => panelOf(key) ?? []);
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
