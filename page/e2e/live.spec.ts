// A scan that is measured: its picture forms, detectors are dragged meanwhile, the next one follows.
// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "./fixtures";
import { program, serve, virtualImage } from "./program";

/** A simulated detector that sends a scan. */
function send(scan: string, address: string, ...options: string[]): ChildProcess {
  const words = ["synth", "stream", "dectris-v2", scan, "--bind", address, ...options];
  return spawn(program, words);
}

const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null ? Promise.resolve() : new Promise((done) => child.once("exit", () => done()));

/** Where the detector of the first test falls silent. */
const CAME = 2000;

test("the picture forms in the page while a detector is dragged", async ({ viewer, page, data }) => {
  const address = `ipc://${join(data.folder, "forms.ipc")}`;
  const server = await serve([address], ["--protocol", "dectris-v2", "--patience-s", "600"]);
  const detector = send(data.scan, address, "--rate", "700", "--stop-at", String(CAME));
  try {
    await page.goto(server.url);
    await page.waitForFunction(() => window.sluice?.images() !== null, null, { polling: 20 });
    await expect(page.locator(".badge.live")).toBeVisible();
    await expect(page.locator(".coming")).toContainText(/of 3.072/);
    const finite = async (): Promise<number> =>
      (await viewer.image()).values.filter((value) => !Number.isNaN(value)).length;
    const some = await finite();
    expect(some).toBeGreaterThan(0);
    // It grows by itself.
    await expect.poll(finite).toBe(CAME);
    await expect(page.locator(".of-image").getByText(/of 3.072 points/)).toBeVisible();
    const before = viewer.detector();
    await viewer.drag("pattern", [31.5, 31.5], [27.5, 29.5]);
    expect(viewer.detector()).not.toEqual(before);
    expect(await finite()).toBe(CAME);
    // A point that has come has its pattern; one that has not says so.
    await viewer.click("image", [1, 2]);
    expect((await viewer.pattern()).values.some((value) => value > 0)).toBe(true);
    await viewer.click("image", [47, 60]);
    await expect(page.locator(".of-pattern").getByText("This point has not come yet")).toBeVisible();
    await expect(page.locator(".coming")).toContainText(/silent for \d+ s/);
    await page.getByRole("button", { name: "End", exact: true }).click();
    await expect(page.locator(".badge.ready")).toBeVisible();
    await expect(page.locator(".live .problems")).toContainText("The series ended early");
    const truth = virtualImage(data.folder, data.scan, viewer.detector());
    const { values } = await viewer.image();
    expect(values.slice(0, CAME)).toEqual([...truth.values].slice(0, CAME));
    expect(values.slice(CAME).every(Number.isNaN)).toBe(true);
  } finally {
    detector.kill();
    await server.stop();
  }
});

test("the newest series is followed until an older one is chosen; losses are told", async ({ page, viewer, data }) => {
  const address = `ipc://${join(data.folder, "follow.ipc")}`;
  const at = page.locator(".frame-slider output");
  const server = await serve([address], ["--protocol", "dectris-v2"]);
  try {
    await page.goto(server.url);
    await expect(page.locator(".of-image .empty")).toContainText(`No series has begun at ${address}`);
    await ended(send(data.scan, address, "--rate", "3000", "--drop", "0.01"));
    await expect(page.locator(".badge.ready")).toBeVisible();
    await expect(page.locator(".live .problems")).toContainText(/of 3072 frames are lost/);
    await ended(send(data.scan, address, "--rate", "3000"));
    await expect(at).toContainText(/2 \/ 2 · series 1/);
    await expect(page.locator(".badge.ready")).toBeVisible();
    await expect(page.locator(".live .problems")).toHaveCount(0);
    const truth = virtualImage(data.folder, data.scan, viewer.detector());
    expect((await viewer.image()).values).toEqual(truth.values);
    // The same scan again: it lies where it lay.
    await expect(page.locator(".live .hint").filter({ hasText: /^Drift -?0\.0\d \+-/ })).toBeVisible();
    await expect(page.getByRole("img", { name: "Drift of each scan from the first one" })).toBeVisible();
    const follow = page.locator(".frames").getByRole("button", { name: "Follow" });
    await expect(follow).toHaveAttribute("aria-pressed", "true");
    await page.keyboard.press("[");
    await viewer.idle();
    await expect(follow).toHaveAttribute("aria-pressed", "false");
    await ended(send(data.scan, address, "--rate", "3000"));
    await expect(at).toContainText(/1 \/ 3/);
    await follow.click();
    await expect(at).toContainText(/3 \/ 3/);
  } finally {
    await server.stop();
  }
});
