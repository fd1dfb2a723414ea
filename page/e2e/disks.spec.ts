// Disks and strain in the page: the numbers of the command line, drawn where they are.
// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "./fixtures";
import { answersOf, type Server, serve, sluice } from "./program";
import type { Viewer } from "./viewer";

// A lattice that is pulled and turned in the right half of the scan.
const SCAN =
  "synthetic:crystal?scan=12x16&detector=96x96&disk_radius=5&g1=19,2&g2=-2,18&dose=9000&masked=0&" +
  "field=step&strain=0.02,0,0,1";

let server: Server;
test.beforeAll(async () => {
  server = await serve([SCAN]);
});
test.afterAll(() => server?.stop());

type Disk = Record<string, number>;

/** The command line's disks of a point, brightest first. */
function disksAt(folder: string, row: number, col: number, ...more: string[]): Disk[] {
  const out = join(folder, "disks.csv");
  sluice("stem4d", "disks", SCAN, "--force", "--out", out, ...more);
  const lines = readFileSync(out, "utf8").trim().split("\n");
  const table = lines.filter((line) => !line.startsWith("#"));
  const names = table[0]!.split(",");
  return table
    .slice(1)
    .map((line) => Object.fromEntries(line.split(",").map((text, i) => [names[i]!, Number(text)])))
    .filter((disk) => disk["pattern_row"] === row && disk["pattern_col"] === col);
}

const shown = (viewer: Viewer) => viewer.frame.evaluate(() => window.sluice!.disks()!);

async function expectDisks(viewer: Viewer, truth: readonly Disk[]): Promise<void> {
  await viewer.idle();
  const { disks } = await shown(viewer);
  expect(disks).toHaveLength(truth.length);
  disks.forEach((disk, i) => {
    const other = truth[i]!;
    for (const name of ["row", "col", "intensity", "score"] as const)
      expect(Math.fround(disk[name])).toBe(Math.fround(other[name]!));
    expect(disk.rowError).toBeCloseTo(Math.sqrt(other["var_row"]!), 6);
  });
  await expect(viewer.page.locator(".overlay .bragg .line")).toHaveCount(truth.length);
}

async function openDisks(viewer: Viewer): Promise<void> {
  await viewer.open(server.url);
  await viewer.page.getByRole("button", { name: "Disks", exact: true }).click();
  await viewer.idle();
}

test("disks are those of the command line while parameters are dragged", async ({ viewer, data, page }) => {
  await openDisks(viewer);
  await viewer.click("image", [3, 11]);
  await expectDisks(viewer, disksAt(data.folder, 3, 11));
  const score = page.getByRole("slider", { name: "Least score" });
  const box = (await score.boundingBox())!;
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + 0.35 * box.width, y);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.75 * box.width, y, { steps: 8 });
  await page.mouse.up();
  await viewer.idle();
  const { least_score: least } = viewer.last("disks")["disks"] as { least_score: number };
  expect(least).toBeGreaterThan(100);
  const truth = disksAt(data.folder, 3, 11, "--least-score", String(least));
  await expectDisks(viewer, truth);
  expect(truth.every((disk) => disk["score"]! >= least)).toBe(true);
  await viewer.choose("Template", "by numbers");
  const radius = page.locator(".disks").getByRole("spinbutton", { name: "Radius" });
  await radius.fill("4.5");
  await radius.press("Enter");
  await viewer.idle();
  const asked = viewer.last("disks")["disks"] as Record<string, number>;
  const words = ["--template-radius", `4.5,${asked["template_edge"]}`, "--least-score", String(least)];
  await expectDisks(viewer, disksAt(data.folder, 3, 11, ...words));
});

test("circles lie on the disks, and the one under the cursor tells its numbers", async ({ viewer, page }) => {
  await openDisks(viewer);
  const { disks } = await shown(viewer);
  const brightest = disks[0]!;
  const circle = page.locator(".overlay .bragg .found").first().locator(".line");
  expect(Number(await circle.getAttribute("cy"))).toBeCloseTo(brightest.row, 4);
  expect(Number(await circle.getAttribute("cx"))).toBeCloseTo(brightest.col, 4);
  expect(Number(await circle.getAttribute("r"))).toBeCloseTo(5, 1);
  const { x, y } = await viewer.at("pattern", [disks[2]!.row, disks[2]!.col]);
  await page.mouse.move(x, y);
  await expect(page.getByText(/^Disk at row [\d.]+ ± [\d.]+, column [\d.]+ ± /)).toBeVisible();
  await expect(page.locator(".overlay .bragg .pointed")).toHaveCount(1);
});

test("what cannot be is said in words", async ({ viewer, page }) => {
  await openDisks(viewer);
  await viewer.choose("Template", "by numbers");
  const radius = page.locator(".disks").getByRole("spinbutton", { name: "Radius" });
  await radius.fill("190");
  await radius.press("Enter");
  await expect(page.locator(".disks").getByRole("alert")).toBeVisible();
  await expect(page.locator(".overlay .bragg")).toHaveCount(0);
  await viewer.choose("Template", "fitted to the scan");
  await expect(page.locator(".overlay .bragg .line").first()).toBeVisible();
});

test("strain has the command line's maps, a cursor that all share, and a lattice", async ({
  viewer,
  data,
  page,
}) => {
  await openDisks(viewer);
  await page.getByRole("button", { name: "Find disks and strain" }).click();
  await page.waitForFunction(() => window.sluice!.strain() !== null);
  const truth = answersOf(data.folder, ["strain", SCAN]);
  const found = await page.evaluate(() => window.sluice!.strain()!);
  expect(found.names).toEqual(["e_xx", "e_yy", "e_xy", "omega"]);
  found.names.forEach((name, i) => {
    const { shape, values } = truth(name);
    expect([found.maps[i]!.rows, found.maps[i]!.cols]).toEqual(shape);
    expect(found.maps[i]!.values.map(Math.fround)).toEqual(values.map(Math.fround));
    expect(found.errors[i]!.values.map(Math.fround)).toEqual(
      truth(`${name}_error`).values.map(Math.fround),
    );
  });
  // The right half is pulled along the rows and turned.
  const mean = (map: number, from: number): number => {
    const own = found.maps[map]!.values.filter((_, i) => i % 16 >= from && i % 16 < from + 8);
    return own.reduce((sum, v) => sum + v, 0) / own.length;
  };
  expect(mean(0, 8) - mean(0, 0)).toBeCloseTo(0.02, 2);
  expect(Math.abs(mean(3, 8) - mean(3, 0))).toBeCloseTo(1, 1);

  const map = page.getByRole("application", { name: /^Map of e_yy/ });
  const box = (await map.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  // The cursor shows in the four maps and on the image.
  await expect(page.locator(".overlay .linked")).toHaveCount(5);
  await expect(page.locator(".strain figcaption").first()).toContainText(" ± ");
  await expect(page.locator(".strain-point")).toHaveText(/^Row \d+, column \d+ · \d+ disks in the fit$/);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.5, { steps: 4 });
  await page.mouse.up();
  await viewer.idle();
  const { row, col } = await shown(viewer);
  const text = `Row ${row}, column ${col} · `;
  await expect(page.locator(".strain-point")).toContainText(text);
  expect(viewer.last("pattern")).toMatchObject({ op: "frame", row, col });
  await expect(page.locator(".overlay .lattice text")).toHaveText(["a", "b"]);
  await page.getByRole("region", { name: "Strain" }).getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("region", { name: "Strain" })).toHaveCount(0);
});
