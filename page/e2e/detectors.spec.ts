// Detectors: what is dragged is what is asked for, what comes is exact, and it is what is drawn.
// SPDX-License-Identifier: Apache-2.0
import { toRgba } from "../src/display/renderer_2d";
import type { Point } from "../src/types";
import type { Shape } from "../src/stem4d/types";
import { expect, test } from "./fixtures";
import { type Server, serve, virtualImage } from "./program";
import type { Viewer } from "./viewer";

let server: Server;
test.beforeAll(async ({ data }) => {
  server = await serve([data.scan]);
});
test.afterAll(() => server.stop());

const GRAY = {
  scale: "linear",
  power: 0.5,
  limits: { kind: "percentile", low: 0.5, high: 99.5 },
  map: "gray",
  invert: false,
  symmetric: false,
  smooth: false,
  colorBar: true,
  scaleBar: true,
} as const;

/** The image is the command line's, and a sample of the drawn pixels has its colours. */
async function isExact(viewer: Viewer, data: { folder: string; scan: string }): Promise<void> {
  const { rows, cols, values } = await viewer.image();
  const truth = virtualImage(data.folder, data.scan, viewer.detector());
  expect([rows, cols]).toEqual(truth.shape);
  expect(values).toEqual(truth.values);
  const colours = toRgba({ rows, cols, values: Float64Array.from(values) }, GRAY);
  // Away from the probe's cross, which is drawn beside the canvas anyway.
  const points: Point[] = [[0, 0], [5, 60], [40, 3], [47, 63], [13, 29], [30, 50]];
  const drawn = await viewer.colours("image", points);
  const wanted = points.map(([row, col]) => {
    const at = 4 * (row * cols + col);
    return [...colours.slice(at, at + 4)];
  });
  expect(drawn).toEqual(wanted);
}

const middle = (shape: Shape): Point => ("center" in shape ? shape.center : [0, 0]);

test("a detector is dragged by its body", async ({ viewer, data }) => {
  await viewer.open(server.url);
  await isExact(viewer, data);
  const [row, col] = middle(viewer.detector());
  await viewer.drag("pattern", [row, col + 2], [row - 10, col + 14]);
  const moved = viewer.detector();
  expect(moved.shape).toBe("disk");
  expect(middle(moved)[0]).toBeCloseTo(row - 10, 0);
  expect(middle(moved)[1]).toBeCloseTo(col + 12, 0);
  await isExact(viewer, data);
});

test("the image follows while a detector is dragged", async ({ viewer, page }) => {
  await viewer.open(server.url);
  const [row, col] = middle(viewer.detector());
  const start = await viewer.at("pattern", [row, col + 2]);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  const before = await page.evaluate(() => window.sluice!.stats().drawn["image"] ?? 0);
  for (let i = 1; i <= 10; ++i) {
    await page.mouse.move(start.x + 8 * i, start.y);
    await viewer.idle();
  }
  const after = await page.evaluate(() => window.sluice!.stats().drawn["image"] ?? 0);
  expect(after - before).toBeGreaterThanOrEqual(9);
  await page.mouse.up();
});

test("a detector is resized by its edge", async ({ viewer, data }) => {
  await viewer.open(server.url);
  const before = viewer.detector();
  if (before.shape !== "disk") throw new Error("BF is no disk");
  const [row, col] = before.center;
  await viewer.drag("pattern", [row, col + before.outer], [row, col + before.outer + 9]);
  const after = viewer.detector();
  if (after.shape !== "disk") throw new Error("the disk is no disk any more");
  expect(after.outer).toBeCloseTo(before.outer + 9, 0);
  await isExact(viewer, data);
});

test("an annulus has two edges", async ({ viewer, data, page }) => {
  await viewer.open(server.url);
  await page.getByRole("button", { name: "ADF", exact: true }).first().click();
  await viewer.idle();
  const before = viewer.detector();
  if (before.shape !== "annulus") throw new Error("ADF is no annulus");
  const [row, col] = before.center;
  await viewer.drag("pattern", [row + before.outer, col], [row + before.outer + 6, col]);
  await viewer.drag("pattern", [row, col - before.inner], [row, col - before.inner + 3]);
  const after = viewer.detector();
  if (after.shape !== "annulus") throw new Error("the annulus is none any more");
  expect(after.outer).toBeCloseTo(before.outer + 6, 0);
  expect(after.inner).toBeCloseTo(before.inner - 3, 0);
  await isExact(viewer, data);
});

const EDGES: Record<string, (shape: Shape) => [from: Point, to: Point]> = {
  Point: (shape) => [middle(shape), [middle(shape)[0] + 7, middle(shape)[1] - 5]],
  Disk: (shape) => {
    const [row, col] = middle(shape);
    const outer = shape.shape === "disk" ? shape.outer : 0;
    return [[row - outer, col], [row - outer - 5, col]];
  },
  Annulus: (shape) => {
    const [row, col] = middle(shape);
    const outer = shape.shape === "annulus" ? shape.outer : 0;
    return [[row, col + outer], [row, col + outer + 4]];
  },
  Square: (shape) => {
    const [row, col] = middle(shape);
    const half = shape.shape === "square" ? shape.outer : 0;
    return [[row + half, col + half], [row + half + 4, col + half + 4]];
  },
  Rectangle: (shape) => {
    if (shape.shape !== "rectangle") throw new Error("this is no rectangle");
    return [shape.to, [shape.to[0] + 5, shape.to[1] + 2]];
  },
  Polygon: (shape) => {
    if (shape.shape !== "polygon") throw new Error("this is no polygon");
    const [row, col] = shape.corners[0]!;
    return [[row, col], [row + 6, col + 8]];
  },
};

test("every shape is dragged by its edge", async ({ viewer, data }) => {
  await viewer.open(server.url);
  for (const [name, gesture] of Object.entries(EDGES))
    await test.step(name, async () => {
      await viewer.menu("Add", name);
      const before = viewer.detector();
      expect(before.shape).toBe(name.toLowerCase());
      await isExact(viewer, data);
      await viewer.drag("pattern", ...gesture(before));
      expect(viewer.detector()).not.toEqual(before);
      expect(viewer.detector().shape).toBe(before.shape);
      await isExact(viewer, data);
    });
});

test("presets are relative to the measured disk", async ({ viewer, data, page }) => {
  await viewer.open(server.url);
  const disk = viewer.detector();
  if (disk.shape !== "disk") throw new Error("BF is no disk");
  for (const [name, inner, outer] of [["ABF", 0.5, 1], ["ADF", 1, 2], ["HAADF", 2, 4]] as const) {
    await page.getByRole("group", { name: "Presets" }).getByRole("button", { name, exact: true }).click();
    await viewer.idle();
    const now = viewer.detector();
    if (now.shape !== "annulus") throw new Error(`${name} is no annulus`);
    expect(now.center).toEqual(disk.center);
    expect(now.inner).toBeCloseTo(inner * disk.outer, 6);
    expect(now.outer).toBeCloseTo(outer * disk.outer, 6);
    await isExact(viewer, data);
  }
});

test("several detectors have an image each", async ({ viewer, page, data }) => {
  await viewer.open(server.url);
  await viewer.menu("Add", "Square");
  await viewer.menu("Add", "Polygon");
  const gallery = page.locator(".gallery");
  await expect(gallery.locator("canvas")).toHaveCount(4);
  await gallery.getByRole("button", { name: "ADF" }).click();
  await isExact(viewer, data);
  await expect(page.getByRole("heading", { name: "Image: ADF" })).toBeVisible();
  expect(viewer.detector().shape).toBe("annulus");
  await page.getByRole("button", { name: "Remove ADF" }).click();
  await expect(gallery.locator("canvas")).toHaveCount(3);
});

test("a shape is changed, named, saved and used again", async ({ viewer, page, data }) => {
  await viewer.open(server.url);
  await viewer.choose("Shape", "Square");
  expect(viewer.detector().shape).toBe("square");
  await isExact(viewer, data);
  await page.getByRole("spinbutton", { name: "Half side" }).fill("5.5");
  await page.getByRole("spinbutton", { name: "Half side" }).press("Enter");
  await viewer.idle();
  expect(viewer.detector()).toMatchObject({ shape: "square", outer: 5.5 });
  await isExact(viewer, data);
  await page.getByRole("textbox", { name: "Name" }).fill("my square");
  await page.getByRole("textbox", { name: "Name" }).press("Enter");
  await viewer.menu("Saved", "Save “my square”");
  await page.reload();
  await viewer.ready();
  await viewer.menu("Saved", "my square");
  expect(viewer.detector()).toMatchObject({ shape: "square", outer: 5.5 });
});

test("keys move and resize the selected detector", async ({ viewer, data }) => {
  await viewer.open(server.url);
  const before = viewer.detector();
  if (before.shape !== "disk") throw new Error("BF is no disk");
  const panel = viewer.panel("pattern");
  await panel.press("Alt+ArrowDown");
  await panel.press("Alt+Shift+ArrowRight");
  await panel.press("+");
  await viewer.idle();
  const after = viewer.detector();
  expect(middle(after)[0]).toBeCloseTo(before.center[0] + 1, 6);
  expect(middle(after)[1]).toBeCloseTo(before.center[1] + 10, 6);
  expect(after).toMatchObject({ shape: "disk", outer: before.outer + 1 });
  await isExact(viewer, data);
});
