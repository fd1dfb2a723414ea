// Sentences about how complete what is shown is.
// SPDX-License-Identifier: Apache-2.0
import type { Progress, UsedRotation } from "./protocol/messages";
import type { Dataset } from "./types";
import type { Standing } from "./state/question";
import { noSeriesText } from "./live_words";
import { progress } from "./state/datasets";
import { sources } from "./state/live_scans";

/** "1st", "2nd", "3rd", "4th", "11th". */
export function ordinal(count: number): string {
  const tens = Math.floor((count % 100) / 10);
  const ending = tens === 1 ? "th" : (["th", "st", "nd", "rd"][count % 10] ?? "th");
  return `${count}${ending}`;
}

export function percentOf({ done, total }: Progress): number {
  return total > 0 ? Math.min(100, (100 * done) / total) : 0;
}

/** "Every 4th scan point, loading 43 %", or nothing when all points are in it. */
export function stepText(step: number, of: Dataset): string {
  if (step <= 1) return "";
  const far = progress.value.get(of.id);
  const subset = `Every ${ordinal(step)} scan point`;
  if (of.state === "preview") {
    return far ? `${subset}, loading ${Math.floor(percentOf(far))} %` : `${subset}, loading`;
  }
  if (of.state === "streaming") {
    if (!far) return `${subset}, all to follow`;
    return `${subset}, reading all ${Math.floor(percentOf(far))} %`;
  }
  return subset;
}

/** A remark of the server's as a sentence. */
export function sentence(text: string): string {
  const first = text.slice(0, 1).toUpperCase();
  return `${first}${text.slice(1)}${/[.!?]$|^$/.test(text) ? "" : "."}`;
}

/** "1.2 GB" of a number of bytes. */
export function bytesText(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let [value, at] = [bytes, 0];
  while (value >= 999.5 && at < units.length - 1) [value, at] = [value / 1000, at + 1];
  return `${value >= 100 || at === 0 ? Math.round(value) : value.toPrecision(2)} ${units[at]}`;
}

/** "3 s", "2 min", "1.5 h". */
export function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** "43 % · 1.2 of 3.1 GB · 850 MB/s · 3 s left". */
export function progressText(far: Progress): string {
  const parts = [
    `${Math.floor(percentOf(far))} %`,
    `${bytesText(far.done)} of ${bytesText(far.total)}`,
  ];
  if (far.rate > 0) parts.push(`${bytesText(far.rate)}/s`);
  if (far.left !== null) parts.push(`${durationText(far.left)} left`);
  return parts.join(" · ");
}

/** What a panel says instead of an image. */
export function emptyText(of: Dataset | null): string {
  if (!of && sources.value.length > 0) return noSeriesText(sources.value);
  if (!of) return "No dataset. Those of a watched folder appear here by themselves.";
  if (of.state === "failed") return of.message || "This dataset cannot be read.";
  if (of.state === "awaited") return of.message || "Its files are not all there yet.";
  if (of.state === "incomplete")
    return of.message || `${of.missing} frames are missing; it is read again when they come.`;
  if (of.state === "live") return of.message || "The first points are on their way.";
  if (of.state === "stopped") return "Loading was cancelled; Load takes it up again.";
  return "Loading…";
}

/** "30.5°, transposed", with its error where that is known, or that it says nothing. */
export function rotationText({ degrees, error, determined, transpose }: UsedRotation): string {
  // A small error must not read as none.
  const sure = error !== null && error < 0.1;
  const angle = `${degrees.toFixed(sure ? 2 : 1).replace("-", "−")}°`;
  const bar = error === null ? "" : ` ± ${sure ? error.toPrecision(2) : error.toFixed(1)}°`;
  const turned = transpose ? ", transposed" : "";
  return determined ? `${angle}${bar}${turned}` : `undetermined (${angle}${bar}${turned})`;
}

/** A warning where the opposite angle fits as well, or "". */
export const signText = ({ determined, sign_known: known }: UsedRotation): string =>
  determined && !known ? "Its sign is open: dark may be bright." : "";

export interface PanelWords {
  text: string;
  /** Asking again may help. */
  again: boolean;
  /** What is shown is not what was asked for: it is greyed. */
  veil: boolean;
}

/** What a panel says of what stands in it; null: the answer speaks for itself. `late`: it has
 *  waited for some time. */
export function panelWords(
  standing: Standing<unknown>,
  late: boolean,
  of: Dataset | null,
): PanelWords | null {
  switch (standing.kind) {
    case "nothing":
      return { text: emptyText(of), again: false, veil: false };
    case "failed":
      return { text: sentence(standing.why), again: true, veil: false };
    case "waiting":
      return late ? { text: "Waiting for the server…", again: false, veil: false } : null;
    case "trailing":
      return late
        ? { text: "Waiting for the server… Below is what was asked before.", again: false, veil: true }
        : null;
    case "answered":
      return null;
  }
}

/** Why the answer that is shown stays coarse, or "". */
export const troubleText = (standing: Standing<unknown>): string =>
  standing.kind === "answered" && standing.trouble !== ""
    ? `the rest could not be had: ${standing.trouble}`
    : "";
