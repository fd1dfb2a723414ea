// Exports: files hold the values of the screen, sessions open as they were, reports need no server.
// SPDX-License-Identifier: Apache-2.0
import type { Page } from "@playwright/test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Point } from "../src/types";
import { expect, simulate, test } from "./fixtures";
import { readNpy } from "./npy";
import { type Server, serve } from "./program";
import { Viewer } from "./viewer";

let server: Server;
test.beforeAll(async ({ data }) => {
  server = await serve([data.scan]);
});
test.afterAll(() => server?.stop());

/** Chooses an entry of the export menu; the name and the place of the file that comes. */
async function exported(page: Page, entry: string): Promise<{ name: string; path: string }> {
  await page.locator("summary", { hasText: "Export" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: entry, exact: true }).click(),
  ]);
  return { name: download.suggestedFilename(), path: await download.path() };
}

test("NPY holds the exact values", async ({ viewer, page }) => {
  await viewer.open(server.url);
  const { name, path } = await exported(page, "NPY, exact values");
  expect(name).toBe("scan_BF.npy");
  const file = readNpy(path);
  const shown = await viewer.image();
  expect(file.shape).toEqual([48, 64]);
  expect(file.values).toEqual(shown.values);
  await viewer.choose("What the image shows", "CoM, colour wheel");
  const both = readNpy((await exported(page, "NPY, exact values")).path);
  expect(both.shape).toEqual([2, 48, 64]);
  expect(both.values.slice(0, 48 * 64)).toEqual((await viewer.image(0)).values);
  expect(both.values.slice(48 * 64)).toEqual((await viewer.image(1)).values);
});

/** The first image of a little-endian TIFF without compression, in one strip or many. */
function readTiff(path: string): { rows: number; cols: number; values: number[] } {
  const bytes = readFileSync(path);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  expect([bytes[0], bytes[1], view.getUint16(2, true)]).toEqual([0x49, 0x49, 42]);
  const at = view.getUint32(4, true);
  const tags = new Map<number, number[]>();
  for (let i = 0; i < view.getUint16(at, true); ++i) {
    const entry = at + 2 + 12 * i;
    const [type, count] = [view.getUint16(entry + 2, true), view.getUint32(entry + 4, true)];
    if (type !== 3 && type !== 4) continue;
    const size = type === 3 ? 2 : 4;
    const place = size * count <= 4 ? entry + 8 : view.getUint32(entry + 8, true);
    const read = (k: number): number =>
      type === 3 ? view.getUint16(place + 2 * k, true) : view.getUint32(place + 4 * k, true);
    tags.set(view.getUint16(entry, true), Array.from({ length: count }, (_, k) => read(k)));
  }
  const one = (tag: number): number => tags.get(tag)![0]!;
  expect([one(258), one(339), one(259)]).toEqual([32, 3, 1]); // bits, IEEE floats, uncompressed
  const values = tags.get(273)!.flatMap((offset, strip) => {
    const count = tags.get(279)![strip]! / 4;
    return Array.from({ length: count }, (_, i) => view.getFloat32(offset + 4 * i, true));
  });
  return { rows: one(257), cols: one(256), values };
}

test("TIFF holds the values as float32", async ({ viewer, page }) => {
  await viewer.open(server.url);
  const { name, path } = await exported(page, "TIFF, float32 values");
  expect(name).toBe("scan_BF.tiff");
  const shown = await viewer.image();
  expect(readTiff(path)).toEqual({ ...shown, values: shown.values.map(Math.fround) });
  await page.locator("summary", { hasText: "Export" }).click();
  await viewer.choose("Of", "Diffraction panel");
  await page.locator("summary", { hasText: "Export" }).click();
  const pattern = readTiff((await exported(page, "TIFF, float32 values")).path);
  const { values } = await viewer.pattern();
  expect(pattern.values).toEqual(values.map(Math.fround));
});

test("CSV holds a row per pixel", async ({ viewer, page }) => {
  await viewer.open(server.url);
  const { path } = await exported(page, "CSV, all values");
  const lines = readFileSync(path, "utf8").trim().split(/\r?\n/);
  const table = lines.filter((line) => !line.startsWith("#")).slice(1);
  const shown = await viewer.image();
  expect(table.map((line) => Number(line.split(",")[2]))).toEqual(shown.values);
});

/** The size of a PNG and its colours at some (row, col), decoded by the browser. */
async function picture(
  page: Page,
  path: string,
  points: readonly Point[] = [],
): Promise<{ width: number; height: number; colours: number[][] }> {
  const source = `data:image/png;base64,${readFileSync(path, "base64")}`;
  return page.evaluate(
    async ({ url, at }) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      const { naturalWidth: width, naturalHeight: height } = image;
      const context = new OffscreenCanvas(width, height).getContext("2d")!;
      context.drawImage(image, 0, 0);
      const colours = at.map(([row, col]) => [...context.getImageData(col, row, 1, 1).data]);
      return { width, height, colours };
    },
    { url: source, at: points },
  );
}

test("PNG: pixel by pixel, and with bars", async ({ viewer, page }) => {
  await viewer.open(server.url);
  const points: Point[] = [[0, 0], [3, 60], [47, 63], [30, 11]];
  const drawn = await viewer.colours("image", points);
  const bare = await picture(page, (await exported(page, "PNG, pixel by pixel")).path, points);
  expect(bare).toEqual({ width: 64, height: 48, colours: drawn });
  const bars = await picture(page, (await exported(page, "PNG with bars")).path);
  expect(bars.width).toBeGreaterThan(500);
  const both = await picture(page, (await exported(page, "Figure of both panels (PNG)")).path);
  expect(both.width).toBeGreaterThan(1.5 * bars.width);
});

test("PNG of a line scan is its curve", async ({ viewer, page, data }) => {
  simulate(join(data.folder, "line"), "1x64", "48x48", "--dose", "1000");
  const line = await serve([join(data.folder, "line_master.h5")]);
  try {
    await viewer.open(line.url);
    const { path } = await exported(page, "PNG with bars");
    const { width } = await picture(page, path);
    const blue = await page.evaluate(async (url) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      const context = new OffscreenCanvas(image.width, image.height).getContext("2d")!;
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      const columns = new Set<number>();
      for (let at = 0; at < data.length; at += 4)
        if (data[at + 2]! > 180 && data[at]! < 80) columns.add((at / 4) % image.width);
      return columns.size;
    }, `data:image/png;base64,${readFileSync(path, "base64")}`);
    expect(blue, "the curve goes across").toBeGreaterThan(width / 2);
  } finally {
    await line.stop();
  }
});

/** Sets much of what a session keeps. */
async function arrange(viewer: Viewer): Promise<void> {
  const { page } = viewer;
  await viewer.menu("Add", "Polygon");
  await viewer.drag("pattern", [32, 33], [40, 20]);
  await viewer.choose("What the image shows", "CoM, rows");
  await viewer.choose("Mask", "of polygon");
  await viewer.menu("Region", "Square");
  await viewer.choose("Of the region's frames", "max");
  await page.getByRole("button", { name: "FFT" }).click();
  await page.getByRole("checkbox", { name: /Show the measured disk/ }).uncheck();
  await page.locator(".panel.of-image summary", { hasText: "Display" }).click();
  await page.locator(".panel.of-image").getByRole("combobox", { name: "Colours" }).selectOption("twilight");
  await page.keyboard.press("Escape");
  await page.locator(".panel.of-image").getByRole("button", { name: /Profile/ }).click();
  await viewer.panel("image").press("+");
  await viewer.idle();
}

/** A session without what must differ: when it was saved, and the detectors' inner keys. */
function comparable(path: string): unknown {
  const session = JSON.parse(readFileSync(path, "utf8"));
  delete session.created;
  const at = session.detectors.findIndex((one: { key: string }) => one.key === session.selected);
  session.selected = at;
  for (const one of session.detectors) delete one.key;
  return session;
}

test("a session opens exactly as it was", async ({ viewer, page, context, data }) => {
  await viewer.open(server.url);
  await arrange(viewer);
  const { name, path } = await exported(page, "Save session");
  expect(name).toMatch(/_session\.json$/);
  const image = await viewer.image();
  const pattern = await viewer.pattern();

  await test.step("by the button", async () => {
    const other = new Viewer(await context.newPage());
    await other.open(server.url);
    await other.page.locator("summary", { hasText: "Export" }).click();
    const [chooser] = await Promise.all([
      other.page.waitForEvent("filechooser"),
      other.page.getByRole("button", { name: "Open session…" }).click(),
    ]);
    await chooser.setFiles(path);
    await expect(other.panel("fft")).toBeVisible();
    await other.idle();
    expect(await other.image()).toEqual(image);
    expect(await other.pattern()).toEqual(pattern);
    const again = await exported(other.page, "Save session");
    expect(comparable(again.path)).toEqual(comparable(path));
  });

  await test.step("by --session", async () => {
    const kept = join(data.folder, "kept.json");
    writeFileSync(kept, readFileSync(path));
    const fresh = await serve([data.scan], ["--session", kept]);
    try {
      const other = new Viewer(await context.newPage());
      await other.open(fresh.url);
      expect(await other.image()).toEqual(image);
      expect(await other.pattern()).toEqual(pattern);
      const again = await exported(other.page, "Save session");
      expect(comparable(again.path)).toEqual(comparable(path));
    } finally {
      await fresh.stop();
    }
  });
});

test("what is no session is refused with a reason, which stays until it is read", async ({
  viewer,
  page,
  context,
  data,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await viewer.open(server.url);
  const wrong = join(data.folder, "wrong.json");
  writeFileSync(wrong, '{"schema": "sluice-session/1", "mode": "sideways"}');
  await page.locator("summary", { hasText: "Export" }).click();
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Open session…" }).click(),
  ]);
  await chooser.setFiles(wrong);
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("mode");
  // More notes than are shown at once push each other out, but no error.
  for (let i = 0; i < 5; ++i) {
    await viewer.panel("pattern").press("Alt+Shift+ArrowDown");
    await viewer.menu("Export", "Copy the command for this image");
  }
  await expect(page.getByText(/^Copied: /)).toHaveCount(4);
  await expect(alert).toContainText("mode");
  await alert.getByRole("button", { name: "Dismiss" }).click();
  await expect(alert).toHaveCount(0);
});

test("the HTML report opens without a server", async ({ viewer, page, context }) => {
  await viewer.open(server.url);
  await page.locator("summary", { hasText: "Export" }).click();
  await page.getByRole("button", { name: "HTML report…" }).click();
  await page.getByRole("textbox", { name: "Notes for the reader" }).fill("Seen <b>today</b>.");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save report" }).click(),
  ]);
  const path = join((await download.path()).replace(/[^/]*$/, ""), "report.html");
  await download.saveAs(path);
  const reader = await context.newPage();
  const asked: string[] = [];
  reader.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) asked.push(request.url());
  });
  await context.setOffline(true);
  await reader.goto(pathToFileURL(path).href);
  const sizes = await reader.locator("img").evaluateAll((all) =>
    all.map((one) => (one instanceof HTMLImageElement && one.complete ? one.naturalWidth : 0)),
  );
  expect(sizes.length).toBeGreaterThanOrEqual(2);
  expect(Math.min(...sizes)).toBeGreaterThan(100);
  await expect(reader.getByText("Seen <b>today</b>.")).toBeVisible();
  expect(asked).toEqual([]);
  await context.setOffline(false);
});

test("the command that is copied makes the same image", async ({ viewer, page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await viewer.open(server.url);
  await viewer.menu("Export", "Copy the command for this image");
  await expect(page.getByText(/^Copied: sluice stem4d virtual-image .*--detector BF=disk:r=/)).toBeVisible();
});
