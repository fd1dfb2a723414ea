// 5-D: frames by slider and keys, playing, and datasets side by side.
// SPDX-License-Identifier: Apache-2.0
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { type Server, serve, virtualImage } from "./program";
import type { Viewer } from "./viewer";

let server: Server;
test.beforeAll(async ({ data }) => {
  server = await serve([data.series]);
});
test.afterAll(() => server?.stop());

const slider = (page: Page): Locator => page.getByRole("slider", { name: "Frame" });

/** Until every member is in memory. */
async function open(viewer: Viewer): Promise<void> {
  await viewer.open(server.url);
  await expect(viewer.page.locator(".dot.ready")).toHaveCount(5);
}

async function isFrame(viewer: Viewer, data: { folder: string; series: string }, n: number) {
  const path = join(data.series, `series_000${n}_master.h5`);
  const shown = await viewer.image();
  expect(shown.values).toEqual(virtualImage(data.folder, path, viewer.detector()).values);
  await expect(slider(viewer.page)).toHaveValue(String(n - 1));
}

test("frames by slider, keys and buttons", async ({ viewer, page, data }) => {
  await open(viewer);
  await isFrame(viewer, data, 1);
  await page.keyboard.press("]");
  await isFrame(viewer, data, 2);
  await page.keyboard.press("[");
  await page.keyboard.press("[");
  await isFrame(viewer, data, 5);
  await slider(page).fill("2");
  await isFrame(viewer, data, 3);
  await expect(slider(page)).toHaveAttribute("aria-valuetext", /^3 of 5: series_0003/);
  await page.getByRole("button", { name: "Next frame" }).click();
  await isFrame(viewer, data, 4);
  await page.getByRole("button", { name: "Previous frame" }).click();
  await isFrame(viewer, data, 3);
});

/** The frames that are shown one after the other while it plays. */
async function played(page: Page, count: number): Promise<number[]> {
  const seen = page.evaluate(
    (many) =>
      new Promise<number[]>((resolve) => {
        const input = document.querySelector<HTMLInputElement>(".frame-slider input")!;
        const list = [Number(input.value)];
        const look = (): void => {
          const now = Number(input.value);
          if (now !== list.at(-1)) list.push(now);
          if (list.length < many) requestAnimationFrame(look);
          else resolve(list);
        };
        look();
      }),
    count,
  );
  await page.keyboard.press("Space");
  const list = await seen;
  await page.keyboard.press("Space");
  return list;
}

test("playing: loop, bounce, reverse, speed", async ({ viewer, page }) => {
  await open(viewer);
  await page.getByRole("slider", { name: "Speed" }).fill("15");
  await expect(page.getByText("15 fps")).toBeVisible();
  await page.locator("h1").click();
  expect(await played(page, 7)).toEqual([0, 1, 2, 3, 4, 0, 1]);
  await slider(page).fill("0");
  await viewer.idle();
  await page.getByRole("button", { name: "Bounce" }).click();
  await page.locator("h1").click();
  expect(await played(page, 8)).toEqual([0, 1, 2, 3, 4, 3, 2, 1]);
  await page.getByRole("button", { name: "Bounce" }).click();
  await slider(page).fill("4");
  await viewer.idle();
  const reverse = page.getByRole("button", { name: "Reverse" });
  if ((await reverse.getAttribute("aria-pressed")) === "false") await reverse.click();
  await page.locator("h1").click();
  expect(await played(page, 7)).toEqual([4, 3, 2, 1, 0, 4, 3]);
});

test("playing stops at the end without loop", async ({ viewer, page }) => {
  await open(viewer);
  await page.getByRole("slider", { name: "Speed" }).fill("30");
  await page.getByRole("button", { name: "Loop" }).click();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect(slider(page)).toHaveValue("4");
  await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
});

test("what differs between the frames is told", async ({ viewer, page }) => {
  await open(viewer);
  await page.getByText("About this dataset").click();
  const table = page.getByRole("table", { name: "What differs between the frames" });
  await expect(table.getByRole("row")).toHaveCount(6);
  await expect(table.getByRole("columnheader", { name: "date" })).toBeVisible();
  await expect(table.getByRole("columnheader", { name: "high tension" })).toHaveCount(0);
});

test("locked contrast is the same for all frames", async ({ viewer, page }) => {
  await open(viewer);
  const image = page.locator(".panel.of-image");
  const high = image.getByRole("slider", { name: "Highest value shown" });
  // Until the first image has come, the limits are those of nothing.
  await viewer.idle();
  await expect(high).not.toHaveAttribute("aria-valuenow", "1");
  const first = await high.getAttribute("aria-valuenow");
  await slider(page).fill("3");
  await viewer.idle();
  await expect(high).not.toHaveAttribute("aria-valuenow", first!);
  await slider(page).fill("0");
  await expect(high).toHaveAttribute("aria-valuenow", first!);
  await image.locator("summary", { hasText: "Display" }).click();
  await image.getByRole("checkbox", { name: /^Locked/ }).check();
  await slider(page).fill("3");
  await viewer.idle();
  await expect(slider(page)).toHaveValue("3");
  await expect(high).toHaveAttribute("aria-valuenow", first!);
});

test("datasets side by side share contrast and cursor", async ({ viewer, page, data }) => {
  await open(viewer);
  await page.getByRole("button", { name: "Compare" }).click();
  await viewer.idle();
  const panels = page.getByRole("application", { name: /^series_000\d/ });
  await expect(panels).toHaveCount(4);
  const first = (await panels.nth(0).boundingBox())!;
  await page.mouse.move(first.x + first.width / 2, first.y + first.height / 2);
  await expect(page.locator("circle.linked")).toHaveCount(4);
  const places = await page.locator("circle.linked").evaluateAll((all) =>
    all.map((one) => [one.getAttribute("cx"), one.getAttribute("cy")].join()),
  );
  expect(new Set(places).size).toBe(1);
  await page.getByText("Datasets (4)").click();
  await page.getByRole("checkbox", { name: "series_0005" }).check();
  await expect(panels).toHaveCount(5);
  await page.keyboard.press("Escape");
  // Each panel's values in the read-out are its own dataset's.
  for (const n of [1, 5]) {
    const panel = page.getByRole("application", { name: new RegExp(`^series_000${n}`) });
    const box = (await panel.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const figure = page.locator("figure").filter({ has: panel });
    const text = await figure.locator(".readout").innerText();
    const [, row, col, value] = /row (\d+) · column (\d+) · ([\d.]+)/.exec(text) ?? [];
    const path = join(data.series, `series_000${n}_master.h5`);
    const { values } = virtualImage(data.folder, path, viewer.detector());
    expect(Number(value)).toBe(values[32 * Number(row) + Number(col)]);
  }
  await page.getByRole("button", { name: "Close" }).click();
  await expect(viewer.panel("image")).toBeVisible();
});

test("common limits hold for all that are compared", async ({ viewer, page }) => {
  await open(viewer);
  await page.getByRole("button", { name: "Compare" }).click();
  await viewer.idle();
  const canvases = page.locator("figure canvas");
  const pixels = (): Promise<string[]> =>
    canvases.evaluateAll((all) =>
      all.map((one) => (one instanceof HTMLCanvasElement ? one.toDataURL() : "")),
    );
  const linked = await pixels();
  await page.getByRole("checkbox", { name: "Same contrast" }).uncheck();
  await viewer.idle();
  const alone = await pixels();
  expect(alone.filter((one, i) => one !== linked[i]).length).toBeGreaterThan(0);
});
