// Tests of the report's words, order and scales.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { decode } from "../shell/protocol/decode";
import { dialect } from "./messages";
import { barsOf } from "./scales";
import { toldReport, toldRow } from "./test_report";
import type { Report, Row } from "./types";
import * as words from "./words";

function reportOf(change: object = {}): Report {
  const found = decode(JSON.stringify({ op: "report", report: toldReport({ ...change }) }), dialect);
  if (!found.ok || found.kind !== "news" || found.message.op !== "report") throw new Error("no report");
  return found.message.report;
}
const row = (change: object = {}): Row => reportOf({ rows: [toldRow({ ...change })] }).rows[0]!;

test("the verdict counts", () => {
  expect([0, 1, 2].map(words.verdict)).toEqual([
    "Nothing is wrong that these rules know.",
    "One thing is wrong.",
    "2 things are wrong.",
  ]);
});

test("a value is judged on both sides of its limit, and not where others disturbed it", () => {
  expect(words.judge(row())).toBe("low");
  expect(words.judge(row({ value: 1e8 }))).toBe("good");
  expect(words.judge(row({ expected: null }))).toBe("none");
  expect(words.judge(row({ not_taken: "not of a quiet machine" }))).toBe("unjudged");
  expect(words.judge(row({ value: null, text: "", not_taken: "no room" }))).toBe("none");
});

test("values have their units, and what is expected stands beside them", () => {
  expect(words.valueText(row())).toBe("50 MB/s");
  expect(words.leastText(row())).toBe("at least 100 MB/s");
  expect(words.valueText(row({ value: 0.0512, unit: "share" }))).toBe("5.12 %");
  expect(words.leastText(row({ expected: 0.5, unit: "share" }))).toBe("at least 50 %");
  expect(words.valueText(row({ value: null, text: "" }))).toBe("not measured");
  expect(words.variation(row())).toBeCloseTo(0.4);
  expect(words.apartText(row())).toBe("40 %");
  const one = { min: 5, lower_quartile: 5, median: 5, upper_quartile: 5, max: 5 };
  expect(words.apartText(row({ spread: one }))).toBe("one round");
});

test("every row is in one group, and unknown parts are the last", () => {
  const told = [...(toldReport()["rows"] as object[]), toldRow({ part: "tape" })];
  const groups = words.groupsOf(reportOf({ rows: told }).rows);
  expect(groups.map(({ key }) => key)).toEqual([
    "processors", "disk", "work", "gpu", "limits", "noise", "instructions", "tape",
  ]);
  expect(groups.reduce((sum, { rows }) => sum + rows.length, 0)).toBe(told.length);
  const limits = groups.find(({ key }) => key === "limits")!;
  expect(limits.rows.map((one) => words.nameIn(limits, one))).toEqual(["quota", "memory of this process"]);
});

test("a run says its step, and that it stops", () => {
  const run = { quick: false, stopping: false, done: 2, total: 7, step: "touching fresh memory", seconds: 1 };
  expect(words.runText(run)).toBe("Full examination: step 3 of 7, touching fresh memory");
  expect(words.runText({ ...run, done: 7, step: "" })).toBe("Full examination: step 7 of 7");
  expect(words.runText({ ...run, stopping: true })).toContain("stops with the step");
  expect(words.aboutText(reportOf())).toBe("Full examination of 29.3 s on Fake 9000, 2026-11-30 04:43 UTC.");
});

test("bars of one unit in one part have one scale, with what is expected on it", () => {
  const cached = { name: "cached", value: 5e8, expected: null };
  const rows = reportOf({ rows: [toldRow(), toldRow(cached), toldRow({ unit: "reads/s", expected: null })] }).rows;
  const [disk, cache, alone] = barsOf(rows);
  expect(disk).toMatchObject({ value: 0.1, expected: 0.2 });
  expect(cache).toMatchObject({ value: 1, expected: null });
  // Nothing is beside it.
  expect(alone).toBeNull();
  expect(barsOf([row({ value: 0.25, unit: "share", expected: null })])[0]!.value).toBe(0.25);
  expect(barsOf([row({ value: 0, expected: 0, spread: undefined })])).toEqual([null]);
  expect(barsOf([row({ value: null })])).toEqual([null]);
});
