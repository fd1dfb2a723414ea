// Reads a dataset's description from untrusted JSON.
// SPDX-License-Identifier: Apache-2.0
import {
  asFields,
  asList,
  Malformed,
  number,
  size,
  text,
  texts,
  whole,
} from "../../shell/protocol/check";
import type { Dataset, DatasetState, Disk, LiveSeries } from "../types";

const STATES: readonly DatasetState[] = [
  "live",
  "waiting",
  "preview",
  "ready",
  "streaming",
  "stopped",
  "awaited",
  "incomplete",
  "failed",
];

function state(value: string): DatasetState {
  const known = STATES.find((one) => one === value);
  if (!known) throw new Malformed(`state "${value.slice(0, 32)}" is unknown`);
  return known;
}

function disk(value: unknown): Disk | null {
  if (value === null || value === undefined) return null;
  const from = asFields(value, "disk");
  return { row: number(from, "row"), col: number(from, "col"), radius: number(from, "radius") };
}

function grid(value: unknown): Dataset["grid"] {
  if (value === null || value === undefined) return { origin: [0, 0], bin: 1 };
  const from = asFields(value, "grid");
  const [row, col] = asList(from.origin, "origin", 2);
  if (typeof row !== "number" || typeof col !== "number") throw new Malformed("origin is no point");
  return { origin: [row, col], bin: number(from, "bin") };
}

function units(value: unknown): Dataset["units"] {
  if (value === null || value === undefined) return { pixel: "counts", sum: "counts" };
  const from = asFields(value, "units");
  return { pixel: text(from, "pixel"), sum: text(from, "sum") };
}

function metadata(value: unknown): Dataset["metadata"] {
  if (value === undefined) return [];
  return asList(value, "metadata", 10_000).map((entry) => {
    const from = asFields(entry, "metadata");
    return {
      name: text(from, "name"),
      value: text(from, "value", ""),
      unit: text(from, "unit", ""),
    };
  });
}

function live(value: unknown): LiveSeries | null {
  if (value === null || value === undefined) return null;
  const from = asFields(value, "live");
  return {
    address: text(from, "address", ""),
    series: text(from, "series", ""),
    began: text(from, "began", ""),
    running: from.running === true,
    disk_points: number(from, "disk_points", 0),
    problems: texts(from, "problems"),
  };
}

/** The dataset that a message describes; throws Malformed. */
export function readDataset(value: unknown): Dataset {
  const from = asFields(value, "dataset");
  const bytes = asFields(from.bytes ?? {}, "bytes");
  return {
    id: text(from, "id"),
    name: text(from, "name"),
    path: text(from, "path", ""),
    state: from.awaited === true ? "awaited" : state(text(from, "state")),
    message: text(from, "message", ""),
    scan: size(from, "scan"),
    detector: size(from, "detector"),
    dtype: text(from, "dtype", ""),
    step: whole(from, "step", 0, 1 << 24),
    energy_kv: number(from, "energy_kv", 0),
    scan_step_nm: number(from, "scan_step_nm", 0),
    detector_step_mrad: number(from, "detector_step_mrad", 0),
    disk: disk(from.disk),
    layout: text(from, "layout", ""),
    bytes: {
      resident: number(bytes, "resident", 0),
      source: number(bytes, "source", 0),
      float32: number(bytes, "float32", 0),
    },
    frames: number(from, "frames", 0),
    missing: number(from, "missing", 0),
    changed: from.changed === true,
    grid: grid(from.grid),
    units: units(from.units),
    read: number(from, "read", 0),
    notes: texts(from, "notes"),
    live: live(from.live),
    metadata: metadata(from.metadata),
  };
}

/** The datasets of a hello or a datasets message; throws Malformed. */
export function readDatasets(value: unknown): Dataset[] {
  return asList(value, "datasets", 100_000).map(readDataset);
}
