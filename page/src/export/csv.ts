// Tables as comma-separated text with their units and where they come from.
// SPDX-License-Identifier: Apache-2.0
import type { Histogram } from "../analysis/histogram";
import { binEdge } from "../analysis/histogram";
import type { Profile } from "../analysis/profile";

/** Where numbers come from: lines "# name: value" before the table. */
export type Provenance = Readonly<Record<string, string | number>>;

const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();

/** A text cell: quoted where it must be, and never a formula for a spreadsheet. */
export function cell(value: string | number): string {
  if (typeof value === "number") return Number.isNaN(value) ? "nan" : String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Lines of a table; columns by name, a header line of names. */
export function encodeCsv(
  columns: Readonly<Record<string, ArrayLike<number | string>>>,
  provenance: Provenance = {},
): string {
  const about = Object.entries(provenance).map(
    ([name, value]) => `# ${oneLine(name)}: ${oneLine(String(value))}`,
  );
  const all = Object.values(columns);
  const length = Math.max(0, ...all.map((c) => c.length));
  const lines = Array.from({ length }, (_, i) => all.map((c) => cell(c[i] ?? "")).join(","));
  const names = Object.keys(columns).map((name) => cell(oneLine(name)));
  return [...about, names.join(","), ...lines, ""].join("\n");
}

export interface Axis {
  /** Units per pixel; 0: uncalibrated. */
  step: number;
  unit: string;
}

/** A line profile: distance in pixels, also calibrated where the step is known, and values. */
export function profileCsv(
  profile: Profile,
  axis: Axis,
  valueUnit: string,
  provenance: Provenance = {},
): string {
  const columns: Record<string, ArrayLike<number>> = { "distance (px)": profile.distance };
  if (axis.step > 0)
    columns[`distance (${axis.unit})`] = profile.distance.map((d) => d * axis.step);
  columns[valueUnit ? `value (${valueUnit})` : "value"] = profile.values;
  return encodeCsv(columns, provenance);
}

/** A histogram: both edges of each bin and its count. */
export function histogramCsv(
  histogram: Histogram,
  valueUnit: string,
  provenance: Provenance = {},
): string {
  const edges = Array.from(histogram.counts, (_, i) => binEdge(histogram, i));
  const unit = valueUnit ? ` (${valueUnit})` : "";
  const columns = {
    [`from${unit}`]: edges,
    [`to${unit}`]: edges.map((_, i) => binEdge(histogram, i + 1)),
    count: histogram.counts,
  };
  return encodeCsv(columns, provenance);
}
