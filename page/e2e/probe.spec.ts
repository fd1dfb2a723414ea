// The probe and scan regions: the pattern is the one of the frames that they name.
// SPDX-License-Identifier: Apache-2.0
import { join } from "node:path";
import { contains } from "../src/stem4d/geometry/contains";
import type { Point } from "../src/types";
import { expect, test } from "./fixtures";
import { type Numbers, writeMask } from "./npy";
import { answersOf, type Server, serve } from "./program";
import type { Picture, Viewer } from "./viewer";

let server: Server;
test.beforeAll(async ({ data }) => {
  server = await serve([data.scan]);
});
test.afterAll(() => server?.stop());

type Files = { folder: string; scan: string };

/** The command line's patterns, by kind. */
function patterns(data: Files, kind: string, ...where: string[]): Numbers {
  const words = ["diffraction-pattern", data.scan, "--kind", kind, ...where];
  return answersOf(data.folder, words)(`pattern_${kind}`);
}

/** The largest difference, relative to the largest value. */
function farthest(shown: Picture, truth: Numbers): number {
  expect([shown.rows, shown.cols]).toEqual(truth.shape);
  expect(shown.values.map(Number.isNaN)).toEqual(truth.values.map(Number.isNaN));
  const known = (values: readonly number[]): number[] => values.filter((v) => !Number.isNaN(v));
  const [a, b] = [known(shown.values), known(truth.values)];
  return Math.max(...a.map((v, i) => Math.abs(v - b[i]!))) / Math.max(...b);
}

async function isAt(viewer: Viewer, data: Files, [row, col]: Point): Promise<void> {
  const shown = await viewer.pattern();
  expect(viewer.last("pattern")).toMatchObject({ op: "frame", row, col });
  const truth = patterns(data, "sum", "--at", `${row}:${col}`);
  expect([shown.rows, shown.cols]).toEqual(truth.shape);
  expect(shown.values).toEqual(truth.values);
}

test("the pattern follows the probe that is dragged", async ({ viewer, data }) => {
  await viewer.open(server.url);
  await viewer.drag("image", [24, 32], [10, 50]);
  await isAt(viewer, data, [10, 50]);
  await viewer.click("image", [40, 7]);
  await isAt(viewer, data, [40, 7]);
  // Beyond the scan it stays on its last point.
  await viewer.drag("image", [40, 7], [60, -3]);
  await isAt(viewer, data, [47, 0]);
});

test("arrows move the probe, Shift by ten", async ({ viewer, data, page }) => {
  await viewer.open(server.url);
  const panel = viewer.panel("image");
  await panel.press("ArrowRight");
  await panel.press("ArrowUp");
  await isAt(viewer, data, [23, 33]);
  await panel.press("Shift+ArrowDown");
  await panel.press("Shift+ArrowLeft");
  await isAt(viewer, data, [33, 23]);
  for (let i = 0; i < 3; ++i) await panel.press("Shift+ArrowLeft");
  await isAt(viewer, data, [33, 0]);
  const scan = page.locator("details.section", { hasText: /^Scan/ });
  await scan.getByRole("spinbutton", { name: "Column" }).fill("63");
  await scan.getByRole("spinbutton", { name: "Column" }).press("Enter");
  await isAt(viewer, data, [33, 63]);
});

test("patterns of the whole scan", async ({ viewer, data }) => {
  await viewer.open(server.url);
  const kinds = [
    ["Sum of all", "sum", 0],
    ["Maximum of all", "max", 0],
    ["Mean of all", "mean", 1e-6],
    ["Variance", "variance", 1e-6],
  ] as const;
  for (const [text, kind, error] of kinds) {
    await viewer.choose("Pattern", text);
    expect(farthest(await viewer.pattern(), patterns(data, kind))).toBeLessThanOrEqual(error);
  }
});

test("scan regions", async ({ viewer, data, page }) => {
  await viewer.open(server.url);
  for (const shape of ["Disk", "Square", "Rectangle", "Polygon"])
    await test.step(shape, async () => {
      await viewer.menu("Region", shape);
      const first = viewer.last("pattern").region!;
      expect(first.shape).toBe(shape.toLowerCase());
      // Held beside the probe, which lies in its middle.
      await viewer.drag("image", [26, 34], [16, 44]);
      const region = viewer.last("pattern").region!;
      expect(region).not.toEqual(first);
      const mask = join(data.folder, `${shape}.npy`);
      let frames = 0;
      writeMask(mask, [48, 64], (row, col) => {
        const inside = contains(region, [row, col]);
        frames += Number(inside);
        return inside;
      });
      for (const kind of ["sum", "mean", "max"]) {
        await viewer.choose("Of the region's frames", kind);
        const truth = patterns(data, kind, "--where", mask);
        const error = farthest(await viewer.pattern(), truth);
        expect(error).toBeLessThanOrEqual(kind === "mean" ? 1e-6 : 0);
      }
      await expect(page.getByText(`${frames} frames`, { exact: true })).toBeVisible();
      await page.getByRole("button", { name: "Remove", exact: true }).click();
      await viewer.idle();
      await expect(page.getByRole("combobox", { name: "Pattern" })).toHaveValue("probe");
    });
});
