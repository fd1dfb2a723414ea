// Loading: the coarse image first, the exact one after it; cancelling; folders that grow.
// SPDX-License-Identifier: Apache-2.0
import { linkSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, simulate, test } from "./fixtures";
import { serve, virtualImage } from "./program";

test("a scan that is streamed is coarse first, then exact", async ({ viewer, page, data }) => {
  const server = await serve([data.large], ["--stream"]);
  try {
    await page.goto(server.url);
    await page.waitForFunction(() => window.sluice?.images() !== null);
    await viewer.ready();
    await expect(page.locator(".badge.streaming")).toBeVisible();
    const panel = viewer.panel("pattern");
    const seen = page.evaluate(
      () =>
        new Promise<number[]>((resolve) => {
          const steps: number[] = [];
          const look = (): void => {
            // Nothing is shown while nothing answers what is asked.
            const step = window.sluice!.images()?.step;
            if (step !== undefined && step !== steps.at(-1)) steps.push(step);
            if (steps.length > 1 && step === 1 && steps.some((one) => one > 1)) resolve(steps);
            else requestAnimationFrame(look);
          };
          look();
        }),
    );
    await panel.press("Alt+Shift+ArrowRight");
    const steps = await seen;
    expect(steps.filter((step) => step > 1)).toHaveLength(1);
    expect(steps.at(-1)).toBe(1);
    const shown = await viewer.image();
    const truth = virtualImage(data.folder, data.large, viewer.detector());
    expect([shown.rows, shown.cols]).toEqual(truth.shape);
    expect(shown.values).toEqual(truth.values);
  } finally {
    await server.stop();
  }
});

test("loading can be cancelled and taken up again", async ({ viewer, page, data }) => {
  const prefix = join(data.folder, "long");
  simulate(prefix, "160x160", "64x64", "--dose", "300", "--compression", "gzip");
  const all = readdirSync(data.folder).filter((name) => name.startsWith("long"));
  // While some are loaded, there is time to choose the last and to cancel it.
  const copies = Array.from({ length: 4 }, (_, i) => join(data.folder, `copy-${i}`));
  for (const copy of copies) {
    mkdirSync(copy, { recursive: true });
    for (const name of all) linkSync(join(data.folder, name), join(copy, name));
  }
  const masters = copies.map((copy) => join(copy, "long_master.h5"));
  const server = await serve(masters, ["--threads", "1"]);
  try {
    await page.goto(server.url);
    await page.getByRole("combobox", { name: "Dataset" }).selectOption({ index: 3 });
    await page.waitForFunction(() => (window.sluice?.images()?.step ?? 0) > 1);
    await expect(page.getByRole("progressbar", { name: "Loading" })).toBeVisible();
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByText("subset only", { exact: true }).first()).toBeVisible();
    await expect(page.locator(".of-image").getByText(/^Every \d+\w\w scan point$/)).toBeVisible();
    await page.getByRole("button", { name: "Load", exact: true }).click();
    await viewer.ready();
    await expect(page.locator(".badge.ready")).toBeVisible();
  } finally {
    await server.stop();
  }
});

test("acquisitions of a watched folder appear by themselves", async ({ viewer, page, data }) => {
  const watched = join(data.folder, "watched");
  const made = join(data.folder, "made");
  mkdirSync(watched, { recursive: true });
  simulate(join(watched, "first"), "16x16", "48x48", "--dose", "2000");
  simulate(join(made, "second"), "16x16", "48x48", "--dose", "2000", "--seed", "2");
  simulate(join(made, "third"), "16x16", "48x48", "--dose", "2000", "--damage", "missing-frames");
  const server = await serve([watched]);
  try {
    await viewer.open(server.url);
    await expect(page.getByText("Datasets (1), folder is watched")).toBeVisible();
    const arrive = (name: string): void => {
      // The master comes last, as acquisition programs write it.
      const files = readdirSync(made).filter((file) => file.startsWith(name));
      files.sort((a, b) => Number(a.includes("master")) - Number(b.includes("master")));
      for (const file of files) renameSync(join(made, file), join(watched, file));
    };
    arrive("second");
    await expect(page.locator(".message", { hasText: "New in the folder: second_master.h5." })).toBeVisible();
    await page.keyboard.press("]");
    await viewer.idle();
    const second = join(watched, "second_master.h5");
    await expect.poll(async () => (await viewer.image()).values).toEqual(
      virtualImage(data.folder, second, viewer.detector()).values,
    );
    arrive("third");
    await expect(page.locator(".message", { hasText: "third_master.h5" })).toBeVisible();
    // Its last file is so new that it may still be written.
    await expect(page.locator(".dot.awaited, .dot.incomplete")).toHaveCount(1);
    await page.getByRole("button", { name: /third_master/ }).click();
    await expect(page.locator(".of-image .empty")).toContainText(/missing/);
    await expect(page.locator(".of-pattern .empty")).toContainText(/missing/);
    expect(await page.evaluate(() => window.sluice!.images()), "no other's image").toBeNull();
    await expect(page.locator(".gallery canvas")).toHaveCount(0);
  } finally {
    await server.stop();
  }
});
