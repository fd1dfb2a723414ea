// The doctor's page in a browser: a fake machine's report, and runs on this machine.
// SPDX-License-Identifier: Apache-2.0
import type { BrowserContext, Page } from "@playwright/test";
import { toldReport } from "../src/doctor/test_report";
import { expect, test } from "./fixtures";
import { type Server, serveBy } from "./program";

// Every measurement waits for its turn where other tests have the processors.
const LONG = { timeout: 100_000 };

let server: Server;
test.beforeAll(async ({ data }) => {
  server = await serveBy("doctor", "--quick", "--folder", data.folder, "--view");
});
test.afterAll(() => server?.stop());

/** A page whose server's report is replaced by that of a machine that there is not. A route stays
 *  as long as its page, so this is a page of its own. */
async function onAnotherMachine(context: BrowserContext, report: object): Promise<Page> {
  const page = await context.newPage();
  await page.routeWebSocket(/\/live\?/, (socket) => {
    const line = socket.connectToServer();
    line.onMessage((data) => {
      const message = JSON.parse(String(data));
      socket.send(JSON.stringify(message.op === "hello" ? { ...message, report } : message));
    });
  });
  await page.goto(server.url);
  return page;
}

async function expectNothingCutOff(page: Page): Promise<void> {
  const wide = await page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll("main, main section, main table")]
      .filter((one) => one.scrollWidth > one.clientWidth + 1)
      .map((one) => `${one.tagName} ${one.scrollWidth} > ${one.clientWidth}`),
  );
  expect(wide).toEqual([]);
}

test("a sick machine's findings come first, in words, and its numbers beside what they should be", async ({ context }) => {
  const page = await onAnotherMachine(context, toldReport());
  await expect(page.getByRole("heading", { level: 2 }).first()).toHaveText("2 things are wrong.");
  const findings = page.getByRole("listitem");
  await expect(findings).toHaveCount(2);
  await expect(findings.first()).toContainText("The disk of /data reads 50 MB/s in order.");
  await expect(findings.first()).toContainText("What to do: Copy the data to a local SSD first.");
  const disk = page.getByRole("table", { name: "Disk, with and without the cache" });
  const slow = disk.getByRole("row", { name: /^reading in order/ });
  await expect(slow).toContainText("50 MB/s lower than it should be");
  await expect(slow).toContainText("at least 100 MB/s");
  const cores = page.getByRole("table", { name: "All threads beside one thread" });
  await expect(cores.getByRole("row", { name: /computing/ })).toContainText("1.5 × with 4 threads");
  await expect(page.getByRole("row", { name: /^quota/ })).toContainText("at least 4");
  await expect(page.getByRole("row", { name: /^instruction sets/ })).toContainText("avx2; no AMX");
  for (const name of ["Limits of the container or the batch job", "Noise", "Instruction sets", "GPU"])
    await expect(page.getByRole("region", { name, exact: true })).toBeVisible();
  // The slow disk's bar is a hundredth of the cache's, and red.
  const width = (row: string): Promise<number> =>
    disk.getByRole("row", { name: row }).locator("rect.value").evaluate((one) => one.getBoundingClientRect().width);
  expect((await width("reading from the cache")) / (await width("reading in order"))).toBeCloseTo(100, -1);
  await expect(slow.locator(".bar.low")).toHaveCount(1);
  for (const size of [1000, 1600, 390]) {
    await page.setViewportSize({ width: size, height: 900 });
    await expectNothingCutOff(page);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const theme of ["Light", "Dark"]) {
    await page.getByRole("combobox", { name: "Theme" }).selectOption(theme);
    await expect(slow).toHaveCSS("color", theme === "Light" ? "rgb(29, 33, 41)" : "rgb(228, 231, 236)");
  }
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save JSON" }).click();
  expect((await saved).suggestedFilename()).toBe("machine.json");
});

test("a well machine has nothing wrong", async ({ context }) => {
  const page = await onAnotherMachine(context, toldReport({ findings: [] }));
  await expect(page.getByRole("heading", { level: 2 }).first()).toHaveText("Nothing is wrong that these rules know.");
  await expect(page.getByText("What to do")).toBeHidden();
});

test("this machine is measured again, one run at a time, and a run is stopped", async ({ page, context, allow }) => {
  test.slow();
  allow(/ERR_CONNECTION|WebSocket|Failed to load/);
  await page.goto(server.url);
  await expect(page.getByText(/^Quick examination of/)).toBeVisible();
  const other = await context.newPage();
  await other.goto(server.url);
  const before = await page.getByText(/^Quick examination of/).textContent();
  await page.getByRole("button", { name: "Measure again, quickly" }).click();
  await expect(other.getByRole("progressbar", { name: "Steps done" })).toBeVisible();
  await expect(other.getByText(/^Quick examination: step \d of 7, /)).toBeVisible();
  await expect(other.getByRole("button", { name: "Measure again, fully" })).toBeDisabled();
  await other.keyboard.press("f");
  await expect(other.getByText("two at a time disturb each other").first()).toBeVisible();
  await expect(page.getByRole("progressbar")).toBeHidden(LONG);
  await expect(page.getByText(/^Quick examination of/)).not.toHaveText(before!);
  await expect(page.getByRole("row", { name: /^reading from the cache/ }).first()).toContainText(/B\/s/);
  // The other page stops what this one began.
  await page.getByRole("button", { name: "Measure again, fully" }).click();
  await other.getByRole("button", { name: "Stop measuring" }).click(LONG);
  await expect(page.getByText("The examination was stopped.")).toBeVisible(LONG);
  await expect(page.getByText(/^Quick examination of/)).toBeVisible();
  await other.close();
  await server.stop();
  await expect(page.getByText("The program that measures is gone.")).toBeVisible();
  await expect(page.getByText(/^Quick examination of/)).toBeVisible();
});
