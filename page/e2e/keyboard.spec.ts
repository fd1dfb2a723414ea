// Without a mouse and without eyes: order of focus, names, announcements, dialogs.
// SPDX-License-Identifier: Apache-2.0
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { type Server, serve } from "./program";

let server: Server;
test.beforeAll(async ({ data }) => {
  server = await serve([data.scan, data.series]);
});
test.afterAll(() => server?.stop());

interface Stop {
  what: string;
  place: string;
  visible: boolean;
}

/** What has the focus: its role or tag with its text, where it is, and whether one sees it. */
function focused(page: Page): Promise<Stop> {
  return page.evaluate(() => {
    const one = document.activeElement!;
    const role = one.getAttribute("role") ?? one.tagName.toLowerCase();
    const text = one.getAttribute("aria-label") ?? (one.textContent ?? "").trim();
    const style = getComputedStyle(one);
    const ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
    const box = one.getBoundingClientRect();
    const place = one.closest("header.top, main, aside")?.tagName.toLowerCase() ?? "";
    const visible = (ring || style.boxShadow !== "none") && box.width > 0 && box.height > 0;
    return { what: `${role} ${text}`.slice(0, 60), place, visible };
  });
}

test("Tab goes through header, images and settings, and one sees where", async ({ viewer, page }) => {
  await viewer.open(server.url);
  const stops: Stop[] = [];
  for (let i = 0; i < 120; ++i) {
    await page.keyboard.press("Tab");
    const now = await focused(page);
    if (now.what.startsWith("body")) break;
    stops.push(now);
  }
  const hidden = stops.filter((stop) => !stop.visible).map((stop) => stop.what);
  expect(hidden, "focus that one does not see").toEqual([]);
  expect(stops[0]!.what).toBe("a Skip to the images");
  const places = stops.map((stop) => stop.place).filter((place, i, all) => place && place !== all[i - 1]);
  expect(places).toEqual(["header", "main", "aside"]);
  const reached = stops.map((stop) => stop.what).join("\n");
  for (const wanted of [
    "application Diffraction pattern",
    "application Virtual image",
    "slider Lowest value shown",
    "summary Export",
    "button Calibration",
    "summary Add",
  ])
    expect(reached).toContain(wanted);
});

test("the link past the header leads to the images", async ({ viewer, page }) => {
  await viewer.open(server.url);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  expect((await focused(page)).place).toBe("main");
});

/** Everything that can be operated, by the browser's own accessibility tree. */
async function nameless(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  const roles = /^(button|checkbox|combobox|slider|spinbutton|textbox|radio|link|application|img|dialog|DisclosureTriangle)$/;
  return nodes
    .filter((node) => !node.ignored && roles.test(String(node.role?.value)))
    .filter((node) => String(node.name?.value ?? "").trim() === "")
    .map((node) => String(node.role?.value));
}

test("everything has a name", async ({ viewer, page }) => {
  await viewer.open(server.url);
  await viewer.choose("What the image shows", "iCoM (phase)");
  await viewer.menu("Region", "Square");
  await page.getByRole("button", { name: "FFT" }).click();
  for (const closed of ["Path animation", "About this dataset"]) await page.getByText(closed).click();
  for (const panel of [".of-pattern", ".of-image", ".of-fft"]) {
    await page.locator(`${panel} summary`, { hasText: "Display" }).click();
    expect(await nameless(page)).toEqual([]);
  }
  await page.getByRole("button", { name: "Calibration" }).click();
  expect(await nameless(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Compare" }).click();
  expect(await nameless(page)).toEqual([]);
});

test("help opens by ?, holds the focus and gives it back", async ({ viewer, page }) => {
  await viewer.open(server.url);
  await viewer.panel("image").focus();
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Help" });
  await expect(dialog).toBeVisible();
  for (let i = 0; i < 5; ++i) {
    await page.keyboard.press("Tab");
    const outside = await page.evaluate(() => {
      const one = document.activeElement;
      return one !== document.body && one?.closest("dialog") === null;
    });
    expect(outside).toBe(false);
  }
  await expect(dialog.getByRole("row")).not.toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(viewer.panel("image")).toBeFocused();
});

test("presets, frames and menus by keys only", async ({ viewer, page }) => {
  await viewer.open(server.url);
  await viewer.panel("image").focus();
  for (const [key, name] of [["3", "ADF"], ["4", "HAADF"], ["1", "BF"]] as const) {
    await page.keyboard.press(key);
    await viewer.idle();
    await expect(page.getByRole("heading", { name: `Image: ${name}` })).toBeVisible();
  }
  await page.locator("summary", { hasText: "Add" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await viewer.idle();
  expect(viewer.detector().shape).toBe("disk");
  await expect(page.locator("summary", { hasText: "Add" })).toBeFocused();
});

test("keys that a field needs stay in the field", async ({ viewer, page }) => {
  await viewer.open(server.url);
  const name = page.getByRole("textbox", { name: "Name" });
  await name.fill("");
  await name.pressSequentially("1 [f?");
  await expect(name).toHaveValue("1 [f?");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("what happens is announced", async ({ viewer, page }) => {
  await viewer.open(server.url);
  const saved = page.waitForEvent("download");
  await viewer.menu("Export", "NPY, exact values");
  await saved;
  await expect(page.getByRole("status").filter({ hasText: /^Saved scan_BF.npy$/ })).toHaveCount(1);
});
