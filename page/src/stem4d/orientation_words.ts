// Orientations in words: what a point and a match are, and how sure that is.
// SPDX-License-Identifier: Apache-2.0
import { numberText, valueText } from "../display/nice";
import { diskArguments, type Reproduced } from "./disk_words";
import { shellQuote } from "./geometry/text";
import { ordinal } from "./remarks";
import type { Candidate } from "./protocol/orientation";
import type { ShownMatch } from "./state/match";
import type { ShownOrientation } from "./state/orientation";
import type { Point } from "../types";

/** "φ1 10.1°, Φ 20.0°, φ2 30.0°". */
export function eulerText([phi1, phi, phi2]: readonly number[]): string {
  const angle = (value = NaN): string => `${value.toFixed(1)}°`;
  return `φ1 ${angle(phi1)}, Φ ${angle(phi)}, φ2 ${angle(phi2)}`;
}

/** What is likely must not read as certain. */
export function probabilityText(probability: number): string {
  if (!Number.isFinite(probability)) return "no probability";
  if (probability > 0.9995) return "probability > 0.999";
  if (probability < 0.0005) return "probability < 0.001";
  return `probability ${probability.toFixed(3)}`;
}

const errorText = (degrees: number): string =>
  Number.isFinite(degrees) ? ` ± ${numberText(degrees, 2)}°` : " (error not known)";

/** The command that makes the map; "": none does without a file of the calibration. */
export function orientationCommand(
  of: ShownOrientation,
  { path, loading, disks }: Pick<Reproduced, "path" | "loading" | "disks">,
  files: readonly string[],
): string {
  const { request, words } = of;
  const { center, rotation } = request.calibration;
  if (words.scale.by !== "crystal" || center || rotation) return "";
  const chosen = files.filter((_, i) => request.crystals.length === 0 || request.crystals.includes(i));
  const parts = ["sluice stem4d orientation", shellQuote(path), ...loading.map(shellQuote)];
  parts.push(...diskArguments(disks), ...chosen.map((file) => `--crystal ${shellQuote(file)}`));
  parts.push(`--energy ${words.kilovolts}`);
  if (request.library.zone_step) parts.push(`--zone-step ${request.library.zone_step}`);
  const { least_probability: least } = request.match;
  if (least !== undefined) parts.push(`--least-probability ${least}`);
  return [...parts, "--save-disks disks.h5", "--out orientation"].join(" ");
}

/** The number of a scan point in the arrays; -1: it is not on the scan. */
export function pointIndex({ reason }: ShownOrientation, [row, col]: Point): number {
  const there = row >= 0 && col >= 0 && row < reason.rows && col < reason.cols;
  return there ? row * reason.cols + col : -1;
}

/** Why a point is not indexed, in words; "": it is. */
export function whyNotIndexed(of: ShownOrientation, index: number): string {
  const code = of.reason.values[index] ?? 0;
  if (code === 0) return "";
  const words = of.words.reasons[code] ?? "no reason";
  const disks = of.diskReason[index] ?? 0;
  return disks > 0 ? `${words} (${of.words.diskReasons[disks] ?? "no reason"})` : words;
}

/** Of a point: "Row 3, column 4 · Gold · φ1 …", or why it is not indexed. */
export function orientationPointText(of: ShownOrientation, at: Point): string {
  const index = pointIndex(of, at);
  if (index < 0) return "";
  const where = `Row ${at[0]}, column ${at[1]}`;
  const sure = of.probability.values[index] ?? NaN;
  const why = whyNotIndexed(of, index);
  if (why !== "") {
    const known = Number.isFinite(sure) ? ` · ${probabilityText(sure)}` : "";
    return `${where} · not indexed: ${why}${known}`;
  }
  const phase = of.words.phases[(of.phase.values[index] ?? 1) - 1]?.name ?? "";
  const euler = eulerText(Array.from(of.euler.subarray(3 * index, 3 * index + 3)));
  const error = errorText(of.error.values[index] ?? NaN);
  return `${where} · ${phase} · ${euler}${error} · ${probabilityText(sure)}`;
}

/** "Best match", "2nd best match". */
export const rankText = (index: number): string =>
  index === 0 ? "Best match" : `${ordinal(index + 1)} best match`;

/** "[1 1 2] (0.9° off)". */
export const zoneText = ({ zone, zoneDegrees }: Candidate): string =>
  `${zone} (${zoneDegrees.toFixed(1)}° off)`;

/** How far a candidate is behind the best one: "odds 1 : 3000 against the best". */
export function behindText(best: Candidate, other: Candidate): string {
  const factor = Math.exp(best.logOdds - other.logOdds);
  if (factor < 1.05) return "as likely as the best";
  if (factor > 1e9) return "odds below 1 : 10⁹ against the best";
  return `odds 1 : ${valueText(Number(factor.toPrecision(2)))} against the best`;
}

/** What is drawn over a pattern: "Best match: Gold [1 1 2], indexed". */
export function drawnText({ words }: ShownMatch, index: number): string {
  const candidate = words.candidates[index];
  if (!candidate) return "no match";
  const belief = index > 0 ? "" : words.code === 0 ? ", indexed" : ", not indexed";
  return `${rankText(index)}: ${candidate.name} ${candidate.zone}${belief}`;
}

/** Of the candidate that is drawn, and what is believed of it. */
export function matchText({ words }: ShownMatch, index: number): string {
  const [best, candidate] = [words.candidates[0], words.candidates[index]];
  const not = `not indexed: ${words.reason}`;
  if (!best || !candidate) {
    const disks = words.disks === 0 && words.diskReason !== "found" ? ` (${words.diskReason})` : "";
    return `No match: ${words.reason}${disks}`;
  }
  const belief = words.code === 0 ? "indexed" : not;
  const sure =
    index === 0 ? `${probabilityText(words.probability)}, ${belief}` : behindText(best, candidate);
  return [
    `${rankText(index)} of ${words.candidates.length}: ${candidate.name}, zone ${zoneText(candidate)}`,
    `${eulerText(candidate.euler)}${errorText(candidate.error)}`,
    `${candidate.matched} of ${words.disks} disks`,
    sure,
  ].join(" · ");
}
