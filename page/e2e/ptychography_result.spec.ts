// A finished reconstruction in a browser: what its file has, one of several, and the viewer's end.
// SPDX-License-Identifier: Apache-2.0
import type { Page } from "@playwright/test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Hooks } from "../src/ptychography/hooks";
import { expect, test } from "./fixtures";
import { readNpy } from "./npy";
import { serve, sluice } from "./program";

declare global {
  interface Window {
    monitor?: Hooks;
  }
}

/** Reconstructs into a folder, which has the arrays as well. */
function reconstruct(folder: string, scan: string, name: string, ...more: string[]): string {
  const out = join(folder, name);
  sluice(
    "stem4d", "ptychography", scan, "--energy", "300", "--scan-step-nm", "0.02", "--group", "64",
    "--iterations", "2", "--out", out, "--format", "hdf5,npy", ...more,
  );
  return out;
}

async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => window.monitor?.objectIteration() === 2);
  await page.evaluate(() => window.monitor!.idle());
}

async function expectShown(page: Page, out: string, suffix = ""): Promise<void> {
  await settled(page);
  for (const of of ["phase", "amplitude"] as const) {
    const shown = (await page.evaluate((key) => window.monitor!.picture(key), of))!;
    const written = readNpy(join(out, `object_${of}${suffix}.npy`));
    expect([shown.rows, shown.cols]).toEqual(written.shape);
    const apart = shown.values.map((v, i) => Math.abs(v - written.values[i]!));
    const most = Math.max(...apart.map((d) => (of === "phase" ? Math.min(d, 2 * Math.PI - d) : d)));
    expect(most).toBeLessThan(1e-5);
  }
}

test("a finished result is shown as its file has it, until Ctrl-C", async ({ page, data, allow }) => {
  allow(/ERR_CONNECTION|WebSocket|Failed to load/);
  const out = reconstruct(data.folder, data.scan, "done", "--modes", "2", "--refine-positions");
  const server = await serve([out]);
  await page.goto(server.url);
  await page.getByRole("checkbox", { name: "About its mean" }).uncheck();
  await expectShown(page, out);
  await expect(page.getByText(/^Finished result: 2 iterations in/).first()).toBeVisible();
  await expect(page.getByText("The work is done. All of this is in its file.")).toBeVisible();
  await expect(page.getByText("may have ended")).toBeHidden();
  await expect(page.getByText(/^Moved .* px \(.* Å\) rms/)).toBeVisible();
  await expect(page.getByText(/counting alone 0\.\d+/).first()).toBeVisible();
  // Scale bars: of both pictures of the object, the probe, and the positions.
  await expect(page.locator("main").getByText(/^\d+ (Å|nm|pm)$/)).toHaveCount(4);
  await page.getByText("Origin", { exact: true }).click();
  await expect(page.getByRole("cell", { name: /ptychography\.h5$/ })).toBeVisible();
  await page.getByText("Settings", { exact: true }).click();
  await expect(page.getByRole("row", { name: "stage 1 group 64" })).toBeVisible();
  expect(await page.evaluate(() => window.monitor!.curve().length)).toBe(2);
  const ended = new Promise<number | null>((resolve) => server.process.once("exit", resolve));
  server.process.kill("SIGINT");
  expect(await ended).toBe(0);
  await expect(page.getByText("Connection lost")).toBeVisible();
});

test("one of several is chosen, slices are fetched, and a damaged file is told", async ({ page, data }) => {
  const first = reconstruct(data.folder, data.scan, "first");
  const thick = reconstruct(data.folder, data.scan, "thick", "--slices", "2", "--slice-nm", "2");
  const damaged = join(data.folder, "damaged.h5");
  writeFileSync(damaged, readFileSync(join(first, "ptychography.h5")).subarray(0, 5000));
  const server = await serve([join(first, "ptychography.h5"), thick]);
  try {
    await page.goto(server.url);
    await page.getByRole("checkbox", { name: "About its mean" }).uncheck();
    await expectShown(page, first);
    await page.getByRole("combobox", { name: "Result" }).selectOption("thick/ptychography.h5");
    await expect(page.getByText("slice 1 of 2 at 0 nm").first()).toBeVisible();
    await expectShown(page, thick, "_1");
    await page.keyboard.press("PageDown");
    await expect(page.getByText("slice 2 of 2 at 2 nm").first()).toBeVisible();
    await expectShown(page, thick, "_2");
    await page.reload();
    await expect(page.getByRole("combobox", { name: "Result" })).toBeVisible();
  } finally {
    await server.stop();
  }
  await expect(serve([damaged])).rejects.toThrow(/says that it has|truncated|cut off/);
});
