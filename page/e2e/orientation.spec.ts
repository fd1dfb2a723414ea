// Orientations in the page: the command line's map, and the match of the pattern at the probe.
// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "./fixtures";
import { writeGold } from "./gold.mjs";
import { answersOf, type Server, serve } from "./program";

let folder: string;
let server: Server;
let scan: string;
let cif: string;
const KILOVOLTS = 300;
test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "sluice-orientation-"));
  [scan, cif] = [join(folder, "scan.npy"), join(folder, "gold.cif")];
  writeGold(scan, cif);
  server = await serve([scan], ["--crystal", cif]);
});
test.afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("orientations are the command line's, with words for all that is drawn", async ({ viewer, data, page }) => {
  await viewer.open(server.url);
  await page.getByRole("button", { name: "Disks", exact: true }).click();
  const search = page.getByRole("group", { name: "Orientations of the scan" });
  await expect(search).toContainText("Crystal: Gold.");
  // The file says nothing of the electrons: that is said in words, and mended.
  await search.getByRole("button", { name: "Find disks and orientations" }).click();
  const pane = page.getByRole("region", { name: "Orientations" });
  await expect(pane.getByRole("alert")).toContainText("The energy of the electrons is not known");
  const energy = search.getByRole("spinbutton", { name: "Energy" });
  await energy.fill(String(KILOVOLTS));
  await energy.press("Enter");
  await search.getByRole("button", { name: /^Find/ }).click();
  await page.waitForFunction(() => window.sluice!.orientation() !== null, null, { timeout: 120_000 });
  await viewer.idle();

  const found = await page.evaluate(() => window.sluice!.orientation()!);
  const truth = answersOf(data.folder, ["orientation", scan, "--crystal", cif, "--energy", String(KILOVOLTS)]);
  expect(found.phases).toEqual(["Gold"]);
  expect(found.reason).toEqual(truth("reason").values);
  const [phi1, phi] = [truth("phi1").values, truth("Phi").values];
  found.reason.forEach((code, i) => {
    if (code !== 0) return;
    expect(Math.fround(found.euler[3 * i]!)).toBe(Math.fround(phi1[i]!));
    expect(Math.fround(found.euler[3 * i + 1]!)).toBe(Math.fround(phi[i]!));
  });
  expect(found.indexed).toBeGreaterThan(15);
  await expect(search).toContainText("measured by the crystal");
  await expect(pane.getByRole("application", { name: /^Map of orientation along z/ })).toBeVisible();
  await expect(pane.getByRole("img", { name: "Colours of directions of Gold" })).toBeVisible();

  // The pattern at the probe, and what competes for it.
  await viewer.click("image", [1, 1]);
  const match = await page.evaluate(() => window.sluice!.match()!);
  expect(match).toMatchObject({ row: 1, col: 1, drawn: 0 });
  expect(match.words.code).toBe(0);
  await expect(page.locator(".overlay .match .line").first()).toBeVisible();
  const remark = page.locator(".panel.of-pattern .remark");
  await expect(remark).toHaveText(/ · Best match: Gold \[.*\], indexed$/);
  await expect(pane.locator(".match-line")).toContainText(/zone \[.*probability/);
  if (match.words.candidates.length > 1) {
    await viewer.panel("image").press("m");
    await expect(remark).toHaveText(/ · 2nd best match: Gold/);
    await expect(pane.locator(".match-line")).toContainText("against the best");
  }
  // The last point has no counts.
  await viewer.click("image", [3, 5]);
  await expect(pane.locator(".match-line")).toContainText("No match: ");
  await expect(page.locator(".overlay .match")).toHaveCount(0);

  await pane.getByRole("combobox", { name: "What the maps of orientations show" }).selectOption("reasons");
  await expect(pane.getByRole("list", { name: "Reasons" })).toContainText("the pattern has no disks: 1");
  await pane.getByRole("button", { name: "Close" }).click();
  await expect(pane).toHaveCount(0);
  await expect(page.locator(".overlay .match")).toHaveCount(0);
});

test("a viewer without crystals says how to name them, and the help has the key", async ({ viewer, page }) => {
  const bare = await serve([scan]);
  try {
    await viewer.open(bare.url);
    await page.getByRole("button", { name: "Disks", exact: true }).click();
    const search = page.getByRole("group", { name: "Orientations of the scan" });
    await expect(search).toContainText("--crystal FILE.cif");
    await expect(search.getByRole("button")).toHaveCount(0);
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog")).toContainText("next best match of orientations");
  } finally {
    await bare.stop();
  }
});
