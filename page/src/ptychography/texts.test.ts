// Tests of what the page says of a job.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { durationText, factsOf, modeText, movesText, rText, statusText } from "./texts";
import type { Job, Positions, Status } from "./types";

const status = (changes: Partial<Status>): Status => ({
  job: 1,
  state: "running",
  message: "",
  iteration: 4,
  iterations: 20,
  done: 0,
  total: 1,
  rate: 3456.7,
  left: 61,
  elapsed: 3723,
  r: 0.12345,
  floor: 0.09876,
  curve: 0,
  snapshot: 0,
  snapshotIteration: 0,
  powers: [],
  notes: [],
  ...changes,
});

const places = (...moved: [number, number][]): Positions => ({
  started: moved.map((): [number, number] => [1, 1]),
  moved,
  known: true,
});

test("durations read as people say them", () => {
  expect([0, 59.4, 59.6, 120, 200, 3600, 7500].map(durationText)).toEqual([
    "0 s", "59 s", "1 min", "2 min", "3 min 20 s", "1 h", "2 h 5 min",
  ]);
});

test("a job is told by its state", () => {
  expect(statusText(status({}))).toBe("Iteration 5 of 20 · 3457 patterns/s · 1 min 1 s left");
  expect(statusText(status({ rate: null, left: null, iteration: 20 }))).toBe("Iteration 20 of 20");
  expect(statusText(status({ state: "finished", iteration: 1 }))).toBe("Finished: 1 iteration in 1 h 2 min");
  expect(statusText(status({ state: "paused", elapsed: 1 }))).toBe("4 iterations in 1 s; more points are to come");
  expect(statusText(status({ state: "saved" }))).toBe("Finished result: 4 iterations in 1 h 2 min");
  expect(statusText(status({ state: "stopped" }))).toBe("Stopped after 4 iterations in 1 h 2 min");
  expect(statusText(status({ state: "waiting" }))).toBe("The data are being read");
});

test("R is told with what counting leaves, where that is known", () => {
  expect(rText(status({}))).toBe("0.1235 · counting alone 0.0988");
  expect(rText(status({ floor: null }))).toBe("0.1235");
  expect(rText(status({ r: null }))).toBe("");
});

test("moves have both units, modes their share", () => {
  const moved = places([0, 1], [0, 7]);
  expect(movesText(moved, 0.05)).toBe("Moved 5 px (2.5 Å) rms, at most 7 px (3.5 Å).");
  expect(movesText(moved, 0)).toBe("Moved 5 px rms, at most 7 px.");
  expect(movesText(places([0, 0]), 1)).toBe("As given.");
  expect(movesText({ ...places([0, 0]), known: false }, 1)).toBe("The file does not tell whether they moved.");
  expect(modeText(1, 0.2134)).toBe("2 · 21.3 %");
  expect(modeText(0, undefined)).toBe("1");
});

test("what is not known of a result is said to be so", () => {
  const stages = [{ solver: "", iterations: 20, refines: false }];
  const job: Partial<Job> = { patterns: 9, size: 0, pixelNm: 0, wavelengthNm: 0, slices: 1, modes: 1, stages };
  expect(factsOf(job as Job)).toEqual([
    ["Patterns", "9"],
    ["Solver", "not known, 20"],
    ["Pixel", "not known"],
    ["Modes", "1"],
  ]);
  expect(factsOf({ ...job, stages: [] } as unknown as Job)[1]).toEqual(["Solver", "not known"]);
});
