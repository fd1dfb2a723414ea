#!/usr/bin/env node
// Measures the viewer in a browser: how soon what one does is seen.
// SPDX-License-Identifier: Apache-2.0
import { availableParallelism, cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { browser, scan, series, view, weight } from "./program.mjs";
import { answered, around, median, moves, placeOf, quantile, ready } from "./steps.mjs";

const HELP = `Measures the viewer's page in headless Chromium.

    node bench/viewer/run.mjs [--data MASTER] [--runs N] [--threads N] [--layout L] [--json]

"Painted" is the first task after the animation frame that shows the new picture. Latencies begin
with the time stamp of the pointer's or key's event. Pointer events come through the browser's
debugging protocol: pointermove waits for its next frame as that of a mouse does (16.7 ms at 60 Hz).
Needs npm's packages in page/ (./dev build), Chromium (or CHROMIUM), and SLUICE or a release build.`;

/** Milliseconds from single moves of a drag to the picture. */
async function latencies(...drag) {
  return (await moves(...drag)).map(({ event, painted }) => painted - event);
}

/** A drag with 120 events a second: pictures per second, and how the page's thread did. */
async function drag(page, place, slot, radius, seconds) {
  const session = await page.context().newCDPSession(page);
  const { mouse } = page;
  await mouse.move(place.x, place.y);
  await mouse.down();
  await page.evaluate(() => window.sluice.reset());
  const watched = page.evaluate(
    ([name, ms]) => window.bench.watch(name, ms),
    [slot, seconds * 1000],
  );
  let i = 0;
  const send = () => {
    const { x, y } = around(place, ++i / 12, radius);
    const event = { type: "mouseMoved", x, y, button: "left", buttons: 1 };
    session.send("Input.dispatchMouseEvent", event).catch(() => undefined);
  };
  const timer = setInterval(send, 1000 / 120);
  const result = await watched;
  clearInterval(timer);
  const stats = await page.evaluate(() => window.sluice.stats());
  await mouse.up();
  await page.evaluate(() => window.sluice.idle());
  await session.detach();
  const drawn = stats.latencies[slot];
  return { ...result, events: i / seconds, median: median(drawn), p95: quantile(drawn, 0.95) };
}

/** Milliseconds from the key to the image and pattern of another frame, for each key. */
async function switches(page, keys) {
  const list = [];
  for (const key of keys)
    list.push(await answered(page, ["image", "pattern"], () => page.keyboard.press(key)));
  return list.map(({ event, painted }) => painted - event);
}

async function measureScan(tools, options) {
  const server = await view([options.data], options.threads, options.layout);
  const page = await tools.page();
  await ready(page, server.url);
  const pattern = await placeOf(page, /^Diffraction pattern/);
  const image = await placeOf(page, /^Virtual image/);
  const detector = await latencies(page, pattern, "image", 12, 65);
  const bright = await drag(page, pattern, "image", 12, 5);
  const probe = await latencies(page, image, "pattern", 60, 65);
  const walk = await drag(page, image, "pattern", 60, 3);
  await page.close();
  await server.stop();
  return { detector, bright, probe, walk };
}

async function measureSeries(tools, options) {
  const server = await view([series()], options.threads);
  const page = await tools.page();
  await ready(page, server.url);
  await page.waitForFunction(() => document.querySelectorAll(".dot.ready").length === 10);
  await page.locator("h1").click();
  const first = await switches(page, Array(9).fill("]"));
  const again = await switches(page, Array(30).fill("["));
  await page.close();
  await server.stop();
  return { first, again };
}

async function measureStart(tools, options) {
  const page = await tools.page();
  await page.goto("about:blank");
  const server = await view([options.data], options.threads, options.layout);
  const listening = performance.timeOrigin + performance.now();
  await page.goto(server.url, { waitUntil: "commit" });
  const { at, step } = await page.evaluate(() => window.bench.first());
  await page.waitForFunction(() => window.sluice?.images()?.step === 1, null, { timeout: 120_000 });
  await page.evaluate(() => window.sluice.idle());
  const whole = await page.evaluate(() => performance.timeOrigin + performance.now());
  await page.close();
  await server.stop();
  return { first: at - server.begun, step, listening: listening - server.begun, whole: whole - server.begun };
}

async function measureWeight(tools, options) {
  const server = await view([options.data], options.threads, options.layout);
  const page = await tools.page();
  const bytes = await weight(page, server.url);
  await page.close();
  await server.stop();
  return bytes;
}

/** Rows of the table: name, value, unit, must, stretch, and whether more is better. */
function rows({ scans, series: frames, starts, bytes }) {
  const over = (of) => median(scans.map(of));
  const each = (of) => median(frames.map(of));
  return [
    ["detector drag: event to image painted, median", over((s) => median(s.detector)), "ms", 60, 25],
    ["the same, 95 %", over((s) => quantile(s.detector, 0.95)), "ms", 120, 50],
    ["dragging BF, 120 events/s: images painted", over((s) => s.bright.rate), "/s", 20, 40, true],
    ["  event to image on the canvas, median", over((s) => s.bright.median), "ms"],
    ["  the same, 95 %", over((s) => s.bright.p95), "ms"],
    ["  longest task of the page's thread", over((s) => s.bright.longest), "ms (0: none over 50)", 50, 50],
    ["  longest time between two frames", over((s) => s.bright.gap), "ms"],
    ["probe drag: event to pattern painted, median", over((s) => median(s.probe)), "ms", 30, 16],
    ["the same, 95 %", over((s) => quantile(s.probe, 0.95)), "ms"],
    ["  event to pattern on the canvas, 120 events/s", over((s) => s.walk.median), "ms"],
    ["5-D frame switch, first visit, median", each((s) => median(s.first)), "ms", 60, 20],
    ["the same, slowest", each((s) => Math.max(...s.first)), "ms"],
    ["5-D frame switch, again, median", each((s) => median(s.again)), "ms", 60, 20],
    ["the same, 95 %", each((s) => quantile(s.again, 0.95)), "ms"],
    ["first useful image after the start", median(starts.map((s) => s.first)) / 1000, "s", 2, 0.5],
    ["  until the server listens", median(starts.map((s) => s.listening)) / 1000, "s"],
    ["  until the whole scan is shown", median(starts.map((s) => s.whole)) / 1000, "s"],
    ["weight of the page, as sent", bytes / 1000, "kB", 500, 250],
  ].map(([what, value, unit, must, stretch, more]) => ({ what, value, unit, must, stretch, more }));
}

function verdict({ value, must, stretch, more }) {
  if (must === undefined) return "";
  const meets = (limit) => (more ? value >= limit : value <= limit);
  return meets(stretch) ? "stretch met" : meets(must) ? "must met" : "MISSED";
}

function print(list) {
  const width = Math.max(...list.map((row) => row.what.length));
  console.log(`${"what".padEnd(width)}  ${"measured".padStart(9)}  ${"must".padStart(6)}  ${"stretch".padStart(7)}`);
  for (const row of list) {
    const value = row.value.toPrecision(3);
    const goals = [row.must ?? "", row.stretch ?? ""].map(String);
    console.log(
      `${row.what.padEnd(width)}  ${value.padStart(9)}  ${goals[0].padStart(6)}  ` +
        `${goals[1].padStart(7)}  ${row.unit}  ${verdict(row)}`,
    );
  }
}

async function main() {
  const { values } = parseArgs({
    options: {
      data: { type: "string" },
      runs: { type: "string", default: "3" },
      threads: { type: "string", default: String(availableParallelism()) },
      layout: { type: "string", default: "auto" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const options = { ...values, data: values.data ?? scan(), runs: Number(values.runs) };
  const load = loadavg()[0];
  const tools = await browser();
  const found = { scans: [], series: [], starts: [], bytes: 0 };
  for (let run = 0; run < options.runs; ++run) {
    for (let i = 0; i < 2; ++i) found.starts.push(await measureStart(tools, options));
    found.scans.push(await measureScan(tools, options));
    found.series.push(await measureSeries(tools, options));
  }
  found.bytes = await measureWeight(tools, options);
  await tools.close();
  const list = rows(found);
  const machine = {
    processor: cpus()[0].model,
    threads: Number(options.threads),
    chromium: tools.version,
    load,
    runs: options.runs,
  };
  if (values.json) return console.log(JSON.stringify({ machine, rows: list, raw: found }, null, 1));
  const { processor, threads, chromium } = machine;
  console.log(`${processor}, ${threads} threads, Chromium ${chromium}, load ${load.toFixed(1)} at the start`);
  console.log(`medians of ${options.runs} runs; ${options.data}\n`);
  print(list);
}

await main();
