// The page in the frame of a notebook, and the policy that keeps it to itself.
// SPDX-License-Identifier: Apache-2.0
import { createServer } from "node:http";
import { expect, test } from "./fixtures";
import { type Server, serve, virtualImage } from "./program";

let server: Server;
test.beforeAll(async ({ data }) => {
  server = await serve([data.scan]);
});
test.afterAll(() => server?.stop());

/** A page on a port of its own that shows another in a frame of 900 x 600. */
async function notebook(address: string): Promise<{ url: string; close: () => void }> {
  const host = createServer((_, answer) => {
    answer.setHeader("content-type", "text/html");
    const frame = `<iframe src="${address}" width="900" height="600"></iframe>`;
    answer.end(`<!doctype html><title>Notebook</title><p>In [1]:</p>${frame}`);
  });
  await new Promise<void>((ready) => host.listen(0, "127.0.0.1", ready));
  const place = host.address();
  if (place === null || typeof place === "string") throw new Error("the notebook has no port");
  const close = (): void => {
    host.close();
    host.closeAllConnections();
  };
  return { url: `http://localhost:${place.port}/`, close };
}

test("in a frame of another origin", async ({ viewer, page, data }) => {
  const host = await notebook(server.url);
  try {
    await page.goto(host.url);
    const frame = page.frames()[1]!;
    viewer.frame = frame;
    await viewer.ready();
    const before = await viewer.image();
    await viewer.drag("pattern", [32, 34], [24, 44]);
    const after = await viewer.image();
    expect(after.values).not.toEqual(before.values);
    expect(after.values).toEqual(virtualImage(data.folder, data.scan, viewer.detector()).values);
    const wide = await frame.evaluate(() => document.documentElement.scrollWidth);
    expect(wide, "nothing sticks out").toBeLessThanOrEqual(900);
    for (const name of ["pattern", "image"] as const) {
      const box = (await viewer.panel(name).boundingBox())!;
      expect(Math.min(box.width, box.height)).toBeGreaterThan(150);
    }
  } finally {
    host.close();
  }
});

test("the policy allows nothing from elsewhere", async ({ viewer, page }) => {
  const answer = await page.goto(server.url);
  const policy = answer?.headers()["content-security-policy"] ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toMatch(/unsafe|\*/);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).host));
  await viewer.open(server.url);
  expect(new Set(asked)).toEqual(new Set([`127.0.0.1:${server.port}`]));
});
