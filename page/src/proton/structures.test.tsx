// Tests of structures: what is asked of them, where their lines are, and what their list does.
// SPDX-License-Identifier: Apache-2.0
import { render } from "preact";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startAsking } from "./asking";
import { histogramOf, linesOf, startAskingStructures } from "./asking_structures";
import { HistogramSection, histogramColumns, known } from "./histograms";
import type { Hello, HistogramAnswer, OutlinesAnswer, Request } from "./messages";
import { StructureSection } from "./outlines";
import * as state from "./state";
import { drawn, pathOfLines, pixelLines } from "./structures";
import { ct, organ, volume } from "./test_volumes";

interface Call {
  body: Request;
  answered: (answer: unknown) => void;
  failed: (why: { message: string; code: string }) => void;
}
const line = vi.hoisted(() => ({
  asked: new Map<string, unknown>(),
  greet: [] as ((hello: unknown) => void)[],
}));
vi.mock("./live", () => ({
  ask: (slot: string, body: unknown, call: object) => void line.asked.set(slot, { body, ...call }),
  drop: (slot: string) => line.asked.delete(slot),
  isIdle: () => true,
  onHello: (call: (hello: unknown) => void) => line.greet.push(call),
}));
startAsking();
startAskingStructures();

const call = (slot: string): Call => line.asked.get(slot) as Call;
const [ptv, cord] = [organ(), organ({ id: "s2", name: "cord", type: "ORGAN" })];
const strange = organ({ id: "s3", name: "oblique", why: "contours are oblique" });
function hello(structures: Hello["structures"], ...volumes: Hello["volumes"]): void {
  const told: Hello = { op: "hello", protocol: 1, version: "", volumes, structures, notes: [] };
  line.greet.forEach((greet) => greet(told));
}
const outlines: OutlinesAnswer = {
  op: "outlines",
  id: 1,
  slot: "",
  lines: [
    { structure: 0, points: 2 },
    { structure: 1, points: 2 },
  ],
  points: Float64Array.of(-5, 0, 5, 9, 1, 3, 1, 6),
};
const histogram: HistogramAnswer = {
  ...{ op: "histogram", id: 1, slot: "", volume: 10, inside: 5, least: 1, mean: 20, most: 50 },
  ...{ d98: 2, d95: 3, d50: 20, d2: 49 },
  doses: Float64Array.of(0, 25, 50),
  parts: Float64Array.of(1, 0.5, 0),
};
const page = document.createElement("div");

beforeEach(() => {
  line.asked.clear();
  state.outlined.value = true;
  hello([], volume());
  hello([ptv, cord, strange], ct(), volume());
});
afterEach(() => render(null, page));

it("asks for lines of what is chosen and can be drawn, on each plane", () => {
  expect(call("outlines axial").body).toMatchObject({
    ...{ op: "outlines", structures: ["s1", "s2"], onto: "v2", across: "x", down: "y" },
  });
  // Rows of lines are counted from the beginning, whichever end of the plane is at the top.
  expect(call("outlines coronal").body).toMatchObject({ across: "x", down: "z" });
  state.hidden.value = new Set(["s1"]);
  expect(call("outlines axial").body).toMatchObject({ structures: ["s2"] });
  state.outlined.value = false;
  expect(line.asked.has("outlines axial")).toBe(false);
});

it("draws lines where they are, with the head at the top", () => {
  const [axial, coronal] = [state.planes.value[0]!, state.planes.value[1]!];
  const here = ct();
  const lines = pixelLines(outlines, [ptv, cord], here, coronal);
  expect(lines.map(({ structure }) => structure.id)).toEqual(["s1", "s2"]);
  // x from -5 on in steps of 1; z from 0 on in steps of 3, four of them.
  expect(lines[0]!.points).toEqual([
    [3, 0],
    [0, 10],
  ]);
  expect(pixelLines(outlines, [ptv, cord], here, axial)[1]!.points).toEqual([
    [7, 6],
    [10, 6],
  ]);
  expect(pathOfLines(lines.slice(0, 1))).toBe("M0.000 3.000L10.000 0.000");
});

it("draws no lines of another place over a plane", () => {
  const axial = state.planes.value[0]!;
  const raster = { rows: 1, cols: 1, values: new Float32Array(1) };
  call("outlines axial").answered(outlines);
  expect(linesOf(axial)).toEqual([]);
  call("base axial").answered({ op: "plane", id: 1, slot: "", raster });
  expect(linesOf(axial)).toHaveLength(2);
  state.hidden.value = new Set(["s2"]);
  expect(linesOf(axial)).toHaveLength(1);
  state.step(2, state.place.value[2] > 0 ? -1 : 1);
  call("base axial").answered({ op: "plane", id: 1, slot: "", raster });
  expect(linesOf(axial)).toEqual([]);
});

it("asks for histograms of the dose while they are shown", () => {
  expect(line.asked.has("histogram s1")).toBe(false);
  state.panel.value = "histogram";
  expect(call("histogram s1").body).toEqual({ op: "histogram", volume: "v1", structure: "s1", to: 50 });
  expect(line.asked.has("histogram s3")).toBe(false);
  call("histogram s1").answered(histogram);
  call("histogram s2").failed({ message: "nothing of it lies in the dose", code: "invalid" });
  expect(histogramOf("s1")?.mean).toBe(20);
  expect(histogramColumns(known(), "Gy")).toEqual({
    "dose (Gy)": histogram.doses,
    "PTV (%)": Float64Array.of(100, 50, 0),
  });
  render(<HistogramSection />, page);
  expect(page.textContent).toContain("PTV20.002.003.0020.0049.00");
  expect(page.textContent).toContain("cord: nothing of it lies in the dose");
  expect(page.textContent).toContain("PTV: 50 % of it lies outside");
});

it("has a list that shows and hides, and says what is not drawn", () => {
  render(<StructureSection />, page);
  const boxes = [...page.querySelectorAll<HTMLInputElement>("li input")];
  expect(boxes.map(({ checked, disabled }) => [checked, disabled])).toEqual([
    [true, false],
    [true, false],
    [false, true],
  ]);
  expect(page.textContent).toContain("PTV, 12.3 cm³");
  expect(page.textContent).toContain("not drawn");
  boxes[0]!.checked = false;
  boxes[0]!.dispatchEvent(new Event("change", { bubbles: true }));
  expect(drawn.value.map(({ id }) => id)).toEqual(["s2"]);
});

it("draws nothing over a volume of which it is not known where it lies", () => {
  hello([ptv], ct({ lies: "turned" }));
  expect(drawn.value).toEqual([]);
  render(<StructureSection />, page);
  expect(page.textContent).toContain("Not drawn over ct.mha");
});
