// What a browser needs by itself: a page that paints a canvas when the pointer moves, and no more.
// SPDX-License-Identifier: Apache-2.0
import { moves } from "./steps.mjs";

/** Paints in the pointer's own event, or so many milliseconds later, as after an answer. */
function paintOnMove(delay) {
  document.body.innerHTML = "<canvas width=600 height=600></canvas>";
  const context = document.querySelector("canvas").getContext("2d");
  const small = document.createElement("canvas");
  small.width = small.height = 256;
  const picture = small.getContext("2d", { willReadFrequently: true });
  const pixels = new ImageData(256, 256);
  let drawn = 0;
  const paint = () => {
    new Uint32Array(pixels.data.buffer).fill(0xff000000 + ++drawn * 97);
    picture.putImageData(pixels, 0, 0);
    context.drawImage(small, 0, 0, 600, 600);
  };
  addEventListener("pointermove", () => {
    if (delay === 0) paint();
    else setTimeout(paint, delay);
  });
  window.sluice = { stats: () => ({ drawn: { image: drawn } }), idle: () => undefined };
}

/** Milliseconds from the event until the canvas is painted. */
export async function floorOf(tools, delay) {
  const page = await tools.page();
  await page.evaluate(paintOnMove, delay);
  const list = await moves(page, { x: 300, y: 300, zoom: 1 }, "image", 100, 65);
  await page.close();
  return list.map(({ event, painted }) => painted - event);
}
