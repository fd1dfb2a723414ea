// What the page of a reconstruction asks, and what its server says.
// SPDX-License-Identifier: Apache-2.0
import { asFields, asList, type Fields, Malformed, number, text, texts, whole } from "../shell/protocol/check";
import { unknownOp } from "../shell/protocol/decode";
import type { Dialect, Greeting, Message, Progress, Reply, Words } from "../shell/protocol/messages";
import type { Point, WireArray } from "../types";
import { type Job, type Pair, type Positions, type Stage, STATES, type Status, type Told, type Wave } from "./types";

/** A request without its id and slot, which the connection adds. Of several results it names one. */
export type Request = { job?: number } & (
  | { op: "object"; slice: number }
  | { op: "probe"; mode: number }
  | { op: "positions" }
  | { op: "curve"; from: number }
  | { op: "shown" }
);

export interface Hello extends Greeting {
  job: Job | null;
  state: Status;
  /** Finished results to choose from; none: a job is at work. */
  results: Told[];
  /** What could not be opened. */
  notes: string[];
}

/** An answer names its job, and the iterations that were done when it was made. */
interface Answered extends Reply {
  job: number;
  iteration: number;
}
export type Answer =
  | (Answered & { op: "object" | "probe"; wave: Wave })
  | (Answered & { op: "positions"; positions: Positions })
  | (Answered & { op: "curve"; r: Float32Array; stages: ArrayLike<number> })
  | (Reply & { op: "pong" });

export type News = { op: "job"; job: Job | null } | { op: "state"; state: Status };

export interface MonitorWords extends Words {
  request: Request;
  hello: Hello;
  answer: Answer;
  progress: Progress;
  news: News;
}

const count = (from: Fields, name: string): number => whole(from, name, 0, Number.MAX_SAFE_INTEGER);
const orNull = (from: Fields, name: string): number | null =>
  from[name] === null ? null : number(from, name);

const readStage = (from: Fields): Stage => ({
  solver: text(from, "solver"),
  iterations: count(from, "iterations"),
  refines: from.refines === true,
});

/** Names and values; there may be none. */
function readPairs(from: Fields, name: string): Pair[] {
  if (from[name] === undefined) return [];
  return asList(from[name], name, 10_000).map((one): Pair => {
    const [first, second, ...more] = asList(one, name, 2);
    if (typeof first !== "string" || typeof second !== "string" || more.length > 0)
      throw new Malformed(`${name} has what is no pair of texts`);
    return [first, second];
  });
}

function readJob(value: unknown): Job | null {
  if (value === null) return null;
  const from = asFields(value, "job");
  return {
    number: count(from, "number"),
    name: text(from, "name"),
    patterns: count(from, "patterns"),
    size: count(from, "size"),
    window: count(from, "window"),
    pixelNm: number(from, "pixel_nm"),
    wavelengthNm: number(from, "wavelength_nm"),
    slices: whole(from, "slices", 1, 1000),
    sliceNm: number(from, "slice_nm"),
    modes: whole(from, "modes", 1, 64),
    follows: from.follows === true,
    stages: asList(from.stages, "stages", 10_000).map((one) => readStage(asFields(one, "stage"))),
    path: text(from, "path", ""),
    about: readPairs(from, "about"),
    settings: readPairs(from, "settings"),
  };
}

function readStatus(from: Fields): Status {
  const state = STATES.find((word) => word === from.state);
  if (!state) throw new Malformed(`state is none of ${STATES.join(", ")}`);
  return {
    job: count(from, "job"),
    state,
    message: text(from, "message", ""),
    iteration: count(from, "iteration"),
    iterations: count(from, "iterations"),
    done: count(from, "done"),
    total: count(from, "total"),
    rate: orNull(from, "rate"),
    left: orNull(from, "left"),
    elapsed: number(from, "elapsed"),
    r: orNull(from, "r"),
    floor: orNull(from, "floor"),
    curve: count(from, "curve"),
    snapshot: count(from, "snapshot"),
    snapshotIteration: count(from, "snapshot_iteration"),
    powers: asList(from.powers, "powers", 64).map((value) => number({ value }, "value")),
    notes: texts(from, "job_notes"),
  };
}

const readHello = (from: Fields): Hello => ({
  op: "hello",
  protocol: number(from, "protocol"),
  version: text(from, "version", ""),
  job: readJob(from.job),
  state: readStatus(asFields(from.state, "state")),
  results: asList(from.results ?? [], "results", 10_000).map((one) => readTold(asFields(one, "result"))),
  notes: texts(from, "notes"),
});

function readTold(from: Fields): Told {
  const job = readJob(from.job);
  if (!job) throw new Malformed("a result has no job");
  return { job, state: readStatus(asFields(from.state, "state")) };
}

function readWave(array: WireArray | undefined): Wave {
  const [parts, rows, cols, ...more] = array?.shape ?? [];
  const values = array?.values;
  if (parts !== 2 || rows === undefined || cols === undefined || more.length > 0)
    throw new Malformed("a wave is no array [2][row][col]");
  if (!(values instanceof Float32Array)) throw new Malformed("a wave has no float32 values");
  const size = rows * cols;
  return { rows, cols, real: values.subarray(0, size), imag: values.subarray(size) };
}

function points(array: WireArray | undefined): Point[] {
  const [length, two, ...more] = array?.shape ?? [];
  if (!array || length === undefined || two !== 2 || more.length > 0)
    throw new Malformed("positions are no array [n][2]");
  const { values } = array;
  return Array.from({ length }, (_, i): Point => [values[2 * i]!, values[2 * i + 1]!]);
}

function readPositions(arrays: WireArray[]): Positions {
  const [started, moved] = [points(arrays[0]), points(arrays[1])];
  const known = moved.length > 0 || started.length === 0;
  if (known && started.length !== moved.length) throw new Malformed("not every position has moved");
  return { started, moved: known ? moved : started.map((): Point => [0, 0]), known };
}

function readAnswer(op: string, from: Fields, arrays: WireArray[]): Answer {
  const id = count(from, "id");
  const slot = text(from, "slot");
  if (op === "pong") return { op, id, slot };
  const of = { id, slot, job: count(from, "job"), iteration: number(from, "iteration", 0) };
  switch (op) {
    case "object":
    case "probe":
      return { op, ...of, wave: readWave(arrays[0]) };
    case "positions":
      return { op, ...of, positions: readPositions(arrays) };
    case "curve": {
      const [r, stages] = arrays;
      if (!(r?.values instanceof Float32Array) || !stages || stages.values.length !== r.values.length)
        throw new Malformed("a curve lacks R or stages");
      return { op, ...of, r: r.values, stages: stages.values };
    }
    default:
      throw unknownOp(op);
  }
}

function read(op: string, from: Fields, arrays: WireArray[]): Message<MonitorWords> {
  if (op === "hello") return { kind: "hello", message: readHello(from) };
  if (op === "job") return { kind: "news", message: { op, job: readJob(from.job) } };
  if (op === "state") return { kind: "news", message: { op, state: readStatus(from) } };
  return { kind: "answer", message: readAnswer(op, from, arrays) };
}

/** The dialect of the page. A slice that nobody looked at waits for the end of an iteration. */
export const dialect: Dialect<MonitorWords> = { patience: 600_000, read };
