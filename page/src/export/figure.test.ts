// Figures, on a canvas that writes down what is drawn.
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { drawFigure, figureLayout, zoomFor } from "./figure";
import type { FigureContext, FigurePanel } from "./figure";

interface Put {
  x: number;
  y: number;
  image: ImageData;
}

function fakeContext() {
  const texts: string[] = [];
  const rects: [number, number, number, number][] = [];
  const puts: Put[] = [];
  const none = (): void => undefined;
  const box = { width: 0 };
  const context: FigureContext = {
    fillStyle: "",
    strokeStyle: "",
    font: "",
    lineWidth: 1,
    textAlign: "left",
    textBaseline: "top",
    createImageData: (a: number | ImageData, b?: number) => {
      const [width, height] = typeof a === "number" ? [a, b ?? 0] : [a.width, a.height];
      const data = new Uint8ClampedArray(width * height * 4);
      return { width, height, data, colorSpace: "srgb" as const };
    },
    putImageData: (image: ImageData, x: number, y: number) => void puts.push({ image, x, y }),
    fillRect: (x, y, w, h) => void rects.push([x, y, w, h]),
    fillText: (text) => void texts.push(text),
    measureText: (text) => ({ ...measured, width: text.length * 7 }),
    save: none,
    restore: none,
    translate: none,
    rotate: none,
    strokeRect: none,
  };
  const measured: TextMetrics = {
    ...box,
    actualBoundingBoxAscent: 0,
    actualBoundingBoxDescent: 0,
    actualBoundingBoxLeft: 0,
    actualBoundingBoxRight: 0,
    alphabeticBaseline: 0,
    emHeightAscent: 0,
    emHeightDescent: 0,
    fontBoundingBoxAscent: 0,
    fontBoundingBoxDescent: 0,
    hangingBaseline: 0,
    ideographicBaseline: 0,
  };
  return { context, texts, rects, puts };
}

const picture = {
  width: 2,
  height: 1,
  rgba: Uint8Array.of(10, 20, 30, 255, 40, 50, 60, 255),
};
const panel: FigurePanel = {
  picture,
  title: "Virtual image",
  scaleBar: { pixels: 1, label: "5 nm" },
  colorBar: {
    colors: Uint8Array.of(0, 0, 0, 255, 200, 200, 200, 255),
    ticks: [
      { place: 0, label: "0" },
      { place: 1, label: "1000" },
    ],
    label: "counts",
  },
};
const options = { zoom: 100, background: "#fff", foreground: "#000" };

describe("drawFigure", () => {
  it("enlarges pixels without mixing them", () => {
    const { context, puts } = fakeContext();
    drawFigure(context, [panel], options);
    const { image } = puts[0]!;
    expect([image.width, image.height]).toEqual([200, 100]);
    expect([...image.data.subarray(99 * 4, 101 * 4)]).toEqual([10, 20, 30, 255, 40, 50, 60, 255]);
    expect(image.data[(99 * 200 + 199) * 4]).toBe(40);
  });

  it("draws the scale bar as long as it says, within the picture", () => {
    const { context, rects, texts } = fakeContext();
    drawFigure(context, [panel], options);
    const bar = rects.find(([, , w]) => w === 100)!;
    const [box] = figureLayout([panel], 100).images;
    expect(bar[0]).toBeGreaterThan(box!.x);
    expect(bar[0] + 100).toBeLessThan(box!.x + 200);
    expect(texts).toEqual(["Virtual image", "5 nm", "0", "1000", "counts"]);
  });

  it("puts the high end of the colour bar on top", () => {
    const { context, puts } = fakeContext();
    drawFigure(context, [panel], options);
    const { data } = puts[1]!.image;
    expect([data[0], data[data.length - 4]]).toEqual([200, 0]);
  });

  it("lays panels side by side without overlap, all on the canvas", () => {
    const three = [panel, { ...panel, colorBar: null }, panel];
    const { images, width, height } = figureLayout(three, 100);
    images.forEach((box, i) => {
      const next = images[i + 1];
      if (next) expect(next.x).toBeGreaterThan(box.x + box.width);
      expect(box.x + box.width).toBeLessThan(width);
      expect(box.y + box.height).toBeLessThan(height);
    });
  });

  it("shortens a title that is wider than its picture", () => {
    const { context, texts } = fakeContext();
    drawFigure(context, [{ ...panel, title: "a very long title ".repeat(9) }], options);
    expect(texts[0]!.length * 7).toBeLessThanOrEqual(200);
    expect(texts[0]).toMatch(/…$/);
  });

  it("chooses a whole zoom", () => {
    expect(zoomFor({ width: 256, height: 100, rgba: new Uint8Array(0) })).toBe(3);
    expect(zoomFor({ width: 5000, height: 100, rgba: new Uint8Array(0) })).toBe(1);
  });
});
