#!/usr/bin/env node
// Measures live scans in the viewer: from the message that is sent to the pixel that changes.
// SPDX-License-Identifier: Apache-2.0
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { browser, view } from "../viewer/program.mjs";
import { quantile } from "../viewer/steps.mjs";
import { Detector } from "./push.mjs";

const HELP = `Measures how soon a point of a live scan is seen in headless Chromium.

    node bench/live/latency.mjs [--scan 64x64] [--size 128] [--rate 500,2000] [--series 3] [--json]

A sender in this process speaks DECTRIS' Stream V2 and notes when it hands each image to its socket.
The page's canvas is looked at in each animation frame: "painted" is the first task after the frame in
which a point has a colour of its own. Points come in sixteens; "last" is from the last message of
these, "each" from the message of each point. Sender, viewer and browser share this machine.
Needs npm's packages in page/ (./dev build), Chromium (or CHROMIUM), and SLUICE or a release build.`;

/** In the page: when the last point of each sixteen got a colour, in ms of the epoch. */
function watch([cols, count]) {
  const panel = document.querySelector('[role="application"][aria-label^="Virtual image"]');
  const canvas = panel.querySelector(":scope > canvas");
  const context = canvas.getContext("2d");
  const painted = [];
  const channel = new MessageChannel();
  let waits = [];
  channel.port1.onmessage = () => {
    const now = performance.timeOrigin + performance.now();
    for (const k of waits) painted[k] = now;
    waits = [];
  };
  const colourAt = (point) => {
    const [x, y, zoom] = panel.querySelector("svg.overlay > g").getAttribute("transform").match(/-?[\d.]+(?:e-?\d+)?/g).map(Number);
    const ratio = canvas.width / canvas.clientWidth;
    const at = (from, of) => Math.floor((from + of * zoom) * ratio);
    const [row, col] = [Math.floor(point / cols), point % cols];
    return context.getImageData(at(x, col), at(y, row), 1, 1).data.join();
  };
  return new Promise((resolve) => {
    let next = 0;
    let nothing = null;
    const look = () => {
      if (nothing === null && Number.isNaN(window.sluice.images()?.images[0].values.at(-1)))
        nothing = colourAt(count * 16 - 1);
      if (nothing !== null)
        while (next < count && colourAt(next * 16 + 15) !== nothing) waits.push(next++);
      if (waits.length > 0) channel.port2.postMessage(null);
      if (next < count) requestAnimationFrame(look);
      else setTimeout(() => resolve(painted), 100);
    };
    requestAnimationFrame(look);
  });
}

async function measure(tools, options, rate) {
  const [rows, cols] = options.scan;
  const port = 31100 + Math.floor(Math.random() * 800);
  const { server, connected } = await Detector.listen(port, options.scan, options.size);
  const viewer = await view([`tcp://127.0.0.1:${port}`, "--protocol", "dectris-v2"], cpus().length);
  const detector = await connected;
  const page = await tools.page();
  await page.goto(viewer.url);
  const found = { last: [], each: [], pictures: 0, seconds: 0 };
  for (let series = 1; series <= options.series; ++series) {
    // The first one warms up.
    if (series > 1) await page.evaluate(() => window.sluice.reset());
    const count = (rows * cols) / 16;
    const seen = page.waitForFunction((n) => document.title.includes(`series ${n}`) || document.body.textContent.includes(`series ${n},`), series)
      .then(() => page.evaluate(watch, [cols, count]));
    const sent = await detector.series(series, rate);
    const painted = await seen;
    await page.waitForSelector(".badge.ready");
    if (series === 1) continue;
    const { drawn } = await page.evaluate(() => window.sluice.stats());
    found.pictures += drawn.image;
    found.seconds += (sent.at(-1) - sent[0]) / 1000;
    // The disk is found on the first four sixteens, which nobody sees before.
    for (let k = 8; k < count; ++k) {
      found.last.push(painted[k] - sent[16 * k + 15]);
      for (let i = 0; i < 16; ++i) found.each.push(painted[k] - sent[16 * k + i]);
    }
  }
  await page.close();
  await viewer.stop();
  server.close();
  return found;
}

async function main() {
  const { values } = parseArgs({
    options: {
      scan: { type: "string", default: "64x64" },
      size: { type: "string", default: "128" },
      rate: { type: "string", default: "500,2000" },
      series: { type: "string", default: "3" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const options = { scan: values.scan.split("x").map(Number), size: Number(values.size), series: Number(values.series) };
  const load = loadavg()[0];
  const tools = await browser();
  const rows = [];
  for (const rate of values.rate.split(",").map(Number)) {
    const found = await measure(tools, options, rate);
    for (const what of ["last", "each"]) {
      const list = found[what];
      const [median, p95, worst] = [0.5, 0.95, 1].map((of) => quantile(list, of));
      rows.push({ rate, what, median, p95, worst, pictures: found.pictures / found.seconds });
    }
  }
  await tools.close();
  const machine = { processor: cpus()[0].model, cores: cpus().length, chromium: tools.version, load };
  if (values.json) return console.log(JSON.stringify({ machine, options, rows }, null, 1));
  console.log(`${machine.processor}, ${machine.cores} cores, Chromium ${machine.chromium}, load ${load.toFixed(1)} at the start`);
  console.log(`${values.scan} points of ${options.size} x ${options.size} uint8, message sent to pixel painted, ms\n`);
  console.log("images/s  from   median     95 %    worst  pictures/s");
  for (const { rate, what, median, p95, worst, pictures } of rows)
    console.log(`${String(rate).padStart(8)}  ${what}  ${[median, p95, worst, pictures].map((v) => v.toFixed(1).padStart(7)).join("  ")}`);
}

await main();
process.exit(0);
