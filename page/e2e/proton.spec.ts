// The page of volumes in a browser: numbers shown are those of the files.
// SPDX-License-Identifier: Apache-2.0
import type { Locator, Page } from "@playwright/test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Hooks } from "../src/proton/hooks";
import { expect, test } from "./fixtures";
import { type Image, valuesOf, writeMetaImage } from "./metaimage";
import { readNpy } from "./npy";
import { type Server, serve, sluice } from "./program";
import { type Organ, writeStructures } from "./structure_set.mjs";

declare global {
  interface Window {
    volumes?: Hooks;
  }
}

const CT: Image = {
  sides: [40, 32, 20],
  spacing: [2, 2, 3],
  origin: [-39, -31, 10],
  value: (x, y) => (Math.hypot(x / 34, y / 26) < 1 ? 40 + x : -1000),
  comment: "CT, HU",
};
// Linear in space, so that what is interpolated is known to the last digit.
const linear = (x: number, y: number, z: number): number => 10 + 0.1 * x + 0.05 * y + 0.02 * z;
const DOSE: Image = {
  sides: [21, 17, 15],
  spacing: [2.5, 2.5, 2.5],
  origin: [-25, -20.5, 20],
  value: linear,
  comment: "dose, Gy",
};
const OTHER: Image = { ...DOSE, value: (x, y, z) => 0.9 * linear(x, y, z) + (x > 0 ? 0.5 : 0) };

// A block of 20 x 10 mm in planes of the CT, z from 43 to 61, and one that the dose does not reach.
const block = (name: string, x: number): Organ => ({
  name,
  type: "PTV",
  planes: [43, 46, 49, 52, 55, 58, 61].map((z) => ({
    z,
    corners: [[x - 10, -5], [x + 10, -5], [x + 10, 5], [x - 10, 5]],
  })),
});
const ORGANS: Organ[] = [block("target", 0), block("far away", 60)];

let both: Server;
let organs: Server;
let doses: Server;
let run: Server;
let runFolder = "";
test.beforeAll(async ({ data }) => {
  const at = (name: string): string => join(data.folder, name);
  const ct = writeMetaImage(at("ct.mha"), CT);
  const dose = writeMetaImage(at("dose.mha"), DOSE);
  const other = writeMetaImage(at("other.mha"), OTHER);
  const config = at("beam.toml");
  writeFileSync(
    config,
    '[grid]\ndepth = "40 mm"\nwidth = "20 mm"\n[[beam]]\nenergy = "50 MeV"\nsigma_x = "3 mm"\n',
  );
  runFolder = at("run");
  sluice("proton", "run", config, "--out", runFolder);
  const structures = writeStructures(at("RS.dcm"), ORGANS);
  [both, doses, run, organs] = await Promise.all([
    serve([ct, dose]),
    serve([dose, other]),
    serve([runFolder]),
    serve([ct, dose, structures]),
  ]);
});
test.afterAll(async () => {
  await Promise.all([both, doses, run, organs].map((server) => server?.stop()));
});

async function idle(page: Page): Promise<void> {
  await page.waitForFunction(() => window.volumes !== undefined);
  await page.evaluate(() => window.volumes!.idle());
}
async function open(page: Page, server: Server, hash = ""): Promise<void> {
  await page.goto(server.url + hash);
  await idle(page);
}
const place = (page: Page) => page.evaluate(() => window.volumes!.place());
const values = (page: Page) => page.evaluate(() => window.volumes!.values());
type Key = Parameters<Hooks["raster"]>[0];
type Of = Parameters<Hooks["raster"]>[1];
const raster = async (page: Page, key: Key, of: Of) =>
  (await page.evaluate(([k, o]) => window.volumes!.raster(k, o), [key, of] as const))!;
const panel = (page: Page, name: string): Locator =>
  page.getByRole("application", { name: new RegExp(`^${name}`) });

/** Where a pixel of a plane is on the screen. */
async function spot(page: Page, name: string, [row, col]: readonly [number, number]) {
  const box = (await panel(page, name).boundingBox())!;
  const text = await panel(page, name).locator("svg.overlay > g").getAttribute("transform");
  const [x, y, wide, tall] = text!.match(/-?[\d.]+(e-?\d+)?/g)!.map(Number);
  return { x: box.x + x! + col * wide!, y: box.y + y! + row * tall! };
}

const float = (v: number): number => Math.fround(v);
const element = (image: Image, x: number, y: number, z: number): number =>
  valuesOf(image)[(z * image.sides[1] + y) * image.sides[0] + x]!;

test("planes are those of the file, and a dose over them is interpolated in mm", async ({ page }) => {
  await open(page, both);
  // The crosshair is at the element of the CT that is nearest to the highest dose.
  expect(await place(page)).toEqual([25, 19, 55]);
  const [nx, ny, nz] = CT.sides;
  const slice = (55 - 10) / 3;
  const axial = await raster(page, "axial", "base");
  expect([axial.rows, axial.cols]).toEqual([ny, nx]);
  const all = valuesOf(CT);
  expect(axial.values).toEqual([...all.subarray(slice * nx * ny, (slice + 1) * nx * ny)]);
  // The head is at the top.
  const coronal = await raster(page, "coronal", "base");
  expect([coronal.rows, coronal.cols]).toEqual([nz, nx]);
  expect(coronal.values[(nz - 1) * nx + 7]).toBe(element(CT, 7, 25, 0));

  const over = await raster(page, "axial", "over");
  const wrong = over.values.filter((v, i) => {
    const [x, y] = [-39 + 2 * (i % nx), -31 + 2 * Math.floor(i / nx)];
    const inside = x >= -26.25 && x <= 26.25 && y >= -21.75 && y <= 20.75;
    if (Number.isFinite(v) !== inside) return true;
    const middles = x >= -25 && x <= 25 && y >= -20.5 && y <= 19.5;
    return middles && Math.abs(v - linear(x, y, 55)) > 1e-4;
  });
  expect(wrong).toEqual([]);
  const readout = page.locator("output.readout");
  await expect(readout).toContainText("x 25, y 19, z 55 mm");
  await expect(readout).toContainText("ct.mha −1000 HU");
  expect((await values(page))["dose.mha"]).toBeCloseTo(linear(25, 19, 55), 4);
  await expect(page.getByText("dose.mha has another grid")).toBeVisible();
});

test("a drag moves the crosshair, and the other planes follow", async ({ page }) => {
  await open(page, both);
  await page.mouse.move(...Object.values(await spot(page, "Axial", [16, 20])) as [number, number]);
  await page.mouse.down();
  const to = await spot(page, "Axial", [10, 12]);
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await page.mouse.up();
  await idle(page);
  const [x, y, z] = [-39 + 2 * 12, -31 + 2 * 10, 55];
  expect(await place(page)).toEqual([x, y, z]);
  expect(await values(page)).toEqual({
    "ct.mha": element(CT, 12, 10, 15),
    "dose.mha": expect.closeTo(linear(x, y, z), 4),
  });
  await expect(page.locator("output.readout")).toContainText(`ct.mha ${40 + x} HU`);
  await expect(page.getByRole("heading", { name: /^Sagittal/ })).toContainText(`x −15 mm, 13 of 40`);
  const sagittal = await raster(page, "sagittal", "base");
  expect(sagittal.values[(CT.sides[2] - 1 - 4) * CT.sides[1] + 9]).toBe(element(CT, 12, 9, 4));
});

test("wheel and keys step slices, and stop at the last", async ({ page }) => {
  await open(page, both);
  const at = await spot(page, "Coronal", [10, 20]);
  await page.mouse.move(at.x, at.y);
  await page.mouse.wheel(0, 100);
  await expect.poll(() => place(page)).toEqual([25, 17, 55]);
  await page.keyboard.press("ArrowUp");
  await expect.poll(() => place(page)).toEqual([25, 19, 55]);
  await page.keyboard.press("Shift+ArrowLeft");
  await page.keyboard.press("Shift+ArrowUp");
  expect(await place(page)).toEqual([23, 19, 58]);
  for (let i = 0; i < 4; ++i) await page.keyboard.press("PageUp");
  expect(await place(page)).toEqual([23, 31, 58]);
  await page.getByRole("spinbutton", { name: "z", exact: true }).fill("11.2");
  await page.keyboard.press("Enter");
  expect(await place(page)).toEqual([23, 31, 10]);
});

test("isodoses lie where the dose is", async ({ page }) => {
  await open(page, both);
  await page.getByRole("textbox", { name: "Levels" }).fill("90, 80");
  await page.keyboard.press("Enter");
  await page.getByRole("spinbutton", { name: "100 % are" }).fill("14");
  await page.keyboard.press("Enter");
  await idle(page);
  const z = (await place(page))[2];
  for (const level of [90, 80]) {
    const d = await panel(page, "Axial").locator(`path[data-level="${level}"]`).getAttribute("d");
    const numbers = d!.match(/-?[\d.]+/g)!.map(Number);
    expect(numbers.length).toBeGreaterThan(20);
    const values = numbers.flatMap((col, i) => {
      const [x, y] = [-39 + 2 * col, -31 + 2 * (numbers[i + 1] ?? 0)];
      // Beyond the outermost middles the dose is no longer linear.
      return i % 2 === 0 && Math.abs(x) <= 24 && Math.abs(y) <= 18 ? [linear(x, y, z)] : [];
    });
    expect(values.length).toBeGreaterThan(10);
    expect(Math.min(...values)).toBeCloseTo(0.14 * level, 2);
    expect(Math.max(...values)).toBeCloseTo(0.14 * level, 2);
  }
  await expect(page.getByRole("list", { name: "Isodoses" })).toContainText("12.6 Gy");
  await panel(page, "Axial").press("i");
  await expect(panel(page, "Axial").locator("path[data-level]")).toHaveCount(0);
});

test("contours of structures lie where they were drawn, on all planes", async ({ page }) => {
  await open(page, organs);
  const lines = (key: Key) => page.evaluate((k) => window.volumes!.outlines(k), key);
  const inMm = async (key: Key, xOf: (col: number) => number, yOf: (row: number) => number) =>
    (await lines(key)).map(({ points }) => points.map(([row, col]) => [xOf(col), yOf(row)]));
  const x = (col: number): number => -39 + 2 * col;
  const y = (row: number): number => -31 + 2 * row;
  const z = (row: number): number => 10 + 3 * (CT.sides[2] - 1 - row);
  await page.getByRole("spinbutton", { name: "x", exact: true }).fill("1");
  await page.keyboard.press("Enter");
  await page.getByRole("spinbutton", { name: "y", exact: true }).fill("1");
  await page.keyboard.press("Enter");
  await idle(page);
  expect(await place(page)).toEqual([1, 1, 55]);
  const corners = [[-10, -5], [10, -5], [10, 5], [-10, 5], [-10, -5]];
  expect((await inMm("axial", x, y))[0]).toEqual(corners.map((p) => p.map((v) => expect.closeTo(v, 6))));
  // Planes reach half way to their neighbours: from 41.5 to 62.5 mm.
  const ends = (all: number[][][], axis: 0 | 1): number[] => {
    const values = all.flat().map((p) => p[axis]!);
    return [Math.min(...values), Math.max(...values)].map((v) => Math.round(v * 1e6) / 1e6);
  };
  const targets = async (key: Key, of: (v: number) => number) =>
    (await inMm(key, of, z)).filter((line) => line.every(([u]) => Math.abs(u!) < 20));
  const coronal = await targets("coronal", x);
  expect([ends(coronal, 0), ends(coronal, 1)]).toEqual([[-10, 10], [41.5, 62.5]]);
  const sagittal = await targets("sagittal", y);
  expect([ends(sagittal, 0), ends(sagittal, 1)]).toEqual([[-5, 5], [41.5, 62.5]]);
  // Drawn on the screen where the crosshair's pixels are.
  const axial = panel(page, "Axial");
  await expect(axial.locator("path[data-structure=s1]")).toHaveCount(1);
  await page.getByRole("checkbox", { name: /^target/ }).uncheck();
  await expect(axial.locator("path[data-structure=s1]")).toHaveCount(0);
  await idle(page);
  await page.getByRole("button", { name: "All", exact: true }).click();
  await expect(axial.locator("path[data-structure=s1]")).toHaveCount(1);
  await axial.press("s");
  await expect(axial.locator("path[data-structure]")).toHaveCount(0);
});

test("histograms are those of the library, and say what lies outside", async ({ page }) => {
  await open(page, organs);
  await page.getByRole("combobox", { name: "Plot" }).selectOption({ index: 1 });
  await idle(page);
  const told = (await page.evaluate(() => window.volumes!.histogram("s1")))!;
  // The dose is linear up to its last middle and ends at 56.25 mm: the mean is that of the block's part below.
  expect(told.mean).toBeCloseTo(linear(0, 0, (41.5 + 56.25) / 2), 2);
  await expect(page.getByText("target: 29.8 % of it lies outside of the dose")).toBeVisible();
  const [low, high] = [linear(-10, -5, 41.5), linear(10, 5, 56.25)];
  told.doses.forEach((dose, i) => {
    if (dose < low - 0.2) expect(told.parts[i]).toBe(1);
    if (dose > high + 0.2) expect(told.parts[i]).toBe(0);
  });
  await expect(page.locator("table.histograms")).toContainText("target");
  await expect(page.getByText(/^far away: /)).toBeVisible();
  await expect(page.getByLabel("Histograms", { exact: true }).first()).toBeVisible();
  await page.reload();
  await idle(page);
  await expect(page.locator("table.histograms")).toContainText("target");
  await page.locator("body").press("h");
  await expect(page.locator("table.histograms")).toHaveCount(0);
  await expect(page.getByLabel("Profile along x")).toBeVisible();
});

test("two doses are subtracted, as planes and as a whole", async ({ page }) => {
  await open(page, doses);
  await page.locator("body").press("d");
  await idle(page);
  const [a, b] = [valuesOf(DOSE), valuesOf(OTHER)];
  const wanted = a.map((v, i) => v - b[i]!);
  const whole = (await page.evaluate(() => window.volumes!.whole()))!;
  expect(whole.points).toBe(wanted.length);
  expect(whole.mean).toBeCloseTo(wanted.reduce((sum, v) => sum + v, 0) / wanted.length, 5);
  expect(whole.most).toBeCloseTo(Math.max(...wanted), 5);
  expect(whole.least).toBeCloseTo(Math.min(...wanted), 5);
  const [nx, ny] = DOSE.sides;
  const slice = Math.round(((await place(page))[2] - 20) / 2.5);
  const plane = await raster(page, "axial", "difference");
  const own = wanted.subarray(slice * nx * ny, (slice + 1) * nx * ny);
  expect(plane.values).toEqual([...own]);
  await page.getByRole("button", { name: /^at/ }).first().click();
  await idle(page);
  expect(await place(page)).toEqual(whole.mostAt);
  await expect(page.locator("output.readout")).toContainText("difference 1.2");
});

test("a folder of a run is shown with its depth to the right, and saved", async ({ page }) => {
  await open(page, run);
  const dose = readNpy(join(runFolder, "dose.npy"));
  const [planes, columns] = dose.shape as [number, number];
  const shown = await raster(page, "flat", "base");
  expect([shown.rows, shown.cols]).toEqual([columns, planes]);
  const row = 3;
  expect(shown.values[row * planes + 20]).toBe(float(dose.values[20 * columns + columns - 1 - row]!));
  const most = Math.max(...dose.values);
  const [x, depth] = await place(page);
  const at = dose.values.indexOf(most);
  expect(depth).toBeCloseTo(0.25 + 0.5 * Math.floor(at / columns), 9);
  expect(x).toBeCloseTo(-9.75 + 0.5 * (at % columns), 9);
  await expect(page.locator("output.readout")).toContainText("(100 %)");

  const [table] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save CSV" }).click(),
  ]);
  expect(table.suggestedFilename()).toBe("run_dose-profile-depth.csv");
  const lines = readFileSync((await table.path())!, "utf8").trim().split("\n");
  const header = lines.findIndex((line) => !line.startsWith("#"));
  expect(lines[header]).toContain("depth (mm),run/dose.npy (Gy mm a proton)");
  const rows = lines.slice(header + 1).map((line) => line.split(",").map(Number));
  expect(rows).toHaveLength(planes);
  rows.forEach(([mm, value], i) => {
    expect(mm).toBeCloseTo(0.25 + 0.5 * i, 9);
    expect(value).toBe(float(dose.values[i * columns + (at % columns)]!));
  });

  const [picture] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save PNG" }).click(),
  ]);
  expect(picture.suggestedFilename()).toBe("run_dose-planes.png");
  const png = readFileSync((await picture.path())!);
  expect([...png.subarray(1, 4)]).toEqual([..."PNG"].map((c) => c.charCodeAt(0)));
});

test("a link shows the same again", async ({ page }) => {
  await open(page, both);
  await page.getByRole("slider", { name: "Drawn from" }).fill("40");
  await page.getByRole("button", { name: "Lung" }).click();
  await page.locator("body").press("c");
  await page.getByRole("spinbutton", { name: "x", exact: true }).fill("1");
  await page.keyboard.press("Enter");
  await idle(page);
  await expect.poll(() => new URL(page.url()).hash).toContain("at=1,19,55");
  const { hash } = new URL(page.url());
  await page.goto("about:blank");
  await open(page, both, hash);
  expect(await place(page)).toEqual([1, 19, 55]);
  await expect(page.getByRole("slider", { name: "Drawn from" })).toHaveValue("40");
  await expect(page.getByRole("spinbutton", { name: "Level" })).toHaveValue("-600");
  await expect(page.getByRole("checkbox", { name: "In colours (C)" })).not.toBeChecked();
});

test("what is turned or lies nowhere is told, and not laid over another", async ({ page, data }) => {
  const at = (name: string): string => join(data.folder, name);
  const turned = writeMetaImage(at("turned.mha"), {
    ...DOSE,
    more: "TransformMatrix = 0 1 0 1 0 0 0 0 1",
  });
  const server = await serve([turned, at("dose.mha"), at("run/dose.npy")]);
  await open(page, server);
  await expect(page.getByRole("note")).toContainText("mirrored or oblique");
  await expect(page.getByRole("heading", { name: /^Stored axes x, y/ })).toBeVisible();
  await expect(page.getByRole("heading", { name: /Axial/ })).toHaveCount(0);
  await expect(page.getByText(/^dose.mha, dose.npy: not laid over/)).toBeVisible();
  expect(await page.evaluate(() => window.volumes!.raster("axial", "over"))).toBeNull();
  await page.getByRole("combobox", { name: "Base" }).selectOption({ label: "dose.npy" });
  await idle(page);
  await expect(page.getByRole("note")).toContainText("does not tell the spacing");
  await expect(page.locator("output.readout")).toContainText("elements");
  await server.stop();
});
