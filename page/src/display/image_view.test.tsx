// The panel: its keys, its overlay and what a screen reader hears; painting is seen in a browser.
// SPDX-License-Identifier: Apache-2.0
import { signal } from "@preact/signals";
import { render } from "preact";
import { act } from "preact/test-utils";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { DisplaySettings } from "../types";
import { ImageView, type ImageViewProps } from "./image_view";
import { readoutText } from "./readout";
import type { View } from "./view";

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
const picture = { rows: 2, cols: 2, values: Uint16Array.of(1, 2, 3, 4) };
const view = signal<View | null>(null);

function show(more: Partial<ImageViewProps> = {}): Element {
  const props = { picture, settings, label: "Virtual image", unit: "counts", step: 0.5, view };
  void act(() => render(<ImageView {...props} stepUnit="nm" {...more} />, document.body));
  return document.querySelector("[role=application]")!;
}
function press(panel: Element, key: string): void {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  void act(() => void panel.dispatchEvent(event));
}

beforeEach(() => {
  render(null, document.body);
  view.value = null;
});

describe("the panel", () => {
  it("has a name, a place in the focus order and a read-out of the marker", () => {
    const panel = show({ marker: [1, 0] });
    expect(panel.getAttribute("aria-label")).toBe("Virtual image");
    expect(panel.getAttribute("tabindex")).toBe("0");
    const output = document.querySelector("output")!;
    expect(output.textContent).toBe("row 1 · column 0 · 3 counts · 5 Å down, 0 Å right");
    expect(output.getAttribute("aria-live")).toBe("polite");
  });
  it("zooms by keys that the application leaves to it", () => {
    const panel = show();
    press(panel, "+");
    expect(view.value!.zoom).toBeGreaterThan(1);
    press(panel, "0");
    expect(view.value).toBeNull();
    show({ onKeyDown: (e) => e.key === "+" });
    press(panel, "+");
    expect(view.value).toBeNull();
  });
  it("fits again when an image of another shape comes, and only then", () => {
    show();
    view.value = { zoom: 9, center: [1, 1] };
    show({ picture: { ...picture } });
    expect(view.value.zoom).toBe(9);
    show({ picture: { rows: 1, cols: 4, values: picture.values } });
    expect(view.value).toBeNull();
  });
  it("draws pixels as high as they are, and needs no read-out", () => {
    show({ aspect: 3, readout: false, marker: [1, 0] });
    view.value = { zoom: 2, center: [1, 0.5] };
    show({ aspect: 3, readout: false, marker: [1, 0] });
    const place = document.querySelector(".overlay > g")!.getAttribute("transform");
    expect(place).toContain("scale(2 6)");
    expect(document.querySelector("output")).toBeNull();
  });
  it("gives the wheel to the application first", () => {
    const onWheel = vi.fn(() => true);
    const panel = show({ onWheel });
    const turn = (): void =>
      void act(() => void panel.dispatchEvent(new WheelEvent("wheel", { deltaY: 100 })));
    turn();
    expect(view.value).toBeNull();
    expect(onWheel).toHaveBeenCalledWith(1, expect.anything());
    onWheel.mockReturnValue(false);
    turn();
    expect(view.value).not.toBeNull();
  });
  it("draws its overlay with the zoom, and lives without a picture", () => {
    const children = vi.fn((zoom: number) => <circle r={4 / zoom} />);
    show({ children, picture: null });
    expect(children).toHaveBeenCalled();
    expect(document.querySelector(".overlay circle")).not.toBeNull();
    expect(document.querySelector("output")!.textContent!.trim()).toBe("");
  });
});

describe("the read-out", () => {
  const nothing = { step: 0, stepUnit: "" };
  it("is empty outside of the image and for places that are none", () => {
    expect(readoutText(picture, [-0.6, 0], "", nothing)).toBe("");
    expect(readoutText(picture, [0, 1.6], "", nothing)).toBe("");
    expect(readoutText(picture, [NaN, 0], "", nothing)).toBe("");
  });
  it("counts calibrated positions from the origin", () => {
    const two = { step: 0.65, stepUnit: "nm" };
    expect(readoutText({ ...picture, rows: 9, cols: 9 }, [1, 5], "", two)).toContain(
      "0.65 nm down, 3.25 nm right",
    );
    const uneven = { step: 0.5, stepDown: 2, stepUnit: "1/nm", origin: [0, 0] } as const;
    expect(readoutText({ ...picture, rows: 9, cols: 9 }, [2, 6], "", uneven)).toContain(
      "4 nm⁻¹ down, 3 nm⁻¹ right · 5 nm⁻¹ in all",
    );
    const text = readoutText(picture, [0, 1], "e", { step: 2, stepUnit: "mrad", origin: [1, 1] });
    expect(text).toBe("row 0 · column 1 · 2 e · −2 mrad down, 0 mrad right");
  });
  it("tells length and direction of vectors", () => {
    const one = { rows: 1, cols: 1, down: Float32Array.of(-3), right: Float32Array.of(0) };
    expect(readoutText(one, [0, 0], "px", nothing)).toBe("row 0 · column 0 · 3 px at 90°");
  });
});
