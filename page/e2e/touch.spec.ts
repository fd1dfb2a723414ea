// Fingers: two of them zoom a panel, whatever lies under them.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "./fixtures";
import { type Server, serve } from "./program";
import type { PanelName } from "./viewer";

let server: Server;
test.beforeAll(async ({ data }) => {
  server = await serve([data.scan]);
});
test.afterAll(() => server?.stop());

for (const panel of ["image", "pattern"] satisfies PanelName[])
  test(`two fingers zoom the ${panel} panel`, async ({ viewer, page, context }) => {
    await viewer.open(server.url);
    const box = (await viewer.panel(panel).boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const zoom = async (): Promise<number> => {
      const group = viewer.panel(panel).locator("svg.overlay > g");
      return Number(/scale\(([\d.]+) /.exec((await group.getAttribute("transform")) ?? "")?.[1]);
    };
    const before = await zoom();
    const touch = await context.newCDPSession(page);
    const fingers = (apart: number): { x: number; y: number; id: number }[] => [
      { x: x - apart, y, id: 1 },
      { x: x + apart, y, id: 2 },
    ];
    const send = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: object[]) =>
      touch.send("Input.dispatchTouchEvent", { type, touchPoints: touchPoints as [] });
    await touch.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 2 });
    await send("touchStart", fingers(20).slice(0, 1));
    await send("touchStart", fingers(20));
    for (let apart = 25; apart <= 60; apart += 5) await send("touchMove", fingers(apart));
    await send("touchEnd", []);
    await touch.send("Emulation.setTouchEmulationEnabled", { enabled: false });
    await expect.poll(zoom).toBeGreaterThan(1.5 * before);
    // The finger that came first has not moved the probe, which would have asked for its frame.
    expect(viewer.requests.filter(({ op }) => op === "frame")).toEqual([]);
  });
