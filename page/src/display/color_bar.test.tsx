// Where the colour bar stands, and what it says.
// SPDX-License-Identifier: Apache-2.0
import { render } from "preact";
import { act } from "preact/test-utils";
import { describe, expect, it } from "vitest";
import type { DisplaySettings } from "../types";
import { ColorBar, fitsBelow } from "./color_bar";

const settings: DisplaySettings = {
  scale: "linear",
  power: 0.5,
  limits: { kind: "percentile", low: 0, high: 100 },
  map: "gray",
  invert: false,
  symmetric: false,
  smooth: false,
  colorBar: true,
  scaleBar: true,
};

describe("the colour bar", () => {
  it("stands where it leaves the image larger", () => {
    const square = { rows: 128, cols: 128 };
    expect(fitsBelow(square, { width: 400, height: 700 })).toBe(true);
    expect(fitsBelow(square, { width: 700, height: 400 })).toBe(false);
    expect(fitsBelow({ rows: 100, cols: 400 }, { width: 700, height: 400 })).toBe(true);
    expect(fitsBelow({ rows: 400, cols: 100 }, { width: 400, height: 700 })).toBe(false);
  });

  it("stands beside an image without room or pixels", () => {
    expect(fitsBelow({ rows: 8, cols: 8 }, { width: 0, height: 0 })).toBe(false);
    expect(fitsBelow({ rows: 0, cols: 0 }, { width: 300, height: 300 })).toBe(false);
  });

  it.each([true, false])("has its ticks in the order of the values (lying: %s)", (lying) => {
    const limits = { low: 0, high: 100 };
    const bar = <ColorBar {...{ settings, limits, lying }} unit="counts" length={500} />;
    void act(() => render(bar, document.body));
    const box = document.querySelector("[role=img]")!;
    expect(box.getAttribute("aria-label")).toBe("Colour bar from 0 to 100 counts");
    const places = [...box.querySelectorAll("g")].map((g) =>
      Number(g.getAttribute("transform")!.match(/[\d.]+/g)![lying ? 0 : 1]),
    );
    expect(places.length).toBeGreaterThan(2);
    const up = [...places].sort((a, b) => (lying ? a - b : b - a));
    expect(places).toEqual(up);
    expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...places)).toBeLessThanOrEqual(500);
    expect(box.textContent).toContain("counts");
  });
});
