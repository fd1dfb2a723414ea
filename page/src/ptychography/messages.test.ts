// Tests of what the page takes from the server, and what it does not.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import type { Fields } from "../shell/protocol/check";
import { decode as decodeOf } from "../shell/protocol/decode";
import { encodeBinary } from "../shell/protocol/encode";
import type { WireArray } from "../types";
import { dialect } from "./messages";
import { toldJob, toldState } from "./test_job";

const problem = (data: unknown): string => {
  const decoded = decodeOf(data, dialect);
  return decoded.ok ? "" : decoded.problem;
};
const hello = (job: unknown, state: unknown): string =>
  JSON.stringify({ op: "hello", protocol: 1, version: "1", job, state });

test("reads a hello with a job and without one", () => {
  expect(problem(hello(toldJob(), toldState()))).toBe("");
  const decoded = decodeOf(hello(null, toldState({ state: "waiting", job: 0 })), dialect);
  expect(decoded).toMatchObject({ kind: "hello", message: { job: null, state: { state: "waiting" } } });
});

test("does not take what is no job and no state", () => {
  for (const wrong of [{ modes: 0 }, { slices: 0 }, { stages: [{ solver: 1 }] }, { pixel_nm: "1" }, { number: -1 }])
    expect(problem(hello(toldJob(wrong), toldState())), JSON.stringify(wrong)).not.toBe("");
  for (const wrong of [{ state: "asleep" }, { iteration: 1.5 }, { rate: "fast" }, { powers: ["1"] }, { job_notes: [1] }])
    expect(problem(JSON.stringify({ op: "state", ...toldState(wrong) })), JSON.stringify(wrong)).not.toBe("");
});

test("reads results with their origin and settings, and takes none without a job", () => {
  const told = (job: unknown) => ({ job, state: toldState({ state: "saved" }) });
  const some = (...results: unknown[]): string =>
    JSON.stringify({ op: "hello", protocol: 1, version: "1", job: toldJob(), state: toldState(), results });
  const job = toldJob({ path: "/a/b.h5", about: [["command", "c"]], settings: [["modes", "2"]] });
  expect(decodeOf(some(told(job), told(toldJob({ number: 2 }))), dialect)).toMatchObject({
    message: { results: [{ job: { path: "/a/b.h5", settings: [["modes", "2"]] } }, { job: { path: "", about: [] } }] },
  });
  expect(problem(some(told(null)))).not.toBe("");
  expect(problem(some(told({ ...job, settings: [["modes"]] })))).not.toBe("");
  expect(problem(some(told({ ...job, about: [["modes", 2]] })))).not.toBe("");
});

const about: Fields = { id: 1, slot: "s", job: 1, iteration: 2 };
const floats = (shape: number[], name = "wave"): WireArray => ({
  name,
  dtype: "float32",
  shape,
  values: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => i),
});

test("reads waves as real parts and then imaginary ones", () => {
  const decoded = decodeOf(encodeBinary({ op: "object", ...about }, [floats([2, 2, 3])]), dialect);
  if (!decoded.ok || decoded.kind !== "answer" || decoded.message.op !== "object") throw new Error("no wave");
  const { wave } = decoded.message;
  expect([wave.rows, wave.cols, wave.real[5], wave.imag[0], wave.imag[5]]).toEqual([2, 3, 5, 6, 11]);
});

test("does not take arrays of other shapes", () => {
  const answer = (op: string, ...arrays: WireArray[]) => problem(encodeBinary({ op, ...about }, arrays));
  expect(answer("object", floats([3, 2, 3]))).not.toBe("");
  expect(answer("probe", floats([2, 3]))).not.toBe("");
  expect(answer("positions", floats([2, 2]), floats([2, 2]))).toBe("");
  expect(answer("positions", floats([2, 2]), floats([3, 2]))).not.toBe("");
  // How they moved is not known.
  expect(answer("positions", floats([2, 2]), floats([0, 2]))).toBe("");
  expect(answer("positions", floats([2, 3]), floats([2, 3]))).not.toBe("");
  expect(answer("curve", floats([2]), floats([3]))).not.toBe("");
  expect(answer("curve")).not.toBe("");
  expect(answer("picture", floats([2, 2, 2]))).toContain("unknown");
});
