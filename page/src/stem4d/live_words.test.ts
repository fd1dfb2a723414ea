// Sentences about scans that are being measured.
// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import {
  comingDetails,
  comingPercent,
  comingText,
  diskText,
  driftCurves,
  driftText,
  markText,
  noSeriesText,
  sourceText,
} from "./live_words";
import type { Coming, Drift, LiveSource } from "./protocol/messages";

const now: Coming = {
  op: "coming", dataset: "d1", received: 4032, of: 16384, lost: 12, waiting: 4, lag: 3.2, rate: 2000, silent: 0,
};
const plain = (text: string): string => text.replace(/\u2009/g, " ");

it("how a scan comes", () => {
  expect(plain(comingText(now))).toBe("4 032 of 16 384 · 2 000/s · 12 lost · lag 3 ms");
  expect(plain(comingText({ ...now, silent: 4.6, lost: 0 }))).toBe("4 032 of 16 384 · silent for 4 s · lag 3 ms");
  expect(plain(comingDetails(now))).toBe("6 s left at this rate; 4 frames came and wait, the first for 3 ms.");
  expect(comingDetails({ ...now, rate: 0, waiting: 0 })).toBe("No frame waits.");
  expect(comingPercent({ ...now, received: 8180 })).toBe(50);
});

it("of how many points an answer is", () => {
  const mark = { points: 4032, of: 16384, final: false };
  expect(plain(markText(mark))).toBe("4 032 of 16 384 points");
  expect(markText({ ...mark, final: true })).toBe("");
  expect(markText(null)).toBe("");
});

it("on what the disk was found", () => {
  const series = { address: "a", series: "7", began: "", running: true, problems: [] };
  expect(diskText({ ...series, disk_points: 64 })).toBe("The disk was found on 64 points.");
  expect(diskText({ ...series, disk_points: 1 })).toBe("The disk was found on 1 point.");
  expect(diskText({ ...series, disk_points: 0 })).toContain("No disk was found");
});

it("how far a series has drifted", () => {
  const one: LiveSource = { address: "a", state: "waiting", message: "", series: 2, dropped: 0 };
  const drift = [{ dataset: "d2", first: "d1", scan: 2, text: "drift 1.00 +- 0.01 rows", row: 1, col: 0 }];
  expect(driftText([one, { ...one, drift }], "d2")).toBe("Drift 1.00 +- 0.01 rows.");
  expect(driftText([one, { ...one, drift }], "d1")).toBe("");
});

it("the drift of a series is drawn from the scan on that it is counted from", () => {
  const at = (dataset: string, first: string, scan: number, row: number): Drift => ({
    dataset, first, scan, text: "", row, col: -row,
  });
  const drift = [at("d1", "d1", 1, 0), at("d2", "d1", 2, NaN), at("d3", "d3", 1, 0), at("d5", "d1", 3, 1.5)];
  const list: LiveSource[] = [{ address: "a", state: "waiting", message: "", series: 4, dropped: 0, drift }];
  expect(driftCurves(list, "d2")).toEqual({ scan: [1, 2, 3], row: [0, NaN, 1.5], col: [-0, NaN, -1.5], here: 2 });
  expect(driftCurves(list, "d3")).toBeNull();
  expect(driftCurves(list, "d4")).toBeNull();
});

it("what is heard of a stream", () => {
  const one: LiveSource = { address: "tcp://a:1", state: "receiving", message: "", series: 5, dropped: 2 };
  expect(sourceText(one)).toBe(
    "tcp://a:1: a series comes, 5 came so far, 2 of them left memory (--memory-limit).",
  );
  expect(noSeriesText([{ ...one, state: "waiting" }])).toContain("No series has begun at tcp://a:1.");
  expect(noSeriesText([{ ...one, message: "the series has 7 images" }])).toBe("The series has 7 images.");
});
