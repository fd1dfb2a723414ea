// What all specs start from: simulated scans, and a page that must not complain.
// SPDX-License-Identifier: Apache-2.0
import type { BrowserContext, ConsoleMessage, WebError } from "@playwright/test";
import { expect, test as base } from "@playwright/test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sluice } from "./program";
import { Viewer } from "./viewer";

export { expect };

/** Master files and folders. */
export interface Data {
  /** Where a test may write. */
  folder: string;
  /** 48 x 64 scan points, 64 x 64 pixels, a lattice of 8 scan points. */
  scan: string;
  /** Five of 32 x 32 scan points, 48 x 48 pixels. */
  series: string;
  /** 128 x 160 scan points, 48 x 48 pixels. */
  large: string;
}

/** Writes a simulated acquisition. */
export function simulate(prefix: string, scan: string, detector: string, ...more: string[]): void {
  const size = ["--scan", scan, "--detector", detector, "--lattice", "8"];
  sluice("synth", "arina", prefix, ...size, ...more);
}

function makeData(folder: string): Data {
  simulate(join(folder, "scan"), "48x64", "64x64", "--dose", "4000");
  simulate(join(folder, "series"), "32x32", "48x48", "--dose", "4000", "--series", "5");
  simulate(join(folder, "large"), "128x160", "48x48", "--dose", "400");
  return {
    folder,
    scan: join(folder, "scan_master.h5"),
    series: join(folder, "series"),
    large: join(folder, "large_master.h5"),
  };
}

interface OfTest {
  viewer: Viewer;
  /** Lets a test provoke errors in the browser's console; all others make it fail. */
  allow: (pattern: RegExp) => void;
}

interface OfWorker {
  data: Data;
  /** Made once: to begin anew for each test takes longer than most tests do. */
  shared: BrowserContext;
}

/** Leaves the window as if nothing had been opened in it. */
async function clean(context: BrowserContext): Promise<void> {
  const [first, ...others] = context.pages();
  for (const page of others) await page.close();
  if (first?.url().startsWith("http")) await first.evaluate(() => localStorage.clear());
  await first?.goto("about:blank");
  await context.clearPermissions();
}

export const test = base.extend<OfTest, OfWorker>({
  data: [
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), "sluice-page-"));
      await use(makeData(folder));
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: "worker" },
  ],
  shared: [
    async ({ browser }, use) => {
      const viewport = { width: 1440, height: 900 };
      const context = await browser.newContext({ viewport, colorScheme: "dark" });
      await use(context);
      await context.close();
    },
    { scope: "worker" },
  ],
  context: async ({ shared }, use) => use(shared),
  page: async ({ context }, use) => {
    await use(context.pages()[0] ?? (await context.newPage()));
    await clean(context);
  },
  viewer: async ({ page }, use) => {
    const viewer = new Viewer(page);
    await use(viewer);
    viewer.forget();
  },
  allow: [
    async ({ context, page }, use) => {
      const allowed: RegExp[] = [];
      const complaints: string[] = [];
      const hear = (message: ConsoleMessage): void => {
        if (message.type() === "error") complaints.push(message.text());
      };
      const fear = (error: WebError): void => void complaints.push(error.error().message);
      context.on("console", hear);
      context.on("weberror", fear);
      await use((pattern) => void allowed.push(pattern));
      await page.evaluate(() => undefined);
      context.off("console", hear);
      context.off("weberror", fear);
      const others = complaints.filter((text) => !allowed.some((pattern) => pattern.test(text)));
      expect(others, "errors in the browser's console").toEqual([]);
    },
    { auto: true },
  ],
});
