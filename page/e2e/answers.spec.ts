// What is shown and saved is the answer to what the labels say, or nothing is.
// SPDX-License-Identifier: Apache-2.0
import type { BrowserContext, Page, WebSocketRoute } from "@playwright/test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { env } from "node:process";
import { expect, simulate, test } from "./fixtures";
import type { Numbers } from "./npy";
import { readNpyPart } from "./npy";
import { answersOf, serve } from "./program";
import { Viewer } from "./viewer";

const NETWORK = /WebSocket connection to|Failed to load resource|net::ERR/;
const MODE = "What the image shows";

/** A page whose server can be made to say nothing more. */
async function stalling(context: BrowserContext): Promise<{ page: Page; stall: () => void }> {
  const page = await context.newPage();
  let stalled = false;
  await page.routeWebSocket(/\/live\?/, (socket: WebSocketRoute) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      if (!stalled) server.send(message);
    });
  });
  return { page, stall: () => (stalled = true) };
}

async function saveNpy(page: Page): Promise<Numbers & { about: { request?: { mode?: string } } }> {
  await page.locator("summary", { hasText: "Export" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "NPY, exact values" }).click(),
  ]);
  return readNpyPart(readFileSync(await download.path()));
}

async function refusesToSave(page: Page, why: RegExp): Promise<void> {
  let saved = 0;
  const count = (): void => void ++saved;
  page.on("download", count);
  await page.locator("summary", { hasText: "Export" }).click();
  await page.getByRole("button", { name: "NPY, exact values" }).click();
  await expect(page.getByRole("alert").filter({ hasText: why }).first()).toBeVisible();
  page.off("download", count);
  expect(saved).toBe(0);
}

test("a server that stalls leaves no other detector's image", async ({ context, data }) => {
  const server = await serve([data.scan]);
  const { page, stall } = await stalling(context);
  try {
    const viewer = new Viewer(page);
    await viewer.open(server.url);
    stall();
    await page.getByRole("button", { name: "ABF", exact: true }).click();
    const panel = page.locator(".panel.of-image");
    await expect(panel.locator(".empty")).toContainText("Waiting for the server");
    expect(await page.evaluate(() => window.sluice!.images())).toBeNull();
    await expect(panel.locator(".readout")).toHaveText(/^\s*$/);
    await refusesToSave(page, /does not show what was asked for yet/);
  } finally {
    await page.close();
    await server.stop();
  }
});

test("a refused mode shows why, and nothing of the mode before", async ({ viewer, page, data }) => {
  const line = join(data.folder, "line");
  simulate(line, "1x40", "48x48", "--dose", "1000");
  const server = await serve([`${line}_master.h5`]);
  try {
    await viewer.open(server.url);
    await expect(page.getByRole("img", { name: "Values along the scan's line" })).toBeVisible();
    await page
      .getByRole("combobox", { name: MODE, exact: true })
      .selectOption({ label: "iCoM (phase)" });
    const words = page.locator(".panel.of-image").getByRole("alert");
    await expect(words).toBeVisible();
    await expect(words.getByRole("button", { name: "Ask again" })).toBeVisible();
    expect(await page.evaluate(() => window.sluice!.images())).toBeNull();
    await refusesToSave(page, /shows nothing that could be saved/);
  } finally {
    await server.stop();
  }
});

test("a dead server says so, and another one's data are asked for anew", async ({
  viewer,
  page,
  allow,
  data,
}) => {
  allow(NETWORK);
  const other = join(data.folder, "other");
  simulate(other, "48x64", "64x64", "--dose", "900");
  const first = await serve([data.scan], ["--token", "kept"]);
  await viewer.open(first.url);
  const before = await viewer.image();
  first.process.kill("SIGKILL");
  await expect(page.getByRole("alertdialog", { name: "No connection" })).toBeVisible();
  // The same address and the same name of the dataset, but other files.
  const again = ["--token", "kept", "--port", String(first.port)];
  const second = await serve([`${other}_master.h5`], again);
  try {
    await expect(page.getByText("other_master.h5").first()).toBeVisible({ timeout: 15_000 });
    await viewer.ready();
    expect((await viewer.image()).values).not.toEqual(before.values);
    const truth = await commandsAnswer(viewer, page, data.folder, "Sum");
    expect((await viewer.image()).values).toEqual(truth.values);
  } finally {
    await second.stop();
  }
});

const FILES: Record<string, string> = {
  Sum: "",
  "Mean per pixel": "",
  "CoM, rows": "com_row_rotated",
  "Divergence (dCoM)": "divergence",
  Curl: "curl",
  "iCoM (phase)": "icom",
};

/** What the command that the page copies writes. */
async function commandsAnswer(
  viewer: Viewer,
  page: Page,
  folder: string,
  mode: string,
): Promise<Numbers> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await viewer.menu("Export", "Copy the command for this image");
  await expect(page.getByText(/^Copied: sluice/).last()).toBeVisible();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  const words = text.split(" ").map((word) => word.replaceAll("'", ""));
  expect(words.slice(0, 2)).toEqual(["sluice", "stem4d"]);
  const name = /--detector (\w+)=/.exec(text)?.[1] ?? "";
  const out = words.indexOf("--out");
  return answersOf(folder, words.slice(2, out))(FILES[mode] || name);
}

function isLike(shown: { rows: number; cols: number; values: number[] }, truth: Numbers): void {
  expect([shown.rows, shown.cols]).toEqual(truth.shape);
  const most = Math.max(...truth.values.map((v) => Math.abs(v)));
  const worst = Math.max(...shown.values.map((v, i) => Math.abs(v - truth.values[i]!)));
  expect(worst).toBeLessThanOrEqual(2e-6 * most);
}

/** Random numbers that a seed decides. */
function randomOf(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

test("whatever is done, the copied command makes what is shown and saved", async ({
  viewer,
  page,
  data,
}) => {
  test.setTimeout(240_000);
  const loading = ["--det-bin", "2", "--scan-region", "4:40,8:56"];
  const server = await serve([data.scan, data.large], loading);
  const random = randomOf(Number(env["SLUICE_INVARIANT_SEED"] ?? 7));
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  let mode = "Sum";
  const done: string[] = [];
  try {
    await viewer.open(server.url);
    await expect(page.locator(".dot.ready")).toHaveCount(2);
    for (let step = 0; step < 8; ++step) {
      for (let change = 0; change < 3; ++change) {
        const what = pick(["mode", "dataset", "preset", "drag", "mask"]);
        done.push(what);
        if (what === "mode") await viewer.choose(MODE, (mode = pick(Object.keys(FILES))));
        if (what === "dataset") await page.locator("li .pick .dot").nth(random(2)).click();
        if (what === "preset")
          await page.getByRole("button", { name: pick(["BF", "ABF"]), exact: true }).first().click();
        if (what === "drag")
          await viewer.panel("pattern").press(pick(["Alt+ArrowLeft", "Alt+ArrowDown", "+"]));
        const masks = page.getByRole("combobox", { name: "Mask", exact: true });
        if (what === "mask" && (await masks.count()) > 0)
          await masks.selectOption({ index: random(2) });
      }
      await viewer.idle();
      const truth = await commandsAnswer(viewer, page, data.folder, mode);
      isLike(await viewer.image(), truth);
      const saved = await saveNpy(page);
      isLike({ rows: saved.shape[0]!, cols: saved.shape[1]!, values: saved.values }, truth);
      expect(saved.about.request?.mode, done.join()).toBeDefined();
      await page.keyboard.press("Escape");
    }
  } finally {
    await server.stop();
  }
});
