// The FFT panel and line profiles: spacings and curves of what is on the screen.
// SPDX-License-Identifier: Apache-2.0
import { profile } from "../src/analysis/profile";
import { readFileSync } from "node:fs";
import { expect, test } from "./fixtures";
import { type Server, serve } from "./program";

let server: Server;
test.beforeAll(async ({ data }) => {
  server = await serve([data.scan, data.large]);
});
test.afterAll(() => server?.stop());

// The simulation's lattice, whatever the number of scan points in a period.
const SPACING = 0.39;

test("a click on a spot tells the lattice's spacing", async ({ viewer, page }) => {
  await viewer.open(server.url);
  await viewer.choose("Dataset", "large_master.h5");
  await viewer.ready();
  await page.getByRole("button", { name: "FFT" }).click();
  const panel = viewer.panel("fft");
  await expect(panel.locator("canvas")).toBeVisible();
  // 128 x 160 points are transformed as 256 x 256; a period is 8 points, so 32 pixels either way.
  await viewer.click("fft", [128, 128 + 32 + 2]);
  const text = page.getByText(/^d = /);
  await expect(text).toBeVisible();
  const [, number, unit] = /^d = ([\d.]+) (\S+)/.exec(await text.innerText()) ?? [];
  const nm = Number(number) * ({ nm: 1, Å: 0.1, pm: 0.001 }[unit ?? ""] ?? NaN);
  expect(Math.abs(nm / SPACING - 1)).toBeLessThan(0.02);
  await viewer.click("fft", [128 - 32, 128 + 1]);
  const down = /^d = ([\d.]+) (\S+) at (-?[\d.]+)°/.exec(await text.innerText());
  expect(Math.abs(Math.abs(Number(down?.[3])) - 90)).toBeLessThan(2);
});

test("a profile follows its line and is saved as CSV", async ({ viewer, page }) => {
  await viewer.open(server.url);
  await viewer.choose("Dataset", "scan_master.h5");
  await viewer.ready();
  const image = page.locator(".panel.of-image");
  await image.getByRole("button", { name: /Profile/ }).click();
  const section = page.getByRole("region", { name: "Line profile" });
  await expect(section).toBeVisible();
  await viewer.drag("image", [24, Math.round(0.85 * 63)], [40, 50]);
  await viewer.drag("image", [24, Math.round(0.15 * 63)], [8, 6]);
  await section.getByRole("spinbutton", { name: "Width" }).fill("5");
  await section.getByRole("spinbutton", { name: "Width" }).press("Enter");
  const saved = page.waitForEvent("download");
  await section.getByRole("button", { name: "Save CSV" }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toMatch(/_profile\.csv$/);
  const lines = readFileSync(await download.path(), "utf8").trim().split(/\r?\n/);
  const about = lines.filter((line) => line.startsWith("#"));
  const table = lines.filter((line) => !line.startsWith("#"));
  const numbers = table.slice(1).map((line) => line.split(",").map(Number));
  const ends = (name: string): [number, number] => {
    const found = about.find((line) => line.includes(name)) ?? "";
    const [row, col] = (/(-?[\d.]+), (-?[\d.]+)/.exec(found) ?? []).slice(1).map(Number);
    return [row!, col!];
  };
  const [from, to] = [ends("from row"), ends("to row")];
  expect(Math.hypot(from[0] - 8, from[1] - 6)).toBeLessThan(0.5);
  expect(Math.hypot(to[0] - 40, to[1] - 50)).toBeLessThan(0.5);
  const { rows, cols, values } = await viewer.image();
  const raster = { rows, cols, values: Float64Array.from(values) };
  const truth = profile(raster, from, to, 5);
  expect(numbers.length).toBe(truth.values.length);
  const step = SPACING / 8;
  const column = table[0]!.split(",").findIndex((name) => name.includes("nm"));
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) * step;
  expect(Math.abs(numbers.at(-1)![column]! - length)).toBeLessThan(2 * step);
  numbers.forEach((line, i) => expect(line.at(-1)).toBeCloseTo(truth.values[i]!, 3));
  await section.getByRole("button", { name: "Close" }).click();
  await expect(section).toHaveCount(0);
});
