// Reads what the server says of scans that are being measured, from untrusted JSON.
// SPDX-License-Identifier: Apache-2.0
import { asFields, asList, type Fields, number, text } from "../../shell/protocol/check";
import type { Coming, Drift, LiveMark, LiveSource } from "./messages";

const STATES = ["waiting", "receiving"] as const;

/** How much of its scan an answer is of. */
export function readMark(value: unknown): LiveMark | null {
  if (value === null || value === undefined) return null;
  const from = asFields(value, "live");
  return {
    points: number(from, "points"),
    of: number(from, "of"),
    final: from.final === true,
  };
}

function readDrift(value: unknown): Drift[] {
  if (value === undefined) return [];
  return asList(value, "drift", 10000).map((entry) => {
    const from = asFields(entry, "drift");
    return {
      dataset: text(from, "dataset"),
      first: text(from, "first", ""),
      scan: number(from, "scan", 1),
      text: text(from, "text", ""),
      row: number(from, "row", NaN),
      col: number(from, "col", NaN),
    };
  });
}

export function readSources(value: unknown): LiveSource[] {
  if (value === undefined) return [];
  return asList(value, "live", 1000).map((entry) => {
    const from = asFields(entry, "live");
    return {
      address: text(from, "address"),
      state: STATES.find((one) => one === from.state) ?? "waiting",
      message: text(from, "message", ""),
      series: number(from, "series", 0),
      dropped: number(from, "dropped", 0),
      drift: readDrift(from.drift),
    };
  });
}

export function readComing(from: Fields): Coming {
  return {
    op: "coming",
    dataset: text(from, "dataset"),
    received: number(from, "received"),
    of: number(from, "of"),
    lost: number(from, "lost", 0),
    waiting: number(from, "waiting", 0),
    lag: number(from, "lag_ms", 0),
    rate: number(from, "rate", 0),
    silent: number(from, "silent_s", 0),
  };
}
