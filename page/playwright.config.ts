// How the page is tested in a browser against the real server.
// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from "@playwright/test";
import { env } from "node:process";

export default defineConfig({
  testDir: "e2e",
  outputDir: "../build/page-browser",
  // Limits only end what hangs: a busy machine may need ten times as long as a free one.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  // Each has a browser, scans and servers of its own.
  workers: 2,
  retries: 0,
  reporter: "list",
  use: {
    launchOptions: {
      executablePath: env["CHROMIUM"] ?? "/usr/bin/chromium",
      args: ["--no-sandbox"],
    },
  },
});
