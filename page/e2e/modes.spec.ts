// Image modes: the centre of mass and what follows from it, against the command line.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "./fixtures";
import type { Numbers } from "./npy";
import { answersOf, detectorOf, type Server, serve, virtualImage } from "./program";
import type { Picture } from "./viewer";

let server: Server;
test.beforeAll(async ({ data }) => {
  server = await serve([data.scan]);
});
test.afterAll(() => server?.stop());

/** Equal but for rounding to float32, relative to the largest value. */
function isLike(shown: Picture, truth: Numbers, shift = 0): void {
  expect([shown.rows, shown.cols]).toEqual(truth.shape);
  const most = Math.max(...truth.values.map((v) => Math.abs(v)));
  const worst = Math.max(...shown.values.map((v, i) => Math.abs(v - (truth.values[i]! - shift))));
  expect(worst).toBeLessThan(2e-6 * most);
}

const mean = ({ values }: Numbers): number => values.reduce((a, b) => a + b, 0) / values.length;
const MODE = "What the image shows";
const DESCAN = "Descan: subtract";

test("sum and mean of a detector", async ({ viewer, data }) => {
  await viewer.open(server.url);
  const shape = viewer.detector();
  await viewer.choose(MODE, "Mean per pixel");
  isLike(await viewer.image(), virtualImage(data.folder, data.scan, shape, true));
  await viewer.choose(MODE, "Sum");
  expect((await viewer.image()).values).toEqual(virtualImage(data.folder, data.scan, shape).values);
});

test("centre of mass, as it is", async ({ viewer, data, page }) => {
  await viewer.open(server.url);
  const truth = answersOf(data.folder, ["center-of-mass", data.scan]);
  const [row, col] = [truth("com_row"), truth("com_col")];
  await viewer.choose(MODE, "CoM, rows");
  await page.getByRole("radio", { name: "none" }).check();
  await viewer.choose(DESCAN, "mean");
  isLike(await viewer.image(), row, mean(row));
  await viewer.choose(MODE, "CoM, columns");
  isLike(await viewer.image(), col, mean(col));
  await viewer.choose(MODE, "CoM, magnitude");
  isLike(await viewer.image(), truth("com_magnitude"));
  await viewer.choose(MODE, "CoM, colour wheel");
  isLike(await viewer.image(0), row, mean(row));
  isLike(await viewer.image(1), col, mean(col));
});

const ROTATED = [
  ["CoM, rows", "com_row_rotated"],
  ["CoM, columns", "com_col_rotated"],
  ["Divergence (dCoM)", "divergence"],
  ["Curl", "curl"],
  ["iCoM (phase)", "icom"],
] as const;

test("rotation is found", async ({ viewer, data, page }) => {
  await viewer.open(server.url);
  const words = ["center-of-mass", data.scan, "--rotation", "auto", "--descan", "plane"];
  const truth = answersOf(data.folder, words);
  for (const [text, name] of ROTATED) {
    await viewer.choose(MODE, text);
    isLike(await viewer.image(), truth(name));
  }
  const [, found, error] =
    /(?:found:|least at) (-?[\d.]+) \+- ([\d.]+)/.exec(truth.printed) ?? [];
  const angle = Number(found).toFixed(Number(error) < 0.1 ? 2 : 1).replace("-", "−");
  await expect(page.getByText(new RegExp(`^Found (undetermined \\()?${angle}°`))).toBeVisible();
});

test("rotation is set by hand", async ({ viewer, data, page }) => {
  await viewer.open(server.url);
  await viewer.choose(MODE, "iCoM (phase)");
  await page.getByRole("radio", { name: "by hand" }).check();
  await page.getByRole("slider", { name: "Angle" }).fill("30.5");
  await page.getByRole("checkbox", { name: "Transpose" }).check();
  await viewer.choose(DESCAN, "mean");
  await viewer.idle();
  expect(viewer.last("image").rotation).toEqual({ degrees: 30.5, transpose: true });
  const words = ["center-of-mass", data.scan, "--rotation", "30.5,transpose", "--descan", "mean"];
  const truth = answersOf(data.folder, words);
  for (const [text, name] of ROTATED) {
    await viewer.choose(MODE, text);
    isLike(await viewer.image(), truth(name));
  }
});

test("centre of mass within a detector", async ({ viewer, data, page }) => {
  await viewer.open(server.url);
  await viewer.choose(MODE, "CoM, rows");
  await page.getByRole("radio", { name: "none" }).check();
  await viewer.choose(DESCAN, "mean");
  await viewer.choose("Mask", "of BF");
  const within = detectorOf(viewer.detector());
  const row = answersOf(data.folder, ["center-of-mass", data.scan, "--within", within])("com_row");
  isLike(await viewer.image(), row, mean(row));
});
