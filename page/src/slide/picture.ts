// What is seen as a PNG, with the scale bar.
// SPDX-License-Identifier: Apache-2.0
import { scaleBarLength } from "../display/nice";
import { visibleCols } from "../display/view";
import { download } from "../export/download";
import { encodePng, type Picture } from "../export/png";
import { complain } from "../shell/notices";
import { canvas, repaint, scene } from "./drawing";
import type { Scene } from "./scene";

/** Draws the bar in the lower left corner, as it is on the screen. */
function drawBar(context: CanvasRenderingContext2D, now: Scene): void {
  const { view, grid, size, ratio, slide } = now;
  const { pixels, text } = scaleBarLength(visibleCols(view, grid, size), slide.pixel[0], "µm");
  const width = pixels * view.zoom * ratio;
  const bottom = context.canvas.height;
  context.font = `600 ${13 * ratio}px system-ui, sans-serif`;
  context.lineWidth = 2.5 * ratio;
  context.strokeStyle = "rgb(0 0 0 / 75%)";
  context.fillStyle = "#fff";
  context.textAlign = "center";
  const [x, y] = [12 * ratio, bottom - 16 * ratio];
  const at = Math.max(x + width / 2, x + context.measureText(text).width / 2);
  context.strokeText(text, at, y - 5 * ratio);
  context.fillText(text, at, y - 5 * ratio);
  context.strokeRect(x, y, width, 4 * ratio);
  context.fillRect(x, y, width, 4 * ratio);
}

/** The pixels of the screen, on black where there is no slide. */
function pictureOf(now: Scene): Picture | null {
  const source = canvas();
  if (!source || source.width === 0 || source.height === 0) return null;
  const copy = document.createElement("canvas");
  copy.width = source.width;
  copy.height = source.height;
  const context = copy.getContext("2d");
  if (!context) return null;
  // WebGL keeps its picture only until the browser has shown it.
  repaint();
  context.fillStyle = "#000";
  context.fillRect(0, 0, copy.width, copy.height);
  context.drawImage(source, 0, 0);
  drawBar(context, now);
  const { data } = context.getImageData(0, 0, copy.width, copy.height);
  return { width: copy.width, height: copy.height, rgba: data };
}

/** Saves the view; the name and the description say what of which slide. */
export function savePicture(): void {
  const now = scene();
  const picture = now && pictureOf(now);
  if (!now || !picture) {
    complain("There is no picture to save yet.");
    return;
  }
  const [row, col] = now.view.center;
  const [x, y] = [now.slide.bounds[0] + col, now.slide.bounds[1] + row];
  const zoom = now.view.zoom * now.ratio;
  const plane = Object.entries(now.plane).map(([letter, index]) => `${letter} ${index}`);
  const where = [
    `centre x ${x.toFixed(1)}, y ${y.toFixed(1)}`,
    `${zoom} screen pixels per pixel`,
    ...plane,
  ];
  const name = now.slide.name.replace(/\.(czi|zarr)(?=\/|$)/i, "").replaceAll("/", "_");
  download(
    `${name}-view.png`,
    encodePng(picture, { Source: now.slide.path, Description: where.join("; ") }),
  );
}
