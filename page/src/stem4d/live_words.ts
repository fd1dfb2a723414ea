// Sentences about scans that are being measured.
// SPDX-License-Identifier: Apache-2.0
import type { Coming, Drift, LiveMark, LiveSource } from "./protocol/messages";
import { durationText, sentence } from "./remarks";
import type { LiveSeries } from "./types";

/** "16 384" with thin spaces. */
export const groups = (count: number): string =>
  String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, "\u2009");

/** Seconds without a frame after which that is told. */
const SILENT = 1;

/** "4 032 of 16 384 · 1 998/s · 12 lost · lag 3 ms". */
export function comingText(now: Coming): string {
  const parts = [`${groups(now.received)} of ${groups(now.of)}`];
  if (now.silent >= SILENT) parts.push(`silent for ${Math.floor(now.silent)} s`);
  else if (now.rate > 0) parts.push(`${groups(now.rate)}/s`);
  if (now.lost > 0) parts.push(`${groups(now.lost)} lost`);
  parts.push(`lag ${Math.round(now.lag)} ms`);
  return parts.join(" · ");
}

/** What the header has no room for. */
export function comingDetails({ received, lost, of, rate, waiting, lag }: Coming): string {
  const left = rate > 0 ? (of - received - lost) / rate : 0;
  const parts = left > 0 ? [`${durationText(left)} left at this rate`] : [];
  parts.push(
    waiting > 0
      ? `${groups(waiting)} frames came and wait, the first for ${Math.round(lag)} ms`
      : "no frame waits",
  );
  return sentence(parts.join("; "));
}

export const comingPercent = ({ received, lost, of }: Coming): number =>
  of > 0 ? Math.min(100, (100 * (received + lost)) / of) : 0;

/** Of what is shown: "4 032 of 16 384 points", or "" where it is of all. */
export function markText(mark: LiveMark | null | undefined): string {
  if (!mark) return "";
  if (mark.final) return "";
  return `${groups(mark.points)} of ${groups(mark.of)} points`;
}

/** On what the disk was found. */
export function diskText(of: LiveSeries): string {
  return of.disk_points > 0
    ? `The disk was found on ${groups(of.disk_points)} ${of.disk_points === 1 ? "point" : "points"}.`
    : "No disk was found on what has come.";
}

/** How far a series lies from the first one; "": that was not measured. */
export function driftText(sources: readonly LiveSource[], dataset: string): string {
  const found = driftOf(sources, dataset);
  return found ? sentence(found.text) : "";
}

const driftOf = (sources: readonly LiveSource[], dataset: string): Drift | undefined =>
  sources.flatMap(({ drift }) => drift ?? []).find((one) => one.dataset === dataset);

/** Drift of the series that are counted from one; `here` is the number of one of them. */
export interface DriftCurves {
  scan: number[];
  row: number[];
  col: number[];
  here: number;
}

/** Of the series that a scan is one of; null: there is no other one to be compared with. */
export function driftCurves(sources: readonly LiveSource[], dataset: string): DriftCurves | null {
  const here = driftOf(sources, dataset);
  if (!here) return null;
  const all = sources.flatMap(({ drift }) => drift ?? []).filter(({ first }) => first === here.first);
  if (all.length < 2) return null;
  return {
    scan: all.map(({ scan }) => scan),
    row: all.map(({ row }) => row),
    col: all.map(({ col }) => col),
    here: here.scan,
  };
}

/** Which stream is heard, where no scan of it is there. */
export function sourceText({ address, state, message, series, dropped }: LiveSource): string {
  const left = dropped > 0 ? `, ${dropped} of them left memory (--memory-limit)` : "";
  const now = state === "receiving" ? "a series comes" : "no series comes now";
  const trouble = message === "" ? "" : ` ${sentence(message)}`;
  return `${address}: ${now}, ${series} came so far${left}.${trouble}`;
}

/** What a panel says where no series has come. */
export function noSeriesText(sources: readonly LiveSource[]): string {
  const trouble = sources.find(({ message }) => message !== "");
  if (trouble) return sentence(trouble.message);
  const where = sources.map(({ address }) => address).join(", ");
  return `No series has begun at ${where}. It appears here when the detector is armed and sends.`;
}
