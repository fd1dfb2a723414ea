// The page as a notebook shows it: its module in a bare page, and Python behind the comm.
// SPDX-License-Identifier: Apache-2.0
import { expect, type Frame, type Page, test } from "@playwright/test";
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sluice } from "./program";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const PYTHON = at("../../build/python-venv/bin/python");
const PACKAGE = at("../../build/release/python");
const SCAN = "synthetic:stem4d?scan=16x20&detector=32x32&seed=2";

interface Message {
  content: { op?: string; value?: unknown; module?: string };
  buffers: string[];
}

class Kernel {
  private readonly process: ChildProcess;
  private readonly waiting: ((message: Message) => void)[] = [];
  hear: (message: Message) => void = () => undefined;

  constructor(shown: string) {
    const words = [`PYTHONPATH=${PACKAGE}`, PYTHON, at("notebook_kernel.py"), shown];
    this.process = spawn("env", words);
    this.process.stderr.setEncoding("utf8");
    this.process.stderr.on("data", () => undefined);
    this.process.stdout.setEncoding("utf8");
    let rest = "";
    this.process.stdout.on("data", (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      lines.forEach((line) => this.take(JSON.parse(line)));
    });
  }

  private take(message: Message): void {
    const { op } = message.content;
    if (op === "module" || op === "value") this.waiting.shift()?.(message);
    else this.hear(message);
  }

  say(message: object): void {
    this.process.stdin.write(`${JSON.stringify(message)}\n`);
  }

  own(): Promise<Message> {
    return new Promise((heard) => this.waiting.push(heard));
  }

  async get(name: string): Promise<unknown> {
    const heard = this.own();
    this.say({ get: name });
    return (await heard).content.value;
  }

  stop(): void {
    this.process.kill();
  }
}

/** What anywidget does: a model that sends and hears, and the module's render. */
const BARE = `<!doctype html><div id="cell"></div><script type="module">
const hearers = [];
const decode = (text) => new DataView(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
const encode = (buffer) => btoa(Array.from(new Uint8Array(buffer), (c) => String.fromCharCode(c)).join(""));
window.fromKernel = ({ content, buffers }) =>
  hearers.forEach((call) => call(content, buffers.map(decode)));
const model = {
  get: () => 600,
  on: (event, call) => event === "msg:custom" && hearers.push(call),
  off: () => undefined,
  send: (content, _, buffers = []) => window.toKernel({ content, buffers: buffers.map(encode) }),
};
const { default: widget } = await import("/module.js");
widget.render({ model, el: document.getElementById("cell") });
</script>`;

async function show(page: Page, kernel: Kernel): Promise<Frame> {
  const { module = "" } = (await kernel.own()).content;
  await page.route("http://notebook.test/**", (route) =>
    route.request().url().endsWith("module.js")
      ? route.fulfill({ contentType: "text/javascript", body: module })
      : route.fulfill({ contentType: "text/html", body: BARE }),
  );
  await page.exposeFunction("toKernel", (message: object) => kernel.say(message));
  await page.goto("http://notebook.test/");
  // In order, as a comm's messages are.
  let last = Promise.resolve();
  kernel.hear = (message) => {
    last = last.then(() =>
      page.evaluate((one) => (window as unknown as { fromKernel(m: unknown): void }).fromKernel(one), message),
    ).catch(() => undefined);
  };
  const frame = await (await page.waitForSelector("iframe"))?.contentFrame();
  if (!frame) throw new Error("there is no frame");
  return frame;
}

const shown = (frame: Frame): Promise<number[] | undefined> =>
  frame.evaluate(async () => {
    await window.sluice?.idle();
    return window.sluice?.images()?.images[0]?.values;
  });

test("a notebook shows the page, and Python sees what is set in it", async ({ page }) => {
  test.skip(!existsSync(PACKAGE) || !existsSync(PYTHON), "the Python package is not built");
  const kernel = new Kernel(SCAN);
  try {
    const frame = await show(page, kernel);
    await frame.waitForFunction(() => window.sluice?.images()?.step === 1);
    const image = async (): Promise<unknown> => ((await kernel.get("image")) as number[][]).flat();
    expect(await image()).toEqual(await shown(frame));
    // A drag moves the detector, here and in Python.
    const before = JSON.stringify(await kernel.get("detectors"));
    const box = await frame.locator("canvas").first().boundingBox();
    if (!box) throw new Error("there is no panel");
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 40, y + 20, { steps: 5 });
    await page.mouse.up();
    await expect.poll(async () => JSON.stringify(await kernel.get("detectors"))).not.toBe(before);
    await expect.poll(async () => (await image())).toEqual(await shown(frame));
    // What Python sets is shown.
    kernel.say({ set: { probe: [3, 7], source: "probe", detectors: ["haadf"] } });
    const place = (): Promise<string | undefined> =>
      frame.evaluate(() => window.sluice?.pattern()?.source);
    await expect.poll(place).toBe("probe");
    expect(await image()).toEqual(await shown(frame));
    kernel.say({ free: true });
    await expect(frame.getByText("are not in memory any more")).toBeVisible({ timeout: 10_000 });
  } finally {
    kernel.stop();
  }
});

test("a notebook shows a finished reconstruction, and keeps its picture", async ({ page }) => {
  test.skip(!existsSync(PACKAGE) || !existsSync(PYTHON), "the Python package is not built");
  const folder = mkdtempSync(join(tmpdir(), "sluice-notebook-"));
  sluice("synth", "arina", join(folder, "si"), "--scan", "8x8", "--detector", "64x64", "--dose", "4000");
  sluice(
    "stem4d", "ptychography", join(folder, "si_master.h5"), "--energy", "300", "--scan-step-nm",
    "0.02", "--iterations", "2", "--format", "hdf5", "--out", join(folder, "done"),
  );
  const kernel = new Kernel(join(folder, "done"));
  try {
    const frame = await show(page, kernel);
    await frame.waitForFunction(() => window.monitor?.objectIteration() === 2);
    await expect(frame.getByText(/^Finished result: 2 iterations/).first()).toBeVisible();
    await expect.poll(async () => Boolean(await kernel.get("png"))).toBe(true);
    // "\x89PNG" in base64.
    expect(String(await kernel.get("png"))).toMatch(/^iVBORw0KGgo/);
    kernel.say({ free: true });
    await expect(frame.getByText("are not in memory any more")).toBeVisible({ timeout: 10_000 });
  } finally {
    kernel.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
