// Reads what the server of scans says.
// SPDX-License-Identifier: Apache-2.0
import { asFields, type Fields, number, text, texts, whole } from "../../shell/protocol/check";
import { unknownOp } from "../../shell/protocol/decode";
import type { Dialect, Message } from "../../shell/protocol/messages";
import type { WireArray } from "../../types";
import { readPlan, readStrain } from "./crystal";
import { readDataset, readDatasets } from "./dataset";
import { readCrystals, readMatch, readOrientation } from "./orientation";
import { readComing, readMark, readSources } from "./live";
import type { Answer, Hello, Progress, ScanWords, UsedRotation } from "./messages";

const ANSWERS: readonly Answer["op"][] = [
  "image",
  "frame",
  "region",
  "pattern",
  "disks",
  "strain",
  "orientation",
  "match",
  "load",
  "cancel",
  "find_disk",
  "shown",
  "pong",
];

function readRotation(value: unknown): UsedRotation | null {
  if (value === null || typeof value !== "object") return null;
  const from = asFields(value, "rotation");
  return {
    degrees: number(from, "degrees", 0),
    transpose: from.transpose === true,
    quality: number(from, "quality", 0),
    error: typeof from.error === "number" ? from.error : null,
    determined: from.determined !== false,
    sign_known: from.sign_known !== false,
  };
}

/** At most ten texts; what is no text is left out. */
function readNotes(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, 10).flatMap((one: unknown) => (typeof one === "string" ? [one] : []));
}

function readAnswer(op: Answer["op"], from: Fields, arrays: WireArray[]): Answer {
  return {
    op,
    id: number(from, "id"),
    slot: text(from, "slot", ""),
    dataset: text(from, "dataset", ""),
    step: whole(from, "step", 0, 1 << 24, 1),
    live: readMark(from.live),
    ms: number(from, "ms", 0),
    dropped: number(from, "dropped", 0),
    rotation: readRotation(from.rotation),
    notes: readNotes(from.notes),
    frames: number(from, "frames", 0),
    reason: text(from, "reason", ""),
    plan: readPlan(from.plan),
    strain: op === "strain" ? readStrain(from) : null,
    orientation: op === "orientation" ? readOrientation(from) : null,
    match: op === "match" ? readMatch(from) : null,
    arrays,
  };
}

function readProgress(from: Fields): Progress {
  return {
    op: "progress",
    dataset: text(from, "dataset"),
    slot: typeof from.slot === "string" ? from.slot : null,
    done: number(from, "done"),
    total: number(from, "total"),
    rate: number(from, "rate", 0),
    left: typeof from.left === "number" ? from.left : null,
    ...(typeof from.task === "string" && { task: from.task }),
  };
}

function readHello(from: Fields): Hello {
  return {
    op: "hello",
    protocol: number(from, "protocol"),
    version: text(from, "version", ""),
    maxDetectors: number(from, "max_detectors", 64),
    datasets: readDatasets(from.datasets),
    watching: from.watching === true,
    session: from.session ?? null,
    loading: texts(from, "loading"),
    crystals: readCrystals(from.crystals),
    calibrated: from.calibrated === true,
    live: readSources(from.live),
    notes: texts(from, "notes"),
  };
}

function read(op: string, from: Fields, arrays: WireArray[]): Message<ScanWords> {
  const answer = ANSWERS.find((one) => one === op);
  if (answer) return { kind: "answer", message: readAnswer(answer, from, arrays) };
  switch (op) {
    case "hello":
      return { kind: "hello", message: readHello(from) };
    case "datasets":
      return { kind: "news", message: { op, datasets: readDatasets(from.datasets) } };
    case "dataset": {
      // The fields may stand beside "op" or in an object of their own.
      const own = typeof from.dataset === "object" ? from.dataset : from;
      return { kind: "news", message: { op, dataset: readDataset(own) } };
    }
    case "live":
      return { kind: "news", message: { op, live: readSources(from.live) } };
    case "coming":
      return { kind: "news", message: readComing(from) };
    case "progress":
      return { kind: "progress", message: readProgress(from) };
    default:
      throw unknownOp(op);
  }
}

/** The dialect of the page of scans. */
export const dialect: Dialect<ScanWords> = { patience: 60_000, read };

/** The first array of an answer as rasters [n][row][col] or [row][col]; none when it has another
 *  shape. */
export function rasters(answer: Answer): {
  rows: number;
  cols: number;
  values: WireArray["values"];
}[] {
  const array = answer.arrays[0];
  if (!array || array.shape.length < 2 || array.shape.length > 3) return [];
  const [cols = 0, rows = 0, count = 1] = [...array.shape].reverse();
  const area = rows * cols;
  return Array.from({ length: area > 0 ? count : 0 }, (_, index) => ({
    rows,
    cols,
    values: array.values.subarray(index * area, (index + 1) * area),
  }));
}
