// What the page of the doctor says and asks: findings first, tables, runs, refusals.
// SPDX-License-Identifier: Apache-2.0
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { phase } from "../shell/live";
import { announcement, notices } from "../shell/notices";
import { decode } from "../shell/protocol/decode";
import { startAsking } from "./asking";
import { dialect } from "./messages";
import { Findings } from "./sections";
import { running } from "./state";
import { toldReport, toldRunning } from "./test_report";

const line = vi.hoisted(() => ({
  asked: [] as { body: unknown; failed: (why: { message: string; code: string }) => void }[],
  told: [] as unknown[],
  greet: (() => undefined) as (hello: unknown) => void,
  hear: (() => undefined) as (message: unknown) => void,
}));
vi.mock("./live", () => ({
  ask: (_: string, body: unknown, call: { failed: () => void }) => line.asked.push({ body, ...call }),
  tell: (body: unknown) => line.told.push(body),
  onHello: (call: () => void) => (line.greet = call),
  onMessage: (call: () => void) => (line.hear = call),
}));

const page = document.createElement("div");
const told = (message: object): unknown => {
  const found = decode(JSON.stringify(message), dialect);
  if (!found.ok) throw new Error(found.problem);
  return found.message;
};
const greet = (report: object, run: unknown = null): void =>
  line.greet(told({ op: "hello", protocol: 1, version: "", notes: [], report, running: run }));
const button = (name: string): HTMLButtonElement =>
  [...page.querySelectorAll("button")].find((one) => one.textContent === name)!;

beforeAll(startAsking);
beforeEach(() => {
  phase.value = { kind: "open" };
  line.asked = [];
  line.told = [];
  notices.value = [];
  greet(toldReport());
  render(<Findings />, page);
});
afterEach(() => render(null, page));

it("says first what is wrong and what to do", () => {
  const text = page.textContent;
  expect(text.startsWith("2 things are wrong.")).toBe(true);
  expect(text.indexOf("What to do: Copy the data")).toBeLessThan(text.indexOf("Measured"));
  expect(text).toContain("Other programs disturbed 1 of 3 rates");
  act(() => greet(toldReport({ findings: [], rows: [] })));
  expect(page.textContent.startsWith("Nothing is wrong that these rules know.")).toBe(true);
  expect(page.textContent).not.toContain("disturbed");
});

it("has tables whose rows say value, judgement and expectation", () => {
  const rows = [...page.querySelectorAll("tr")].map((one) => one.textContent);
  expect(rows).toContainEqual(expect.stringMatching(/^reading in order50 MB\/s lower than it should be.*at least 100 MB\/s/));
  expect(rows).toContainEqual(expect.stringMatching(/^decoding, all threads1 GB\/s not judgednot of a quiet machine/));
  expect(rows).toContainEqual(expect.stringMatching(/^computing in registers1.5 × with 4 threads lower.*at least 3 ×/));
  expect(rows).toContainEqual(expect.stringMatching(/^memory of this process4 GB as it should be/));
  expect(rows).toContainEqual("decoding, all threads40 %40 %");
  for (const table of page.querySelectorAll("table")) {
    expect(table.querySelector("caption")?.textContent).not.toBe("");
    for (const one of table.querySelectorAll("tbody tr")) expect(one.querySelector('th[scope="row"]')).not.toBeNull();
  }
  // Every section has a heading for its name.
  for (const section of page.querySelectorAll("section[aria-labelledby]"))
    expect(section.querySelector(`#${section.getAttribute("aria-labelledby")!}`)?.tagName).toBe("H2");
});

it("asks for a run once, tells how far it is, and stops it", () => {
  expect(button("Stop measuring").disabled).toBe(true);
  button("Measure again, fully").click();
  expect(line.asked.map(({ body }) => body)).toEqual([{ op: "examine", quick: false }]);
  act(() => line.hear(told({ op: "state", running: toldRunning() })));
  expect(button("Measure again, quickly").disabled).toBe(true);
  expect(page.textContent).toContain("Quick examination: step 3 of 7, touching fresh memory");
  expect(page.querySelector("progress")).toMatchObject({ max: 7, value: 2 });
  button("Stop measuring").click();
  expect(line.told).toEqual([{ op: "stop" }]);
  act(() => line.hear(told({ op: "state", running: toldRunning({ stopping: true }) })));
  expect(button("Stop measuring").disabled).toBe(true);
  line.asked[0]!.failed({ message: "stopped", code: "cancelled" });
  act(() => line.hear(told({ op: "state", running: null })));
  expect(notices.value).toMatchObject([{ kind: "note", text: expect.stringContaining("stopped") }]);
  expect(button("Measure again, quickly").disabled).toBe(false);
});

it("shows why the server refused a run", () => {
  button("Measure again, quickly").click();
  line.asked[0]!.failed({ message: "a full examination measures already", code: "unavailable" });
  expect(notices.value).toMatchObject([{ kind: "error", text: expect.stringContaining("measures already") }]);
});

it("shows a new report and says it to screen readers", () => {
  act(() => line.hear(told({ op: "report", report: toldReport({ findings: [] }) })));
  expect(page.textContent.startsWith("Nothing is wrong")).toBe(true);
  expect(announcement.value).toBe("The examination is done. Nothing is wrong that these rules know.");
});

it("keeps the report and says so when the program is gone", () => {
  act(() => {
    phase.value = { kind: "lost", text: "", retryIn: 1 };
  });
  expect(page.textContent).toContain("2 things are wrong.");
  expect(page.textContent).toContain("The program that measures is gone.");
  expect(button("Measure again, fully").disabled).toBe(true);
  expect(running.value).toBeNull();
});
