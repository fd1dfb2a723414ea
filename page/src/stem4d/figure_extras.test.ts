// The curve of a line scan in a figure, on a canvas that only remembers.
// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { STARTS } from "./state/settings";
import { drawCurves } from "./figure_extras";

interface Drawn {
  texts: string[];
  /** Heights of the points of curves. */
  heights: number[];
}

function drawn(values: Float32Array): Drawn {
  const found: Drawn = { texts: [], heights: [] };
  const at = (_: number, y: number): void => void found.heights.push(y);
  const known = { fillText: (text: string) => found.texts.push(text), moveTo: at, lineTo: at };
  const context = new Proxy(known, {
    get: (of, name) => Reflect.get(of, name) ?? (() => undefined),
    set: () => true,
  });
  const picture = { rows: 1, cols: values.length, values };
  const subject = { picture, settings: STARTS.image, title: "", unit: "counts", about: {} };
  const box = { x: 0, y: 0, width: 600, height: 300 };
  // @ts-expect-error -- of a canvas it has what drawing a curve needs
  drawCurves(context, box, 12, { ...subject, step: 0.5, stepUnit: "nm" });
  return found;
}

it("of a long scan is drawn", () => {
  const { heights } = drawn(Float32Array.from({ length: 1 << 18 }, (_, i) => i % 100));
  expect(heights).toHaveLength(1 << 18);
  expect(heights.every((y) => y > 0 && y < 300)).toBe(true);
});

it("without a finite value is axes alone", () => {
  const { heights, texts } = drawn(new Float32Array(16).fill(NaN));
  expect(heights).toEqual([]);
  expect(texts).toContain("Distance (nm)");
  expect(texts.join()).not.toContain("NaN");
});
