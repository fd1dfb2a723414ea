// Takes the manual's pictures of the viewer: npm run screenshots [-- NAME…].
// SPDX-License-Identifier: Apache-2.0
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv, env, stdout } from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "@playwright/test";
import { writeGold } from "./gold.mjs";
import { writePhantom } from "./phantom.mjs";
import { small } from "./small_png.mjs";
import { ellipsoid, writeStructures } from "./structure_set.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const program = env.SLUICE ?? join(root, "build/release/bin/sluice");
const pictures = join(root, "docs/pictures");
const folder = mkdtempSync(join(tmpdir(), "sluice-pictures-"));
const LARGEST = 200_000;

const synth = (name, ...words) =>
  execFileSync(program, ["synth", "arina", join(folder, name), ...words.join(" ").split(" ")]);

const view = (paths, options = []) => serve("view", ...paths, ...options);

async function serve(...words) {
  const child = spawn(program, [...words, "--port", "0", "--print-url"], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise((resolve) => child.stdout.once("data", (text) => resolve(String(text).trim())));
  return { url, child };
}

const idle = (page) => page.evaluate(() => window.sluice.idle());

async function ready(page) {
  await page.waitForFunction(() => window.sluice?.images()?.step === 1 && window.sluice.pattern());
  await idle(page);
  // The histograms come a moment later.
  await page.waitForTimeout(400);
}

const panel = (page, name) => page.getByRole("application", { name });
const PATTERN = /^Diffraction pattern/;
const IMAGE = /^Virtual image/;

async function at(page, name, [row, col]) {
  const box = await panel(page, name).boundingBox();
  const text = await panel(page, name).locator("svg.overlay > g").getAttribute("transform");
  const [x, y, zoom] = text.match(/-?[\d.]+/g).map(Number);
  return [box.x + x + col * zoom, box.y + y + row * zoom];
}

const click = async (page, name, point) => page.mouse.click(...(await at(page, name, point)));

async function drag(page, name, from, to) {
  await page.mouse.move(...(await at(page, name, from)));
  await page.mouse.down();
  await page.mouse.move(...(await at(page, name, to)), { steps: 6 });
  await page.mouse.up();
  await idle(page);
}

async function choose(page, name, label) {
  await page.getByRole("combobox", { name, exact: true }).selectOption({ label });
  await idle(page);
}

async function menu(page, name, entry) {
  await page.locator("details.menu > summary", { hasText: name }).first().click();
  await page.getByRole("button", { name: entry, exact: true }).click();
  await idle(page);
}

async function preset(page, name) {
  const all = page.getByRole("group", { name: "Presets" });
  await all.getByRole("button", { name, exact: true }).click();
  await idle(page);
}

const MODE = "What the image shows";

/** Names of pictures that are not of the viewer of scans. */
const FILES = { doctor: "doctor", slide: "slide-viewer", volumes: "proton-viewer", structures: "proton-structures" };

/** Each makes its state on a page that shows the scan, or opens what it needs itself. */
const STATES = {
  overview: async ({ page }) => {
    await menu(page, "Add", "Polygon");
    await drag(page, PATTERN, [66, 66], [38, 38]);
    await preset(page, "HAADF");
  },
  light: async ({ page }) => {
    await preset(page, "HAADF");
    await choose(page, "Theme", "Light");
  },
  com: ({ page }) => choose(page, MODE, "CoM, colour wheel"),
  icom: ({ page }) => choose(page, MODE, "iCoM (phase)"),
  fft: async ({ page }) => {
    await page.getByRole("button", { name: "FFT" }).click();
    await idle(page);
    await page.waitForTimeout(300);
    await click(page, /^Fourier transform/, [64, 64 + 11]);
  },
  region: async ({ page }) => {
    await menu(page, "Region", "Polygon");
    await drag(page, IMAGE, [66, 68], [40, 86]);
    await choose(page, "Of the region's frames", "mean");
  },
  profile: async ({ page }) => {
    await preset(page, "HAADF");
    await page.locator(".panel.of-image").getByRole("button", { name: /Profile/ }).click();
    await drag(page, IMAGE, [64, Math.round(0.15 * 127)], [48, 8]);
    await drag(page, IMAGE, [64, Math.round(0.85 * 127)], [48, 116]);
    await page.getByRole("spinbutton", { name: "Width" }).fill("5");
    await page.getByRole("spinbutton", { name: "Width" }).press("Enter");
  },
  calibration: async ({ page }) => {
    await page.getByRole("button", { name: "Calibration" }).click();
  },
  display: async ({ page }) => {
    const image = page.locator(".panel.of-image");
    await image.locator("summary", { hasText: "Display" }).click();
    await image.getByRole("combobox", { name: "Colours" }).selectOption("meadow");
    await image.getByRole("slider", { name: "Lowest value shown" }).press("Shift+ArrowRight");
    await image.locator("summary", { hasText: "Display" }).click();
    await idle(page);
  },
  help: ({ page }) => page.keyboard.press("?"),
  live: async ({ page }) => {
    const address = "tcp://127.0.0.1:31001";
    const send = (...words) =>
      spawn(program, ["synth", "stream", "dectris-v2", join(folder, "scan_master.h5"), "--bind", address, ...words]);
    const { url, child } = await view([address]);
    await page.goto(url);
    const first = send("--rate", "20000", "--buffer", "20000");
    await page.waitForSelector(".badge.ready");
    await new Promise((done) => (first.exitCode === null ? first.once("exit", done) : done()));
    const second = send("--rate", "1000", "--drop", "0.002");
    second.once("exit", () => undefined);
    await page.waitForSelector(".badge.live");
    await preset(page, "ADF");
    await page.waitForFunction(
      () => (window.sluice.images()?.images[0].values.filter((v) => v === v).length ?? 0) > 6500,
    );
    await page.waitForTimeout(700);
    setTimeout(() => second.kill(), 3000);
    return child;
  },
  disks: async ({ page }) => {
    const crystal =
      "synthetic:crystal?scan=48x64&detector=160x160&disk_radius=7&g1=30,4&g2=-4,29&dose=20000&" +
      "field=gradient&strain=0.02,-0.01,0.006,1";
    const { url, child } = await view([crystal]);
    await page.goto(url);
    await ready(page);
    await page.getByRole("button", { name: "Disks", exact: true }).click();
    await idle(page);
    await page.getByRole("button", { name: "Find disks and strain" }).click();
    await page.waitForFunction(() => window.sluice.strain());
    const box = await panel(page, /^Map of e_yy/).boundingBox();
    await page.mouse.move(box.x + 0.3 * box.width, box.y + 0.45 * box.height);
    return child;
  },
  orientation: async ({ page }) => {
    const [scan, cif] = [join(folder, "gold.npy"), join(folder, "gold.cif")];
    const grains = [
      [4, 5, 10, 20, 30],
      [3, 20, 200, 35, 5],
      [14, 12, 77, 50, 40],
      [18, 28, 300, 12, 80],
      [8, 32, 140, 41, 22],
      [20, 3, 250, 30, 61],
    ].map(([row, col, ...angles]) => ({ at: [row, col], angles }));
    writeGold(scan, cif, { scan: [24, 36], grains });
    const { url, child } = await view([scan], ["--crystal", cif]);
    await page.goto(url);
    await ready(page);
    await page.getByRole("button", { name: "Disks", exact: true }).click();
    await idle(page);
    const energy = page.getByRole("spinbutton", { name: "Energy" });
    await energy.fill("300");
    await energy.press("Enter");
    await page.getByRole("button", { name: "Find disks and orientations" }).click();
    await page.waitForFunction(() => window.sluice.orientation());
    await click(page, IMAGE, [13, 12]);
    await idle(page);
    return child;
  },
  // Its numbers are those of this machine, and others each time.
  doctor: async ({ page }) => {
    const { url, child } = await serve("doctor", "--folder", folder, "--view");
    await page.setViewportSize({ width: 1060, height: 900 });
    await page.goto(url);
    await page.getByRole("heading", { name: /wrong/ }).waitFor();
    return child;
  },
  slide: async ({ page }) => {
    const path = join(folder, "section.czi");
    const words = "--grid 6x6 --tile 512 --pixel gray16 --compression zstd1 --pyramid --channels 3 --slices 5";
    execFileSync(program.replace(/sluice$/, "make_czi"), [path, ...words.split(" ")]);
    const { url, child } = await view([path]);
    await page.setViewportSize({ width: 1060, height: 680 });
    await page.goto(url);
    await page.waitForFunction(() => window.slide);
    await page.evaluate(() => window.slide.idle());
    await page.evaluate(() => window.slide.setView({ zoom: 4, center: [1650, 1900] }));
    await page.mouse.move(500, 420);
    await page.evaluate(() => window.slide.idle());
    return child;
  },
  structures: async ({ page }) => {
    const paths = [join(folder, "ct.mha"), join(folder, "dose.mha")];
    writePhantom(...paths);
    const organs = [
      ellipsoid("PTV", "PTV", [15, 0, -8], [17, 14, 18], 3, -90),
      ellipsoid("Cord", "ORGAN", [0, 62, -8], [7, 6, 80], 3, -90),
      ellipsoid("Lung left", "ORGAN", [60, -5, 20], [38, 55, 68], 3, -90),
      ellipsoid("Lung right", "ORGAN", [-60, -5, 20], [38, 55, 68], 3, -90),
    ];
    const { url, child } = await view([...paths, writeStructures(join(folder, "RS.dcm"), organs)]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${url}#plot=histogram`);
    await page.waitForFunction(() => window.volumes);
    await page.evaluate(() => window.volumes.idle());
    return child;
  },
  volumes: async ({ page }) => {
    const paths = [join(folder, "ct.mha"), join(folder, "dose.mha")];
    writePhantom(...paths);
    const { url, child } = await view(paths);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${url}#along=1`);
    await page.waitForFunction(() => window.volumes);
    await page.evaluate(() => window.volumes.idle());
    return child;
  },
  path: async ({ page }) => {
    await page.getByText("Path animation").click();
    await page.getByRole("button", { name: "Draw path" }).click();
    for (const point of [[20, 20], [20, 100], [60, 100], [60, 30]]) await click(page, IMAGE, point);
    await page.getByRole("button", { name: "Draw path" }).click();
    await page.getByRole("slider", { name: "At" }).fill("110");
    await idle(page);
  },
  compare: async ({ page, servers }) => {
    await page.goto(servers.series.url);
    await ready(page);
    await page.waitForFunction(() => document.querySelectorAll(".dot.ready").length === 6);
    await page.getByRole("button", { name: "Compare" }).click();
    await idle(page);
    const box = await panel(page, /^series_0001/).boundingBox();
    await page.mouse.move(box.x + 0.6 * box.width, box.y + 0.4 * box.height);
  },
  frames: async ({ page, servers }) => {
    await page.goto(servers.series.url);
    await ready(page);
    await page.waitForFunction(() => document.querySelectorAll(".dot.ready").length === 6);
    await page.getByText("About this dataset").click();
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.waitForFunction(() => document.querySelector(".frame-slider input").value === "3");
  },
  loading: async ({ page }) => {
    const { url, child } = await view([join(folder, "large_master.h5")], ["--threads", "1"]);
    await page.goto(url);
    await page.waitForFunction(() => window.sluice?.images()?.step > 1);
    await page.waitForFunction(() => document.querySelector("progress")?.value > 20);
    return child;
  },
  disconnected: async ({ page }) => {
    const { url, child } = await view([join(folder, "scan_master.h5")]);
    await page.goto(url);
    await ready(page);
    child.kill();
    await page.getByRole("alertdialog").waitFor();
  },
  notebook: async ({ page, servers }) => {
    const frame = `<iframe src="${servers.scan.url}" width="900" height="600"></iframe>`;
    const text = `<!doctype html><title>Notebook</title><style>
      body { font: 15px/1.5 sans-serif; margin: 24px; background: #fff; }
      pre { background: #f3f4f6; padding: 8px 12px; } iframe { border: 1px solid #ccc; }</style>
      <pre>from IPython.display import IFrame\nIFrame(url, 900, 600)</pre>${frame}`;
    await page.setViewportSize({ width: 960, height: 750 });
    const host = createServer((_, answer) => {
      answer.setHeader("content-type", "text/html");
      answer.end(text);
    });
    await new Promise((listens) => host.listen(0, "127.0.0.1", listens));
    await page.goto(`http://localhost:${host.address().port}/`);
    host.close();
    const inner = page.frames()[1];
    await inner.waitForFunction(() => window.sluice?.images()?.step === 1);
    await inner.evaluate(() => window.sluice.idle());
    await page.waitForTimeout(400);
  },
  report: async ({ page }) => {
    await choose(page, MODE, "iCoM (phase)");
    await page.locator("summary", { hasText: "Export" }).click();
    await page.getByRole("button", { name: "HTML report…" }).click();
    await page.getByRole("textbox", { name: "Notes for the reader" }).fill("Area 3, after the second tilt.");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save report" }).click(),
    ]);
    const file = join(folder, "report.html");
    await download.saveAs(file);
    await page.setViewportSize({ width: 1000, height: 1100 });
    await page.goto(pathToFileURL(file).href);
  },
};

/** One picture; pictures that are too large for the repository are an error. */
async function take(browser, servers, name) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    colorScheme: "dark",
    acceptDownloads: true,
  });
  const page = await context.newPage();
  await page.goto(servers.scan.url);
  await ready(page);
  const child = await STATES[name]({ page, servers });
  await page.waitForTimeout(300);
  const path = join(pictures, `${FILES[name] ?? `viewer-${name}`}.png`);
  const bytes = await small(context, await page.screenshot());
  writeFileSync(path, bytes);
  child?.kill();
  await context.close();
  stdout.write(`${path}: ${Math.round(bytes.length / 1000)} kB\n`);
  return bytes.length;
}

mkdirSync(pictures, { recursive: true });
const lattice = "--lattice 12 --detector 128x128 --wobble 0.1";
synth("scan", `--scan 128x128 ${lattice} --dose 12000`);
synth("series", `--scan 96x96 ${lattice} --dose 12000 --series 6`);
synth("large", `--scan 256x256 ${lattice} --dose 2000 --compression gzip`);
const servers = {
  scan: await view([join(folder, "scan_master.h5")]),
  series: await view([join(folder, "series")]),
};
const browser = await chromium.launch({
  executablePath: env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
const names = argv.slice(2);
try {
  for (const name of names.length > 0 ? names : Object.keys(STATES))
    if ((await take(browser, servers, name)) > LARGEST) process.exitCode = 1;
} finally {
  await browser.close();
  for (const { child } of Object.values(servers)) child.kill();
  rmSync(folder, { recursive: true, force: true });
}
