#!/usr/bin/env node
// Measures where the time of a drag goes, from the pointer's event to the painted picture.
// SPDX-License-Identifier: Apache-2.0
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { floorOf } from "./floor.mjs";
import { partsHarness } from "./parts_harness.mjs";
import { browser, scan, view } from "./program.mjs";
import { answered, around, median, placeOf, quantile, ready } from "./steps.mjs";

const HELP = `Measures the parts of a drag, and what the browser needs for an empty page.

    node bench/viewer/parts.mjs [--data MASTER] [--count N] [--threads N] [--layout L]

Medians of single moves. The parts of one move add up; their medians need not.`;

/** From one mark to the next, as they follow each other. */
const PARTS = [
  ["event reaches the page's script", "event", "handled"],
  ["request is sent", "handled", "sent"],
  ["answer is received", "sent", "received"],
  ["picture is on the canvas", "received", "drawn"],
  ["next frame of the browser begins", "drawn", "frame"],
  ["it is painted", "frame", "painted"],
  ["all of it", "event", "painted"],
];

async function drag(page, place, slot, radius, count) {
  const { mouse } = page;
  await mouse.move(place.x, place.y);
  await mouse.down();
  const list = [];
  for (let i = 0; i < count + 5; ++i) {
    const { x, y } = around(place, i, radius);
    await page.evaluate(() => window.parts.begin());
    const { frame, painted } = await answered(page, [slot], () => mouse.move(x, y));
    list.push({ ...(await page.evaluate(() => window.parts.marks())), frame, painted });
  }
  await mouse.up();
  await page.evaluate(() => window.sluice.idle());
  return list.slice(5).filter((one) => one.drawn);
}

function print(title, list) {
  console.log(`\n${title} (${list.length} moves, ${list[0].bytes} bytes an answer)`);
  const row = (what, values) => {
    const [mid, most] = [median(values), quantile(values, 0.95)];
    console.log(`  ${what.padEnd(40)} ${mid.toFixed(1).padStart(6)} ${most.toFixed(1).padStart(6)}`);
  };
  for (const [what, from, to] of PARTS) {
    row(what, list.map((one) => one[to] - one[from]));
    if (to === "received") row("  of that computed", list.map((one) => one.computed));
  }
}

async function main() {
  const { values } = parseArgs({
    options: {
      data: { type: "string" },
      count: { type: "string", default: "60" },
      threads: { type: "string", default: String(availableParallelism()) },
      layout: { type: "string", default: "auto" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const tools = await browser(partsHarness);
  console.log("milliseconds, median and 95 %; an empty page, from the event until it is painted");
  for (const delay of [0, 4, 12]) {
    const list = await floorOf(tools, delay);
    const when = delay === 0 ? "in the event itself" : `${delay} ms later`;
    console.log(`  drawing ${when}: ${median(list).toFixed(1)} ${quantile(list, 0.95).toFixed(1)}`);
  }
  const server = await view([values.data ?? scan()], values.threads, values.layout);
  const page = await tools.page();
  await ready(page, server.url);
  const pattern = await placeOf(page, /^Diffraction pattern/);
  const image = await placeOf(page, /^Virtual image/);
  const count = Number(values.count);
  print("detector drag", await drag(page, pattern, "image", 12, count));
  print("probe drag", await drag(page, image, "pattern", 60, count));
  await tools.close();
  await server.stop();
}

await main();
