// The program that is measured: its data, its viewer, its browser.
// SPDX-License-Identifier: Apache-2.0
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { request } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "../../page/node_modules/@playwright/test/index.mjs";
import { harness } from "./harness.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
export const program = process.env.SLUICE ?? join(root, "build/release/bin/sluice");
const data = join(root, "build/bench-data");

function synth(prefix, words) {
  mkdirSync(dirname(prefix), { recursive: true });
  execFileSync(program, ["synth", "arina", prefix, ...words], { stdio: "inherit" });
}

/** The scan of ./dev bench, 256x256 points of 192x192 pixels. */
export function scan() {
  const master = join(data, "scan_master.h5");
  const words = "--scan 256x256 --detector 192x192 --dose 6100 --bragg 0 --diffuse 0.175";
  const more = "--lattice 0 --wobble 0 --mask-to-zero --masked 0";
  if (!existsSync(master)) synth(join(data, "scan"), `${words} ${more}`.split(" "));
  return master;
}

/** A folder of ten acquisitions, 128x128 points of 96x96 pixels. */
export function series() {
  const folder = join(data, "viewer-series");
  const words = "--scan 128x128 --detector 96x96 --dose 1500 --series 10";
  if (!existsSync(folder)) synth(folder, words.split(" "));
  return folder;
}

/** Starts the viewer; resolves with its address. */
export function view(paths, threads, layout = "auto") {
  const how = ["--port", "0", "--print-url", "--threads", String(threads), "--layout", layout];
  const words = ["view", ...paths, ...how];
  const begun = performance.timeOrigin + performance.now();
  const child = spawn(program, words, { stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`sluice view ended with ${code}`)));
    child.stdout.once("data", (text) => {
      const stop = () =>
        new Promise((done) => {
          child.once("exit", done);
          child.kill();
        });
      resolve({ url: String(text).trim(), begun, stop });
    });
  });
}

/** `inside` runs in each page before its own scripts. */
export async function browser(...inside) {
  const one = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
  const context = await one.newContext({ viewport: { width: 1440, height: 900 } });
  for (const script of [harness, ...inside]) await context.addInitScript(script);
  return { version: one.version(), page: () => context.newPage(), close: () => one.close() };
}

/** Bytes of an answer as they come over the wire. */
function transferred(url) {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers: { "accept-encoding": "gzip" } }, (answer) => {
      const parts = [];
      answer.on("data", (part) => parts.push(part));
      answer.on("end", () => {
        const bytes = Buffer.concat(parts);
        resolve({ bytes, encoding: answer.headers["content-encoding"] ?? "none" });
      });
    });
    asked.on("error", reject);
    asked.end();
  });
}

/** Bytes of the page and of all that it loads. */
export async function weight(page, url) {
  const addresses = [];
  page.on("response", (answer) => addresses.push(answer.url()));
  await page.goto(url);
  await page.waitForFunction(() => window.sluice?.images());
  let sum = 0;
  for (const address of addresses.filter((one) => one.startsWith("http")))
    sum += (await transferred(address)).bytes.length;
  return sum;
}
