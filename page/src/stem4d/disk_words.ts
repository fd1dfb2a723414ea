// Disks and strain in words: read-outs, and the commands and the script that make the same numbers.
// SPDX-License-Identifier: Apache-2.0
import { numberText, valueText } from "../display/nice";
import { shellQuote } from "./geometry/text";
import type { DiskWords, FoundDisk, ShownDisks } from "./state/disks";
import type { ShownStrain } from "./state/strain";
import { indexOf, reasonAt } from "./state/strain_point";
import type { Point } from "../types";
import type { Dataset, Shape } from "./types";

/** "12.345 ± 0.012": the value to two digits of its error. */
export function withError(value: number, error: number): string {
  if (!(error > 0) || !Number.isFinite(error)) return valueText(value);
  const digits = Math.min(Math.max(1 - Math.floor(Math.log10(error)), 0), 12);
  const minus = (text: string): string => text.replace("-", "−");
  return `${minus(value.toFixed(digits))} ± ${error.toFixed(digits)}`;
}

/** Places are those of the full detector, which is said where the arrays that are drawn are not. */
export function diskText(disk: FoundDisk, { origin, bin }: Dataset["grid"]): string {
  const whole = bin === 1 && origin[0] === 0 && origin[1] === 0;
  return [
    `Disk at row ${withError(disk.row, disk.rowError)}, column ${withError(disk.col, disk.colError)}${whole ? "" : " of the full detector"}`,
    `height ${withError(disk.intensity, disk.intensityError)} counts/px`,
    `score ${numberText(disk.score, 3)}`,
  ].join(" · ");
}

/** "16 disks", or why there are none. */
export function countText({ disks, reason }: ShownDisks): string {
  if (disks.length === 0) return `No disks: ${reason}`;
  return disks.length === 1 ? "1 disk" : `${disks.length} disks`;
}

export function templateText({ plan: { template: of } }: ShownDisks): string {
  const edge = `edge ${withError(of.edge, of.edgeError)} px`;
  return `Radius ${withError(of.radius, of.radiusError)} px, ${edge}.`;
}

/** Of a point: "row 3, column 4 · 16 disks in the fit", or why it has no lattice. */
export function strainPointText(of: ShownStrain, at: Point): string {
  const index = indexOf(of, at);
  if (index < 0) return "";
  const why = reasonAt(of, index);
  const about = why === "" ? `${of.used[index]} disks in the fit` : `no value: ${why}`;
  return `Row ${at[0]}, column ${at[1]} · ${about}`;
}

/** A map's value at a point with its error. */
export function strainValueText(of: ShownStrain, map: number, at: Point): string {
  const index = indexOf(of, at);
  if (index < 0) return "";
  const [value, error] = [of.maps[map]?.values[index] ?? NaN, of.errors[map]?.values[index] ?? NaN];
  return Number.isFinite(value) ? `${withError(value, error)}${strainUnit(of, map)}` : "no value";
}

/** As it is read. */
export function strainUnit({ words }: ShownStrain, map: number): string {
  const unit = words.maps[map]?.unit ?? "";
  return unit === "deg" ? "°" : unit;
}

export type Rectangle = Extract<Shape, { shape: "rectangle" }>;

export interface Reproduced {
  path: string;
  loading: readonly string[];
  disks: DiskWords;
  axisDegrees: number;
  region: Rectangle | null;
  scan: readonly [rows: number, cols: number];
}

/** The rows and columns whose points lie in a rectangle of the scan, as "from:past the last". */
export function pointsOf(shape: Rectangle, scan: readonly [number, number]): [string, string] {
  const range = (axis: 0 | 1): string => {
    const ends = [shape.from[axis], shape.to[axis]];
    const first = Math.max(0, Math.ceil(Math.min(...ends)));
    return `${first}:${Math.min(scan[axis], Math.floor(Math.max(...ends)) + 1)}`;
  };
  return [range(0), range(1)];
}

export function diskArguments({ template_radius: radius, template_edge: edge, ...others }: DiskWords): string[] {
  const words = Object.entries(others).map(
    ([name, value]) => `--${name.replaceAll("_", "-")} ${value}`,
  );
  return radius ? [`--template-radius ${radius},${edge ?? 1}`, ...words] : words;
}

/** The command that finds the disks of the whole scan. */
export function disksCommand({ path, loading, disks }: Reproduced): string {
  const parts = ["sluice stem4d disks", shellQuote(path), ...loading.map(shellQuote)];
  return [...parts, ...diskArguments(disks), "--out disks.h5"].join(" ");
}

/** The command that makes the maps. */
export function strainCommand(of: Reproduced): string {
  const parts = ["sluice stem4d strain", shellQuote(of.path), ...of.loading.map(shellQuote)];
  parts.push(...diskArguments(of.disks));
  // With "=", because an angle may begin with a minus as options do.
  if (of.axisDegrees !== 0) parts.push(`--axis=${of.axisDegrees}`);
  if (of.region) parts.push(`--reference ${pointsOf(of.region, of.scan).join(",")}`);
  return [...parts, "--save-disks disks.h5", "--out strain"].join(" ");
}

/** The same in Python. */
export function pythonLines(of: Reproduced): string {
  const { template_radius: radius, template_edge: edge, ...others } = of.disks;
  const named = (all: Record<string, number>): string =>
    Object.entries(all).map(([name, value]) => `, ${name}=${value}`).join("");
  const probe = radius
    ? `stem4d.synthetic_template(${radius}, ${edge ?? 1})`
    : "stem4d.fit_template(scan)";
  const lines = [
    "from sluice import load, stem4d",
    "",
    ...(of.loading.length > 0 ? [`# loaded with: ${of.loading.join(" ")}`] : []),
    `scan = load(${JSON.stringify(of.path)})`,
    `plan = stem4d.know_lattice(scan, stem4d.plan_disks(scan, ${probe}${named(others)}))`,
    "vectors = stem4d.find_disks(scan, plan)",
    "fit = stem4d.refine_lattice(scan, plan)[1] if plan.lattice else stem4d.fit_lattice(vectors)",
  ];
  const more = of.axisDegrees === 0 ? "" : `, axis_degrees=${of.axisDegrees}`;
  if (of.region) {
    lines.unshift("import numpy");
    lines.push(
      "region = numpy.zeros(scan.scan_shape, bool)",
      `region[${pointsOf(of.region, of.scan).join(", ")}] = True`,
    );
  }
  lines.push(`strain = stem4d.strain(fit${of.region ? ", region=region" : ""}${more})`);
  return `${lines.join("\n")}\n`;
}
