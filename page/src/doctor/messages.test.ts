// Tests of what the page of the doctor takes from the server, and what it does not.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { decode } from "../shell/protocol/decode";
import { dialect } from "./messages";
import { toldReport, toldRow, toldRunning } from "./test_report";

const decoded = (message: object) => decode(JSON.stringify(message), dialect);
const problem = (message: object): string => {
  const found = decoded(message);
  return found.ok ? "" : found.problem;
};
const hello = (report: unknown, running: unknown = null): object => ({
  op: "hello",
  protocol: 1,
  version: "1",
  report,
  running,
  notes: [],
});

test("reads a report, and a run or none", () => {
  expect(decoded(hello(toldReport()))).toMatchObject({
    kind: "hello",
    message: {
      report: {
        processor: "Fake 9000",
        rows: expect.arrayContaining([expect.objectContaining({ name: "reading in order", spread: expect.objectContaining({ lower: 4.5e7 }) })]),
        scaling: [{ factor: 1.5 }, { factor: null, notTaken: "it was not measured" }],
        findings: [{ rule: "disk" }, { rule: "quota" }],
        raw: { seconds: 29.25 },
      },
      running: null,
    },
  });
  expect(decoded(hello(null))).toMatchObject({ message: { report: null } });
  expect(decoded({ op: "state", running: toldRunning() })).toMatchObject({
    kind: "news",
    message: { running: { done: 2, total: 7, step: "touching fresh memory" } },
  });
  expect(problem({ op: "report", report: toldReport({ rows: [], findings: [] }) })).toBe("");
  expect(decoded({ op: "examine", id: 3, slot: "run", request: {} })).toMatchObject({ kind: "answer", message: { id: 3 } });
});

test("does not take what is no report and no run", () => {
  const wrongRows = [{ value: "5" }, { text: 5 }, { expected: undefined }, { spread: 1 }, { spread: { min: 1 } }, { waited: "0" }];
  for (const wrong of wrongRows)
    expect(problem(hello(toldReport({ rows: [toldRow(wrong)] }))), JSON.stringify(wrong)).not.toBe("");
  for (const wrong of [{ quick: 1 }, { seconds: null }, { rows: {} }, { machine: null }, { findings: [{ rule: "x" }] }, { scaling: [{ work: "x", threads: 0 }] }])
    expect(problem({ op: "report", report: toldReport(wrong) }), JSON.stringify(wrong)).not.toBe("");
  for (const wrong of [{ done: 8 }, { done: -1 }, { total: 0 }, { quick: null }, { stopping: "no" }, { step: 1 }])
    expect(problem({ op: "state", running: toldRunning(wrong) }), JSON.stringify(wrong)).not.toBe("");
  expect(problem(hello(undefined))).not.toBe("");
  expect(problem({ op: "report", report: null })).not.toBe("");
  expect(problem({ op: "cure" })).not.toBe("");
});
