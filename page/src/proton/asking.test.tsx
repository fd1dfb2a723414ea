// What is drawn and said while answers come late, or never.
// SPDX-License-Identifier: Apache-2.0
import { render } from "preact";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { Planes, placeText, shownOf } from "./plane_view";
import * as state from "./state";
import { ct, volume } from "./test_volumes";
import type { Hello, Request } from "./messages";
import { DifferenceSection } from "./facts";
import { startAsking } from "./asking";

interface Call {
  body: Request;
  answered: (answer: unknown) => void;
  failed: (why: { message: string; code: string }) => void;
}
const line = vi.hoisted(() => ({
  asked: new Map<string, unknown>(),
  count: 0,
  greet: [] as ((hello: unknown) => void)[],
}));
vi.mock("./live", () => ({
  ask: (slot: string, body: unknown, call: object) => {
    line.asked.set(slot, { body, ...call });
    if (slot === "difference") line.count++;
  },
  drop: (slot: string) => line.asked.delete(slot),
  isIdle: () => true,
  onHello: (call: (hello: unknown) => void) => line.greet.push(call),
}));

const call = (slot: string): Call => line.asked.get(slot) as Call;
const hello = (...volumes: Hello["volumes"]): void =>
  line.greet.forEach((greet) => greet({ op: "hello", protocol: 1, version: "", volumes, structures: [], notes: [] }));
function plane(slot: string, rows: number, cols: number, value: number): void {
  const values = new Float32Array(rows * cols).fill(value);
  call(slot).answered({ op: "plane", id: 1, slot, raster: { rows, cols, values } });
}
const axial = () => state.planes.value[0]!;

beforeAll(() => {
  startAsking();
});
beforeEach(() => hello());
const page = document.createElement("div");
afterAll(() => render(null, page));

it("draws an overlay and says a place only as the planes that came have them", () => {
  hello(ct(), volume());
  plane("base axial", 10, 12, 1);
  plane("over axial", 10, 12, 2);
  const here = state.base.value!;
  expect(shownOf(axial(), here)).toMatchObject({ over: { rows: 10 }, lines: { rows: 10 } });
  expect(placeText(here, axial())).toContain("z 9 mm");
  state.step(2, -1);
  // Both are still of the old place.
  expect(placeText(here, axial())).toContain("z 9 mm");
  plane("base axial", 10, 12, 3);
  expect(placeText(here, axial())).toContain("z 6 mm");
  expect(shownOf(axial(), here)).toMatchObject({ over: null, lines: null });
  plane("over axial", 10, 12, 4);
  expect(shownOf(axial(), here).over?.values[0]).toBe(4);
});

it("draws the lines of a dose below a CT", () => {
  hello(volume(), ct());
  plane("base axial", 5, 6, 1);
  plane("over axial", 5, 6, -900);
  expect(shownOf(axial(), state.base.value!).lines?.values[0]).toBe(1);
});

it("says why there is no difference, does not ask again, and has limits common to all planes", () => {
  hello(volume(), volume({ id: "v2" }));
  state.setDifference(true);
  for (const [slot, value] of [["axial", 1], ["coronal", 7]] as const) {
    plane(`base ${slot}`, 2, 2, value);
    plane(`over ${slot}`, 2, 2, 0);
  }
  expect(shownOf(axial(), state.base.value!).limits).toEqual({ low: -7, high: 7 });
  render(<DifferenceSection />, page);
  expect(page.textContent).toContain("Computing");
  call("difference").failed({ message: "Out of paper.", code: "invalid_argument" });
  const before = line.count;
  state.step(2, -1);
  expect(state.noDifference.value).toBe("Out of paper.");
  expect(line.count).toBe(before);
  render(null, page);
  render(<DifferenceSection />, page);
  expect(page.textContent).toContain("Out of paper.");
  expect(page.textContent).not.toContain("Computing");
});

it("lets keys step the plane that has the focus", () => {
  hello(volume());
  document.body.append(page);
  render(null, page);
  render(<Planes planes={state.planes.value} />, page);
  const panel = page.querySelectorAll('[role="application"]')[1]!;
  panel.dispatchEvent(new FocusEvent("focusin", { bubbles: true }));
  expect(state.active.value).toBe("coronal");
});
