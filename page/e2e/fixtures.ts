// What all specs start from: simulated scans, and a page that must not complain.
// SPDX-License-Identifier: Apache-2.0
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

export const test = base.extend<OfTest, { data: Data }>({
  data: [
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), "sluice-page-"));
      await use(makeData(folder));
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: "worker" },
  ],
  viewer: async ({ page }, use) => use(new Viewer(page)),
  allow: [
    async ({ context }, use) => {
      const allowed: RegExp[] = [];
      const complaints: string[] = [];
      context.on("console", (message) => {
        if (message.type() === "error") complaints.push(message.text());
      });
      context.on("weberror", (error) => void complaints.push(error.error().message));
      await use((pattern) => void allowed.push(pattern));
      const others = complaints.filter((text) => !allowed.some((pattern) => pattern.test(text)));
      expect(others, "errors in the browser's console").toEqual([]);
    },
    { auto: true },
  ],
});
