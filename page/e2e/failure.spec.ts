// What goes wrong: the page says what it is and what to do, and goes on when it is over.
// SPDX-License-Identifier: Apache-2.0
import type { WebSocketRoute } from "@playwright/test";
import { Buffer } from "node:buffer";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, simulate, test } from "./fixtures";
import { serve } from "./program";
import { Viewer } from "./viewer";

/** What the browser itself writes when a server refuses or is away. */
const NETWORK = /WebSocket connection to|Failed to load resource|net::ERR/;

test("a wrong token", async ({ page, allow, data }) => {
  allow(NETWORK);
  const server = await serve([data.scan]);
  try {
    const wrong = new URL(server.url);
    wrong.searchParams.set("token", "guessed");
    const answer = await page.goto(wrong.href);
    expect(answer?.status()).toBe(403);
    await expect(page.locator("body")).toContainText(/token/i);
    expect(await page.locator("script").count()).toBe(0);
  } finally {
    await server.stop();
  }
});

test("the server goes away and comes back", async ({ viewer, page, allow, data }) => {
  allow(NETWORK);
  const first = await serve([data.scan], ["--token", "kept"]);
  await viewer.open(first.url);
  await viewer.drag("pattern", [32, 34], [40, 40]);
  const before = await viewer.image();
  first.process.kill("SIGKILL");
  const overlay = page.getByRole("alertdialog", { name: "No connection" });
  await expect(overlay).toContainText("Connection lost");
  await expect(overlay).toContainText("same --port and --token");
  const again = ["--token", "kept", "--port", String(first.port)];
  const second = await serve([data.scan], again);
  try {
    await expect(overlay).toHaveCount(0, { timeout: 15_000 });
    await viewer.idle();
    expect(await viewer.image(), "what was set stays").toEqual(before);
    await viewer.drag("pattern", [40, 40], [30, 22]);
    expect(await viewer.image()).not.toEqual(before);
    const { counters } = await page.evaluate(() => window.sluice!.stats());
    expect(counters.reconnects).toBe(1);
  } finally {
    await second.stop();
  }
});

test("a server with another token", async ({ viewer, page, allow, data }) => {
  allow(NETWORK);
  const first = await serve([data.scan], ["--token", "old"]);
  await viewer.open(first.url);
  await first.stop();
  const second = await serve([data.scan], ["--token", "new", "--port", String(first.port)]);
  try {
    const overlay = page.getByRole("alertdialog", { name: "No connection" });
    await expect(overlay).toContainText("Open the address that", { timeout: 15_000 });
    await expect(overlay.getByRole("button", { name: "Reload the page" })).toBeVisible();
  } finally {
    await second.stop();
  }
});

/** A binary message as the protocol has them, whatever its header says. */
function binary(header: string, length: number, bytes = 0): Uint8Array {
  const message = Buffer.alloc(4 + header.length + bytes);
  message.set([length & 255, (length >> 8) & 255, (length >> 16) & 255, length >>> 24]);
  message.set(new TextEncoder().encode(header), 4);
  return message;
}

const image = (arrays: string): string =>
  `{"op": "image", "id": 1, "slot": "image", "dataset": "1", "step": 1, "arrays": ${arrays}}`;

const UNREADABLE: Record<string, string | Uint8Array> = {
  "no header": binary("", 9).subarray(0, 2),
  "a header that ends beyond the message": binary("{}  ", 4000),
  "a header that is no JSON": binary("{{{{", 4),
  "an array that ends beyond the message": binary(
    image('[{"name": "images", "dtype": "float32", "shape": [1, 9, 9], "offset": 0}]').padEnd(180),
    180,
    8,
  ),
  "an array of another type": binary(
    image('[{"name": "images", "dtype": "int7", "shape": [1, 1, 1], "offset": 0}]').padEnd(180),
    180,
    8,
  ),
  "no JSON": "{",
  "JSON without a word what it is": "[1, 2]",
  "a dataset in an unknown state": '{"op": "dataset", "id": "1", "state": "upside down"}',
};

// A route stays as long as its page, so these have a page of their own.
test("messages that cannot be read", async ({ context, data }) => {
  const server = await serve([data.scan]);
  const page = await context.newPage();
  const viewer = new Viewer(page);
  try {
    const sockets: WebSocketRoute[] = [];
    await page.routeWebSocket(/\/live\?/, (socket) => {
      sockets.push(socket);
      socket.connectToServer();
    });
    await viewer.open(server.url);
    const malformed = (): Promise<number> =>
      page.evaluate(() => window.sluice!.stats().counters.malformed);
    let count = 0;
    for (const [what, message] of Object.entries(UNREADABLE)) {
      sockets[0]!.send(message);
      await expect.poll(malformed, { message: what }).toBe(++count);
    }
    await expect(page.getByRole("alert").first()).toContainText("cannot read");
    // It goes on working.
    const before = await viewer.image();
    await viewer.drag("pattern", [32, 34], [24, 40]);
    expect(await viewer.image()).not.toEqual(before);
    expect(sockets).toHaveLength(1);
  } finally {
    await server.stop();
  }
});

test("a server of another version", async ({ context, data }) => {
  const server = await serve([data.scan]);
  const page = await context.newPage();
  try {
    await page.routeWebSocket(/\/live\?/, (socket) => {
      const real = socket.connectToServer();
      real.onMessage((message) =>
        socket.send(String(message).replace('"protocol":1', '"protocol":9')),
      );
    });
    await page.goto(server.url);
    const overlay = page.getByRole("alertdialog", { name: "No connection" });
    await expect(overlay).toContainText("another version of Sluice");
  } finally {
    await server.stop();
  }
});

test("what is no dataset is named", async ({ viewer, page, data }) => {
  const letter = join(data.folder, "letter.h5");
  writeFileSync(letter, "Dear reader, this is no acquisition.");
  await expect(serve([letter])).rejects.toThrow(/letter\.h5: looks like text/);
  const folder = join(data.folder, "mixed");
  simulate(join(folder, "good"), "16x16", "48x48");
  renameSync(letter, join(folder, "letter_master.h5"));
  const server = await serve([folder]);
  try {
    await viewer.open(server.url);
    await page.getByRole("button", { name: /letter_master/ }).click();
    await expect(page.locator(".panel .empty").first()).toContainText("looks like text");
    await page.getByRole("button", { name: /good_master/ }).click();
    await expect(page.locator(".panel .empty")).toHaveCount(0);
  } finally {
    await server.stop();
  }
});

test("files that vanish while they are open", async ({ viewer, page, data }) => {
  const prefix = join(data.folder, "brief");
  simulate(prefix, "24x24", "48x48", "--dose", "1000");
  const server = await serve([`${prefix}_master.h5`]);
  try {
    await viewer.open(server.url);
    renameSync(`${prefix}_data_000001.h5`, `${prefix}_gone.h5`);
    const alert = page.getByRole("alert");
    await expect(alert).toContainText("brief_master.h5: a file of this dataset is gone", {
      timeout: 15_000,
    });
    const before = await viewer.image();
    await viewer.panel("pattern").press("Alt+Shift+ArrowDown");
    expect(await viewer.image(), "what is in memory can be looked at").not.toEqual(before);
    renameSync(`${prefix}_gone.h5`, `${prefix}_data_000001.h5`);
  } finally {
    await server.stop();
  }
});
