// A reconstruction at work in a browser: the page comes late and by twos, goes, and sees the end.
// SPDX-License-Identifier: Apache-2.0
import type { Page } from "@playwright/test";
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Hooks } from "../src/ptychography/hooks";
import { expect, test } from "./fixtures";
import { readNpy } from "./npy";
import { program } from "./program";

declare global {
  interface Window {
    monitor?: Hooks;
  }
}

interface Job {
  url: string;
  out: string;
  process: ChildProcess;
  /** The exit status. */
  ended: Promise<number | null>;
}

let jobs = 0;

async function work(folder: string, scan: string, iterations: number, ...more: string[]): Promise<Job> {
  const out = join(folder, `work-${++jobs}`);
  const child = spawn(program, [
    "stem4d", "ptychography", scan, "--energy", "300", "--scan-step-nm", "0.02", "--group", "16",
    "--modes", "2", "--refine-positions", "--iterations", String(iterations), "--threads", "1",
    "--out", out, "--format", "npy", "--monitor", "0", ...more,
  ]);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  let told = "";
  child.stdout.on("data", () => undefined);
  child.stderr.setEncoding("utf8");
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on("data", (text) => {
      told += text;
      const found = /http:\S+/.exec(told);
      if (found) resolve(found[0]);
    });
    void ended.then((code) => reject(new Error(`it ended with ${code}: ${told}`)));
  });
  return { url, out, process: child, ended };
}

/** Until so many iterations have been seen. */
const reached = (page: Page, count: number): Promise<unknown> =>
  page.waitForFunction((n) => (window.monitor?.objectIteration() ?? -1) >= n, count);

test("a page may come late, go, and come back; the job goes on until it is stopped", async ({ page, context, data, allow }) => {
  allow(/ERR_CONNECTION|WebSocket|Failed to load/);
  const job = await work(data.folder, data.scan, 100_000);
  await page.goto(job.url);
  await reached(page, 2);
  await expect(page.getByText(/Iteration \d+ of 100000/).first()).toBeVisible();
  await page.evaluate(() => window.monitor!.idle());
  expect(await page.evaluate(() => window.monitor!.positions())).toBe(48 * 64);
  const curve = await page.evaluate(() => window.monitor!.curve());
  expect(curve.length).toBeGreaterThanOrEqual(2);
  const second = await context.newPage();
  await second.goto(job.url);
  await reached(second, 2);
  await page.goto("about:blank");
  const before = await second.evaluate(() => window.monitor!.objectIteration());
  await reached(second, before! + 1);
  await page.goto(job.url.replace(/token=..../, "token=0000"));
  await expect(page.getByText(/wrong|token|key|refused/i).first()).toBeVisible();
  await page.goto(job.url);
  await reached(page, before! + 1);
  expect((await page.evaluate(() => window.monitor!.curve())).slice(0, 2)).toEqual(curve.slice(0, 2));

  job.process.kill("SIGINT");
  await expect(page.getByText(/^Stopped after/).first()).toBeVisible();
  expect(await job.ended).toBe(130);
  await expect(page.getByText("Connection lost")).toBeHidden();
  await expect(fetch(job.url)).rejects.toThrow();
  expect(existsSync(join(job.out, "object_phase.npy"))).toBe(false);
  await second.close();
});

test("what is seen in the end is what was written", async ({ page, data, allow }) => {
  allow(/ERR_CONNECTION|WebSocket|Failed to load/);
  const job = await work(data.folder, data.scan, 15);
  await page.goto(job.url);
  await reached(page, 15);
  await expect(page.getByText(/^Finished: 15 iterations/).first()).toBeVisible();
  expect(await job.ended).toBe(0);
  await page.getByRole("checkbox", { name: "About its mean" }).uncheck();
  expect(await page.evaluate(() => window.monitor!.curve().length)).toBe(15);
  for (const of of ["phase", "amplitude"] as const) {
    const shown = (await page.evaluate((key) => window.monitor!.picture(key), of))!;
    const written = readNpy(join(job.out, `object_${of}.npy`));
    expect([shown.rows, shown.cols]).toEqual(written.shape);
    const apart = shown.values.map((v, i) => Math.abs(v - written.values[i]!));
    expect(Math.max(...apart.map((d) => (of === "phase" ? Math.min(d, 2 * Math.PI - d) : d)))).toBeLessThan(1e-5);
  }
});

test("it can stay after the end", async ({ page, data }) => {
  const job = await work(data.folder, data.scan, 1, "--monitor-stay");
  await page.goto(job.url);
  await reached(page, 1);
  await expect(page.getByText(/^Finished: 1 iteration/).first()).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Object: phase" })).toBeVisible();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toBeVisible();
  job.process.kill("SIGINT");
  expect(await job.ended).toBe(0);
  expect(existsSync(join(job.out, "object_phase.npy"))).toBe(true);
});
