// The histogram's counts and how its limits move.
// SPDX-License-Identifier: Apache-2.0
import { render } from "preact";
import { act } from "preact/test-utils";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { DisplaySettings } from "../types";
import { countsOf, Histogram, keyedValue, movedLimits } from "./histogram";

const settings: DisplaySettings = {
  scale: "linear",
  power: 0.5,
  limits: { kind: "absolute", low: 0, high: 10 },
  map: "gray",
  invert: false,
  symmetric: false,
  smooth: false,
  colorBar: false,
  scaleBar: false,
};
const row = (...values: number[]) => ({
  rows: 1,
  cols: values.length,
  values: Float32Array.from(values),
});

describe("counts", () => {
  it("puts the ends into the outer bins and leaves out what is no number", () => {
    const { counts, low, high } = countsOf(row(0, 0, 10, NaN, Infinity, 5));
    expect([low, high]).toEqual([0, 10]);
    expect([counts[0], counts[128], counts[255]]).toEqual([2, 1, 1]);
    expect(counts.reduce((a, b) => a + b)).toBe(4);
  });
  it("holds constant and empty images", () => {
    expect(countsOf(row(7, 7)).counts[0]).toBe(2);
    expect(countsOf(row(7, 7)).high).toBeGreaterThan(7);
    expect(countsOf(row(NaN)).counts.every((n) => n === 0)).toBe(true);
    expect(countsOf(row()).low).toBe(0);
  });
});

describe("limits", () => {
  const axis = { low: 0, high: 10 };
  it("do not pass each other", () => {
    expect(movedLimits({ low: 2, high: 4 }, "low", 3, axis)).toEqual({ low: 3, high: 4 });
    expect(movedLimits({ low: 2, high: 4 }, "low", 9, axis)).toEqual({ low: 3.99, high: 4 });
    expect(movedLimits({ low: 2, high: 4 }, "high", 1, axis)).toEqual({ low: 2, high: 2.01 });
  });
  it("move by keys", () => {
    expect(keyedValue("ArrowRight", 5, false, axis)).toBeCloseTo(5.1, 10);
    expect(keyedValue("ArrowLeft", 5, true, axis)).toBeCloseTo(4, 10);
    expect(keyedValue("PageUp", 9.9, false, axis)).toBe(10);
    expect(keyedValue("Home", 5, false, axis)).toBe(0);
    expect(keyedValue("a", 5, false, axis)).toBeNull();
  });
});

describe("the component", () => {
  beforeEach(() => {
    document.body.innerHTML = "";
  });
  it("has two sliders that the arrow keys move", () => {
    const onLimits = vi.fn();
    const onAuto = vi.fn();
    const limits = { low: 2, high: 8 };
    const picture = row(0, 5, 10);
    act(() =>
      render(
        <Histogram {...{ picture, settings, limits, onLimits, onAuto }} unit="e" />,
        document.body,
      ),
    );
    const sliders = document.querySelectorAll("[role=slider]");
    expect([...sliders].map((s) => s.getAttribute("aria-valuetext"))).toEqual(["2 e", "8 e"]);
    sliders[1]!.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowUp", bubbles: true }));
    expect(onLimits).toHaveBeenCalledWith({ low: 2, high: 8.1 });
    document.querySelector(".histogram")!.dispatchEvent(new MouseEvent("dblclick"));
    expect(onAuto).toHaveBeenCalledOnce();
  });
});
