// Tests of what the page says of a job.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import type { Status } from "./types";
import { durationText, modeText, movesText, rText, statusText } from "./texts";

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

test("durations read as people say them", () => {
  expect([0, 59.4, 59.6, 120, 200, 3600, 7500].map(durationText)).toEqual([
    "0 s", "59 s", "1 min", "2 min", "3 min 20 s", "1 h", "2 h 5 min",
  ]);
});

test("a job is told by its state", () => {
  expect(statusText(status({}))).toBe("Iteration 5 of 20 · 3457 patterns/s · 1 min 1 s left");
  expect(statusText(status({ rate: null, left: null, iteration: 20 }))).toBe("Iteration 20 of 20");
  expect(statusText(status({ state: "finished", iteration: 1 }))).toBe("Finished: 1 iteration in 1 h 2 min");
  expect(statusText(status({ state: "stopped" }))).toBe("Stopped after 4 iterations in 1 h 2 min");
  expect(statusText(status({ state: "waiting" }))).toBe("The data are being read");
});

test("R is told with what counting leaves, where that is known", () => {
  expect(rText(status({}))).toBe("0.1235 · counting alone 0.0988");
  expect(rText(status({ floor: null }))).toBe("0.1235");
  expect(rText(status({ r: null }))).toBe("");
});

test("moves have both units, modes their share", () => {
  expect(movesText({ rms: 0.25, most: 2 }, 0.05)).toBe(
    "Moved 0.25 px (0.125 Å) rms, at most 2 px (1 Å).",
  );
  expect(movesText({ rms: 0.25, most: 2 }, 0)).toBe("Moved 0.25 px rms, at most 2 px.");
  expect(movesText({ rms: 0, most: 0 }, 1)).toBe("As given.");
  expect(modeText(1, 0.2134)).toBe("2 · 21.3 %");
  expect(modeText(0, undefined)).toBe("1");
});
