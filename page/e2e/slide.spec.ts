// The page of slides in a browser: what is drawn is what `sluice slide read` reads.
// SPDX-License-Identifier: Apache-2.0
import type { Page } from "@playwright/test";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Hooks } from "../src/slide/hooks";
import { expect, test } from "./fixtures";
import { readNpy } from "./npy";
import { program, type Server, serve, sluice } from "./program";

declare global {
  interface Window {
    slide?: Hooks;
  }
}

const makeCzi = program.replace(/sluice$/, "make_czi");

/** Writes a slide of zstd tiles. */
function make(path: string, ...options: string[]): string {
  execFileSync(makeCzi, [path, "--compression", "zstd1", ...options], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  return path;
}

let colour: Server;
let gray: Server;
let [colourPath, grayPath] = ["", ""];
test.beforeAll(async ({ data }) => {
  colourPath = make(join(data.folder, "colour.czi"), "--grid", "4x3", "--tile", "700", "--pyramid");
  const planes = ["--channels", "2", "--slices", "3", "--scenes", "2"];
  grayPath = make(
    join(data.folder, "gray.czi"),
    "--grid",
    "3x2",
    "--tile",
    "400",
    "--pixel",
    "gray16",
    "--pyramid",
    ...planes,
  );
  [colour, gray] = await Promise.all([serve([colourPath]), serve([grayPath])]);
});
test.afterAll(async () => {
  await colour?.stop();
  await gray?.stop();
});

async function idle(page: Page): Promise<void> {
  await page.waitForFunction(() => window.slide !== undefined);
  await page.evaluate(() => window.slide!.idle());
}

async function open(page: Page, server: Server): Promise<void> {
  await page.goto(server.url);
  await idle(page);
}

const view = (page: Page): Promise<{ zoom: number; aspect?: number; center: readonly [number, number] }> =>
  page.evaluate(() => window.slide!.view());
const values = (page: Page, point: [number, number], channel = 0) =>
  page.evaluate(([at, of]) => window.slide!.values(at, of), [point, channel] as const);
const colourAt = (page: Page, point: [number, number]): Promise<number[]> =>
  page.evaluate((at) => window.slide!.colour(at), point);
const panel = (page: Page) => page.getByRole("application", { name: /^Slide/ });

/** The command line's pixels of a region of the file. */
function read(folder: string, path: string, region: string, ...more: string[]) {
  const out = join(folder, "region.npy");
  sluice("slide", "read", path, "--region", region, "--out", out, ...more);
  return readNpy(out);
}

/** Full resolution about a pixel. */
async function look(page: Page, center: [number, number], zoom = 1): Promise<void> {
  await page.evaluate(([at, to]) => window.slide!.setView({ zoom: to, center: at }), [
    center,
    zoom,
  ] as const);
  await idle(page);
}

test("pixels are those of the file, drawn as they are", async ({ page, data }) => {
  await open(page, colour);
  await look(page, [500, 600], 4);
  const truth = read(data.folder, colourPath, "590,490,20,20");
  expect(truth.shape).toEqual([20, 20, 3]);
  for (const [row, col] of [
    [490, 590],
    [500, 600],
    [509, 609],
    [493, 607],
  ] as const) {
    const at = ((row - 490) * 20 + (col - 590)) * 3;
    const wanted = truth.values.slice(at, at + 3);
    expect(await values(page, [row, col])).toEqual({ values: wanted, zoom: 0 });
    expect(await colourAt(page, [row, col])).toEqual([...wanted, 255]);
  }
});

test("an OME-Zarr of several images is shown like the slide it was made of", async ({
  page,
  data,
}) => {
  const folder = join(data.folder, "colour.zarr");
  const two = join(data.folder, "gray.zarr");
  sluice("slide", "convert", colourPath, folder, "--chunk", "256");
  sluice("slide", "convert", grayPath, two, "--ngff", "0.5", "--chunk", "128", "--shard", "512");
  const server = await serve([folder, two]);
  await open(page, server);
  const menu = page.getByRole("combobox").first();
  expect(await menu.locator("option").allTextContents()).toEqual([
    "colour.zarr",
    "gray.zarr/0",
    "gray.zarr/1",
  ]);
  await look(page, [500, 600], 4);
  const truth = read(data.folder, colourPath, "590,490,20,20");
  const at = (10 * 20 + 10) * 3;
  const wanted = truth.values.slice(at, at + 3);
  for (const channel of [0, 1, 2])
    expect(await values(page, [500, 600], channel)).toEqual({ values: [wanted[channel]], zoom: 0 });
  // Red, green and blue are channels here, and their sum is the colour.
  expect(await colourAt(page, [500, 600])).toEqual([...wanted, 255]);
  await menu.selectOption({ label: "gray.zarr/1" });
  await idle(page);
  await look(page, [100, 150], 4);
  const scene = read(data.folder, two + "/1", "140,90,20,20", "--channel", "1");
  expect(await values(page, [100, 150], 1)).toEqual({ values: [scene.values[210]], zoom: 0 });
  await server.stop();
});

test("wheel, drag, double click and keys move the view", async ({ page }) => {
  await open(page, colour);
  const whole = await view(page);
  const box = (await panel(page).boundingBox())!;
  const at = { x: box.x + 300, y: box.y + 200 };
  await page.mouse.move(at.x, at.y);
  await page.mouse.wheel(0, -600);
  await expect.poll(async () => (await view(page)).zoom).toBeGreaterThan(whole.zoom * 1.5);
  const zoomed = await view(page);
  // What was under the pointer stays there. A layout may give the panel a fraction of a pixel.
  const area = await page.evaluate(() => window.slide!.size());
  const under = (v: typeof whole): number[] => [
    v.center[0] + (200 - area.height / 2) / (v.zoom * (v.aspect ?? 1)),
    v.center[1] + (300 - area.width / 2) / v.zoom,
  ];
  under(zoomed).forEach((v, i) => expect(v).toBeCloseTo(under(whole)[i]!, 6));
  await page.mouse.down();
  await page.mouse.move(at.x - 90, at.y - 60, { steps: 4 });
  await page.mouse.up();
  const dragged = await view(page);
  expect(dragged.center[1] - zoomed.center[1]).toBeCloseTo(90 / zoomed.zoom, 6);
  expect(dragged.center[0] - zoomed.center[0]).toBeCloseTo(60 / (zoomed.zoom * (zoomed.aspect ?? 1)), 6);
  await page.mouse.dblclick(at.x, at.y);
  expect((await view(page)).zoom).toBeCloseTo(dragged.zoom * 2, 6);
  const { keyboard } = page;
  await keyboard.press("0");
  expect(await view(page)).toEqual(whole);
  await keyboard.press("1");
  expect((await view(page)).zoom * (await page.evaluate(() => devicePixelRatio))).toBeCloseTo(1, 9);
  const before = await view(page);
  await keyboard.press("ArrowRight");
  await keyboard.press("ArrowUp");
  const after = await view(page);
  expect(after.center[1] - before.center[1]).toBeCloseTo(area.width / 8, 6);
  expect(before.center[0] - after.center[0]).toBeCloseTo(area.height / 8, 6);
  await keyboard.press("-");
  expect((await view(page)).zoom).toBeCloseTo(after.zoom / 1.5, 9);
  await keyboard.press("+");
  expect((await view(page)).zoom).toBeCloseTo(after.zoom, 9);
});

test("the overview moves the view", async ({ page }) => {
  await open(page, colour);
  await page.keyboard.press("1");
  const box = (await page.locator(".overview").boundingBox())!;
  await page.mouse.click(box.x + box.width / 4, box.y + box.height / 2);
  const { center } = await view(page);
  const [rows, cols] = [3 * 700 - 2 * 70, 4 * 700 - 3 * 70];
  expect(center[0] / rows).toBeCloseTo(0.5, 1);
  expect(center[1] / cols).toBeCloseTo(0.25, 1);
});

test("channels, their windows, and slices", async ({ page, data }) => {
  await open(page, gray);
  await look(page, [300, 500], 2);
  const truth = (channel: number, slice: number): number =>
    read(
      data.folder,
      grayPath,
      "500,300,1,1",
      "--channel",
      `${channel}`,
      "--plane",
      `Z=${slice}`,
      "--scene",
      "0",
    ).values[0]!;
  expect((await values(page, [300, 500], 0))?.values).toEqual([truth(0, 0)]);
  expect((await values(page, [300, 500], 1))?.values).toEqual([truth(1, 0)]);
  // Each window from 0 to twice the value: half bright.
  for (const [name, channel] of [
    ["C1", 0],
    ["C2", 1],
  ] as const) {
    const box = page.locator("details.channel", { hasText: name });
    await box.getByRole("spinbutton", { name: "Min" }).fill("0");
    await box.getByRole("spinbutton", { name: "Min" }).press("Enter");
    await box.getByRole("spinbutton", { name: "Max" }).fill(`${2 * truth(channel, 0)}`);
    await box.getByRole("spinbutton", { name: "Max" }).press("Enter");
  }
  await idle(page);
  const near = (got: number[], wanted: number[]): void =>
    got.forEach((v, i) => expect(Math.abs(v - wanted[i]!)).toBeLessThanOrEqual(1));
  near(await colourAt(page, [300, 500]), [127, 127, 0, 255]);
  await page.getByRole("checkbox", { name: "Show C1" }).uncheck();
  await idle(page);
  near(await colourAt(page, [300, 500]), [127, 0, 0, 255]);
  await page.getByRole("checkbox", { name: "Show C1" }).check();
  await page.getByRole("slider", { name: "Z slice" }).fill("2");
  await idle(page);
  expect((await values(page, [300, 500], 1))?.values).toEqual([truth(1, 2)]);
});

test("a click on a scene shows it", async ({ page }) => {
  await open(page, gray);
  const whole = await view(page);
  await page.getByRole("button", { name: "Scene2" }).click();
  const now = await view(page);
  expect(now.zoom).toBeGreaterThan(whole.zoom * 1.2);
  expect(now.center[1]).toBeGreaterThan(whole.center[1]);
});

test("the view is saved with its scale bar", async ({ page }) => {
  await open(page, colour);
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save PNG" }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe("colour-view.png");
  const bytes = readFileSync((await saved.path())!);
  const header = new DataView(bytes.buffer, bytes.byteOffset);
  const size = await page.evaluate(() => window.slide!.size());
  expect([header.getUint32(16), header.getUint32(20)]).toEqual([size.width, size.height]);
  await expect(page.getByRole("img", { name: /^Scale bar .* µm$/ })).toBeVisible();
});

test("the view stays when the server comes back", async ({ page, allow }) => {
  allow(/WebSocket|ERR_CONNECTION_REFUSED/);
  const options = ["--token", "again"];
  let server = await serve([colourPath], options);
  await open(page, server);
  await look(page, [900, 1100], 1);
  const before = await view(page);
  await server.stop();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  server = await serve([colourPath], [...options, "--port", `${server.port}`]);
  await expect(page.getByRole("alertdialog")).toBeHidden();
  await look(page, [1300, 1500], 1);
  expect((await view(page)).zoom).toBe(before.zoom);
  expect((await values(page, [1300, 1500]))?.zoom).toBe(0);
  await server.stop();
});
