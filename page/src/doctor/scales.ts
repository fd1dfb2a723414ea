// How long bars are: rows of one part and unit are drawn to one scale; pure functions.
// SPDX-License-Identifier: Apache-2.0
import type { Row } from "./types";

/** Parts of the bar's length, 0 to 1. */
export interface Bar {
  value: number;
  /** What is expected at least; null: nothing is. */
  expected: number | null;
  /** Half of the rounds lie between. */
  quartiles: readonly [lower: number, upper: number] | null;
}

const sizes = (row: Row): number[] =>
  [row.value, row.expected, row.spread?.upper].filter((one) => typeof one === "number");

/** Bars of a group's rows. A row that is beside nothing has none. */
export function barsOf(rows: readonly Row[]): (Bar | null)[] {
  return rows.map((row) => {
    if (row.value === null) return null;
    // Counts, such as those of processors, are not beside each other.
    const beside = row.unit === "" ? [row] : rows.filter(({ part, unit }) => part === row.part && unit === row.unit);
    const others = beside.filter(({ value }) => value !== null).length;
    if (others < 2 && row.expected === null && row.unit !== "share") return null;
    const whole = row.unit === "share" ? 1 : Math.max(...beside.flatMap(sizes));
    if (!(whole > 0)) return null;
    const part = (value: number): number => Math.min(Math.max(value / whole, 0), 1);
    return {
      value: part(row.value),
      expected: row.expected === null ? null : part(row.expected),
      quartiles: row.spread && [part(row.spread.lower), part(row.spread.upper)],
    };
  });
}
