// Tests of painting where there is little time.
// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, test, vi } from "vitest";
import { firstLook } from "./looks";
import { type Drawing, Painter2d } from "./painter";
import type { Tile } from "./types";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("all tiles are painted at last, however long those take that are painted already", () => {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  const canvas = () => ({
    width: 8,
    height: 8,
    getContext: () => ({
      clearRect: vi.fn(),
      fillRect: vi.fn(),
      putImageData: vi.fn(),
      drawImage: () => (now += 50),
    }),
  });
  vi.stubGlobal("document", { createElement: canvas });
  vi.stubGlobal("ImageData", Object);
  const box = { left: 0, top: 0, right: 8, bottom: 8 };
  const drawings = [0, 1, 2, 3].map((col): Drawing => {
    const tile: Tile = {
      cell: { zoom: 0, row: 0, col },
      rows: 8,
      cols: 8,
      samples: 1,
      values: new Uint8Array(64),
      damage: [],
      error: "",
    };
    const channel = { at: 0, name: "", color: "", low: 0, high: 1, sample: "uint8", samples: 1 };
    return { tile, from: box, to: box, look: firstLook(channel, 0, [channel]) };
  });
  const painter = new Painter2d(canvas() as unknown as HTMLCanvasElement);
  const paint = (): boolean =>
    painter.paint({ ground: box, color: "#000000", drawings, sharp: false });
  expect([paint(), paint(), paint(), paint()]).toEqual([false, false, false, true]);
});
