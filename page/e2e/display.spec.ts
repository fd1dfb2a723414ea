// Display: limits, scales and colours work on the raw values, and both renderers agree.
// SPDX-License-Identifier: Apache-2.0
import type { Locator, Page } from "@playwright/test";
import { MAPS } from "../src/display/colormaps";
import { toRgba } from "../src/display/renderer_2d";
import type { DisplaySettings, Point } from "../src/types";
import { expect, test } from "./fixtures";
import { type Server, serve } from "./program";
import { Viewer } from "./viewer";

let server: Server;
test.beforeAll(async ({ data }) => {
  server = await serve([data.scan]);
});
test.afterAll(() => server?.stop());

const START: DisplaySettings = {
  scale: "linear",
  power: 0.5,
  limits: { kind: "percentile", low: 0.5, high: 99.5 },
  map: "gray",
  invert: false,
  symmetric: false,
  smooth: false,
  colorBar: true,
  scaleBar: true,
};

const POINTS: Point[] = [[0, 0], [5, 60], [40, 3], [47, 63], [13, 29], [30, 50], [20, 20]];
const image = (page: Page): Locator => page.locator(".panel.of-image");

async function openMenu(page: Page): Promise<void> {
  await image(page).locator("summary", { hasText: "Display" }).click();
}

/** The canvas has the colours that the reference gives the values with these settings. */
async function isDrawn(viewer: Viewer, settings: Partial<DisplaySettings>): Promise<void> {
  const { rows, cols, values } = await viewer.image();
  const raster = { rows, cols, values: Float64Array.from(values) };
  const rgba = toRgba(raster, { ...START, ...settings });
  const wanted = POINTS.map(([row, col]) => {
    const at = 4 * (row * cols + col);
    return [...rgba.slice(at, at + 4)];
  });
  expect(await viewer.colours("image", POINTS)).toEqual(wanted);
}

test("scales, limits and inversion", async ({ viewer, page }) => {
  await viewer.open(server.url);
  await isDrawn(viewer, {});
  await openMenu(page);
  const asked = viewer.requests.length;
  await viewer.choose("Scale", "Logarithmic");
  await isDrawn(viewer, { scale: "log" });
  await viewer.choose("Scale", "Power");
  await image(page).getByRole("slider", { name: "Power" }).fill("0.3");
  await viewer.idle();
  await isDrawn(viewer, { scale: "power", power: 0.3 });
  await image(page).getByRole("button", { name: "2–98 %" }).click();
  const limits = { kind: "percentile", low: 2, high: 98 } as const;
  await isDrawn(viewer, { scale: "power", power: 0.3, limits });
  await image(page).getByRole("checkbox", { name: "Invert" }).check();
  await isDrawn(viewer, { scale: "power", power: 0.3, limits, invert: true });
  await image(page).getByRole("button", { name: "Reset" }).click();
  await viewer.choose("Kind of limits", "Fixed values");
  for (const [name, value] of [["Low", "1700"], ["High", "2100"]] as const) {
    await image(page).getByRole("spinbutton", { name }).fill(value);
    await image(page).getByRole("spinbutton", { name }).press("Enter");
  }
  await viewer.idle();
  await isDrawn(viewer, { limits: { kind: "absolute", low: 1700, high: 2100 } });
  expect(viewer.requests.length, "display asks the server nothing").toBe(asked);
});

test("every colour map", async ({ viewer, page }) => {
  await viewer.open(server.url);
  await openMenu(page);
  for (const { name } of MAPS) {
    await image(page).getByRole("combobox", { name: "Colours" }).selectOption(name);
    await viewer.idle();
    await isDrawn(viewer, { map: name });
  }
});

test("the histogram's limits move by keys and by dragging", async ({ viewer, page }) => {
  await viewer.open(server.url);
  const low = image(page).getByRole("slider", { name: "Lowest value shown" });
  const high = image(page).getByRole("slider", { name: "Highest value shown" });
  const now = async (one: Locator): Promise<number> => Number(await one.getAttribute("aria-valuenow"));
  // The histogram comes when the page has time for it.
  await expect(low).not.toHaveAttribute("aria-valuenow", "0");
  const before = await now(low);
  await low.press("ArrowRight");
  await low.press("PageUp");
  expect(await now(low)).toBeGreaterThan(before);
  await high.press("End");
  const { values } = await viewer.image();
  expect(await now(high)).toBe(Math.max(...values));
  await isDrawn(viewer, { limits: { kind: "absolute", low: await now(low), high: await now(high) } });
  const box = (await high.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height - 4);
  await page.mouse.down();
  await page.mouse.move(box.x - 150, box.y + box.height - 4, { steps: 4 });
  await page.mouse.up();
  await viewer.idle();
  expect(await now(high)).toBeLessThan(Math.max(...values));
  await isDrawn(viewer, { limits: { kind: "absolute", low: await now(low), high: await now(high) } });
});

test("zoom, pan and fit keep values under the cursor", async ({ viewer, page }) => {
  await viewer.open(server.url);
  const { values } = await viewer.image();
  const readout = image(page).locator(".readout");
  const isUnder = async ([row, col]: Point): Promise<void> => {
    const { x, y } = await viewer.at("image", [row, col]);
    await page.mouse.move(x, y);
    await expect(readout).toContainText(`row ${row} · column ${col} · ${values[64 * row + col]} counts`);
  };
  await isUnder([10, 12]);
  await page.mouse.wheel(0, -400);
  await viewer.idle();
  await isUnder([10, 12]);
  await isUnder([14, 9]);
  await viewer.drag("image", [10, 12], [13, 15], ["Alt"]);
  await isUnder([10, 12]);
  const zoomed = await viewer.at("image", [10, 12]);
  await viewer.panel("image").press("f");
  await viewer.idle();
  expect(await viewer.at("image", [10, 12])).not.toEqual(zoomed);
  await isUnder([40, 60]);
});

/** Colours of a wheel, an image and a pattern as one of the renderers draws them. */
async function drawnBy(kind: string, viewer: Viewer): Promise<number[][]> {
  await viewer.open(server.url, { renderer: kind });
  await viewer.choose("What the image shows", "CoM, colour wheel");
  const wheel = await viewer.colours("image", POINTS);
  await viewer.choose("What the image shows", "Sum");
  await openMenu(viewer.page);
  await viewer.choose("Colours", "Meadow (like viridis)");
  await viewer.choose("Scale", "Logarithmic");
  const sum = await viewer.colours("image", POINTS);
  return [...wheel, ...sum, ...(await viewer.colours("pattern", POINTS))];
}

test("both renderers draw the same picture", async ({ viewer, context }) => {
  const canvas = await drawnBy("2d", viewer);
  const page = await context.newPage();
  await page.addInitScript(() => {
    const draw = WebGL2RenderingContext.prototype.drawArrays;
    WebGL2RenderingContext.prototype.drawArrays = function (...words) {
      document.documentElement.classList.add("by-webgl");
      draw.apply(this, words);
    };
  });
  const webgl = await drawnBy("webgl2", new Viewer(page));
  await expect(page.locator("html")).toHaveClass(/by-webgl/);
  const off = canvas.flatMap((one, i) => one.map((v, k) => Math.abs(v - webgl[i]![k]!)));
  expect(Math.max(...off)).toBeLessThanOrEqual(4);
});

test("the edge of the side column is dragged", async ({ viewer, page }) => {
  await viewer.open(server.url);
  const edge = page.getByRole("separator", { name: "Width of the side column" });
  const column = edge.locator("+ *");
  const width = async (): Promise<number> => (await column.boundingBox())!.width;
  const before = await width();
  const box = (await edge.boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + 200];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 120, y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(width).toBeGreaterThan(before + 100);
  const wide = await width();
  await viewer.open(server.url);
  expect(await width(), "it is remembered").toBe(wide);
  await edge.dblclick();
  await expect.poll(width).toBe(before);
});

test("light and dark", async ({ viewer, page }) => {
  await viewer.open(server.url);
  const brightness = (): Promise<number> =>
    page.evaluate(() => {
      const [r, g, b] = (getComputedStyle(document.body).backgroundColor.match(/\d+/g) ?? []).map(Number);
      return (r! + g! + b!) / 3;
    });
  expect(await brightness()).toBeLessThan(80);
  await viewer.choose("Theme", "Light");
  expect(await brightness()).toBeGreaterThan(200);
  await page.reload();
  await viewer.ready();
  expect(await brightness(), "it is remembered").toBeGreaterThan(200);
  await viewer.choose("Theme", "Dark");
  expect(await brightness()).toBeLessThan(80);
});
