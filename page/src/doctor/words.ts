// The report in words, and in the order in which it is read; pure functions.
// SPDX-License-Identifier: Apache-2.0
import { numberText } from "../display/nice";
import type { Report, Row, Running, Scaling } from "./types";

export const verdict = (findings: number): string => {
  if (findings === 0) return "Nothing is wrong that these rules know.";
  return findings === 1 ? "One thing is wrong." : `${findings} things are wrong.`;
};

/** "0.2 %" */
export const percent = (share: number): string => `${numberText(100 * share, 3)} %`;

export const valueText = (row: Row): string =>
  row.unit === "share" && row.value !== null ? percent(row.value) : row.text || "not measured";

/** "at least 100 MB/s"; empty where nothing is expected. */
export const leastText = (row: Row): string => {
  if (row.expected === null) return "";
  return `at least ${row.unit === "share" ? percent(row.expected) : row.least}`;
};

export type Judgement = "good" | "low" | "unjudged" | "none";
export const JUDGEMENTS: Readonly<Record<Judgement, string>> = {
  good: "as it should be",
  low: "lower than it should be",
  unjudged: "not judged",
  none: "",
};

type Judged = Pick<Row, "expected" | "notTaken"> & { value: number | null };

/** What a value is beside what is expected; no rule judges what others disturbed. */
export function judge({ value, expected, notTaken }: Judged): Judgement {
  if (notTaken && value !== null) return "unjudged";
  if (value === null || expected === null) return "none";
  return value < expected ? "low" : "good";
}

export const judgeScaling = ({ factor, ...rest }: Scaling): Judgement => judge({ ...rest, value: factor });

/** Twice the distance of the quartiles over the median, as the rule "unsteady" has it. */
export const variation = ({ spread }: Row): number | null =>
  spread && spread.median > 0 ? (2 * (spread.upper - spread.lower)) / spread.median : null;

/** The same in words: one round lies apart from nothing. */
export function apartText(row: Row): string {
  const [apart, alone] = [variation(row), row.spread?.min === row.spread?.max];
  return apart === null || alone ? "one round" : percent(apart);
}

/** How many rates there are, and how many of them other programs disturbed. */
export function disturbed(rows: readonly Row[]): { rates: number; of: number } {
  const rates = rows.filter((row) => row.spread !== null);
  return { rates: rates.length, of: rates.filter((row) => row.notTaken).length };
}

/** "2026-11-30 04:43 UTC" */
export const timeText = (iso: string): string =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(iso) ? `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC` : iso;

export function aboutText({ processor, time, quick, seconds }: Report): string {
  const kind = quick ? "Quick" : "Full";
  const where = processor ? ` on ${processor}` : "";
  const when = time ? `, ${timeText(time)}` : "";
  return `${kind} examination of ${numberText(seconds, 3)} s${where}${when}.`;
}

/** "Full examination: step 3 of 7, touching fresh memory". */
export function runText({ quick, stopping, done, total, step }: Running): string {
  const kind = quick ? "Quick examination" : "Full examination";
  if (stopping) return `${kind}: it stops with the step that is being measured`;
  const at = `${kind}: step ${Math.min(done + 1, total)} of ${total}`;
  return step ? `${at}, ${step}` : at;
}

export function scalingText({ factor, threads }: Scaling): string {
  if (factor === null) return "not measured";
  return `${numberText(factor, 3)} × with ${threads} thread${threads === 1 ? "" : "s"}`;
}

/** A part of the report, or what tells of one topic. */
export interface Group {
  key: string;
  title: string;
  rows: Row[];
}

const TITLES: readonly (readonly [key: string, title: string])[] = [
  ["processors", "Processors"],
  ["memory", "Memory"],
  ["disk", "Disk, with and without the cache"],
  ["work", "What Sluice does all day"],
  ["gpu", "GPU"],
  ["limits", "Limits of the container or the batch job"],
  ["noise", "Noise"],
  ["instructions", "Instruction sets"],
];

/** Every row once, in groups of the usual order; what this page does not know comes last. */
export function groupsOf(rows: readonly Row[]): Group[] {
  const keyOf = (row: Row): string => row.topic || row.part;
  const known = TITLES.map(([key]) => key);
  const keys = [...known, ...new Set(rows.map(keyOf).filter((key) => !known.includes(key)))];
  return keys.flatMap((key) => {
    const its = rows.filter((row) => keyOf(row) === key);
    const title = TITLES.find(([one]) => one === key)?.[1] ?? key;
    return its.length > 0 ? [{ key, title, rows: its }] : [];
  });
}

/** A row's name among rows of several parts: "memory of this process". */
export const nameIn = (group: Group, row: Row): string =>
  row.part === group.key || row.part === "processors" ? row.name : `${row.part} ${row.name}`;
