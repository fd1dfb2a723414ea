// The saved picture: it waits for what is asked, and holds all of its legend.
// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { phase } from "../shell/live";
import { notices } from "../shell/notices";
import { savePicture } from "./picture";
import * as state from "./state";
import { volume } from "./test_volumes";

const seen = vi.hoisted(() => ({
  settled: false,
  saved: [] as { width: number; height: number }[],
}));
vi.mock("./asking", async (original) => ({
  ...(await original<object>()),
  isSettled: () => seen.settled,
  baseSlice: () => ({
    volume: "v1",
    onto: "v1",
    at: 9,
    raster: { rows: 5, cols: 6, values: new Float32Array(30) },
  }),
  overSlice: () => null,
}));
vi.mock("../export/download", () => ({ download: () => undefined }));
vi.mock("../export/png", () => ({
  encodePng: (picture: { width: number; height: number }) => void seen.saved.push(picture),
}));

/** Words, with where they end, in letters of 10 pixels. */
let words: { text: string; right: number; y: number; of: HTMLCanvasElement }[];
const plain = (width: number, height: number) => ({
  width,
  height,
  data: new Uint8ClampedArray(4 * width * height),
});
function context(canvas: HTMLCanvasElement): object {
  const known: Record<string, unknown> = {
    canvas,
    measureText: (text: string) => ({ width: 10 * text.length }),
    fillText: (text: string, x: number, y: number) =>
      words.push({ text, right: x + 10 * text.length, y, of: canvas }),
    getImageData: (_x: number, _y: number, width: number, height: number) => plain(width, height),
    createImageData: plain,
  };
  return new Proxy(known, { get: (from, name: string) => from[name] ?? (() => undefined), set: () => true });
}

beforeEach(() => {
  words = [];
  seen.saved = [];
  notices.value = [];
  vi.stubGlobal("ImageData", Object);
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockImplementation(function (
    this: HTMLCanvasElement,
  ) {
    return context(this) as never;
  });
  const all = [1, 2, 3, 4].map((i) => volume({ id: `v${i}`, name: `${"long ".repeat(9)}${i}.mha` }));
  state.greet({ op: "hello", protocol: 1, version: "", volumes: all, structures: [], notes: [] });
  state.chooseOver("");
  state.levels.value = [95, 90, 80, 70, 50, 30, 20, 10];
  phase.value = { kind: "open" };
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  phase.value = { kind: "connecting" };
});

it("waits until all that is asked for has come", async () => {
  seen.settled = false;
  const saving = savePicture();
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(seen.saved).toHaveLength(0);
  seen.settled = true;
  await saving;
  expect(seen.saved).toHaveLength(1);
});

it("says so where nothing more comes", async () => {
  seen.settled = false;
  phase.value = { kind: "lost", text: "", retryIn: 1 };
  await savePicture();
  expect(seen.saved).toHaveLength(0);
  expect(notices.value.map(({ text }) => text).join()).toContain("no picture to save");
});

it("is as large as its legend needs", async () => {
  seen.settled = true;
  // One plane is narrower than the legend.
  state.volumes.value = state.volumes.value.map((one) => ({ ...one, sides: [6, 5], mostAt: [5, 4] }));
  await savePicture();
  const { width, height } = seen.saved[0]!;
  const legend = words.filter(({ text }) => / % = |long|element|mm/.test(text));
  expect(legend.filter(({ text }) => text.includes(" % = "))).toHaveLength(8);
  for (const { text, right, y } of legend) {
    expect(right, text).toBeLessThanOrEqual(width);
    expect(y + 8, text).toBeLessThanOrEqual(height);
  }
});
