// Structures: which of them are drawn, in which colours, and whose dose is told.
// SPDX-License-Identifier: Apache-2.0
import { computed } from "@preact/signals";
import { base, hidden, outlined, panel, structures, subject } from "./state";
import { aboveZero } from "./looks";
import type { OutlinesAnswer } from "./messages";
import type { PlaneKind, Structure, Volume } from "./types";

/** Told apart from isodoses by being many: of organs that lie beside each other neighbours differ. */
const COLOURS = [
  "#ff5f52", "#4fa8ff", "#63d471", "#ffb640", "#d48bff", "#35d6c9",
  "#ff8ac4", "#c3d94a", "#a3a8ff", "#ff9b7d", "#8fd0ff", "#e6c99a",
];

export const structureColour = (id: string): string => {
  const at = structures.value.findIndex((one) => one.id === id);
  return COLOURS[Math.max(at, 0) % COLOURS.length]!;
};

/** Whether it is known where a volume lies in the patient, as structures do. */
export const inPatient = ({ lies, sides }: Volume): boolean => lies === "mm" && sides.length === 3;

/** Those that are chosen and can be drawn. */
export const chosen = computed(() =>
  structures.value.filter(({ id, why }) => why === "" && !hidden.value.has(id)),
);

/** Those whose lines are drawn over the base now. */
export const drawn = computed(() =>
  outlined.value && base.value && inPatient(base.value) ? chosen.value : [],
);

/** Whose values histograms are of: what isodoses are drawn of. */
export const dosed = computed(() => {
  const of = subject.value;
  return of && structures.value.length > 0 && inPatient(of) && aboveZero(of) ? of : null;
});

/** Histograms are in the place of the profile. */
export const showsHistograms = computed(() => panel.value === "histogram" && dosed.value !== null);

export function show(ids: readonly string[], on: boolean): void {
  const next = new Set(hidden.value);
  for (const id of ids) {
    if (on) next.delete(id);
    else next.add(id);
  }
  hidden.value = next;
}

/** A line of a structure in pixels of a drawn plane: rows and columns, one after the other. */
export interface PixelLine {
  readonly structure: Structure;
  readonly points: readonly (readonly [row: number, col: number])[];
}

/** The lines of an answer in the pixels of a plane of the base. */
export function pixelLines(
  answer: OutlinesAnswer,
  of: readonly Structure[],
  here: Volume,
  plane: PlaneKind,
): PixelLine[] {
  const { across, down, up } = plane;
  const rowOf = (mm: number): number => {
    const row = (mm - here.origin[down]!) / here.spacing[down]!;
    return up ? here.sides[down]! - 1 - row : row;
  };
  const colOf = (mm: number): number => (mm - here.origin[across]!) / here.spacing[across]!;
  let from = 0;
  return answer.lines.flatMap(({ structure, points }) => {
    const found = of[structure];
    const all = Array.from({ length: points }, (_, i) => {
      const at = 2 * (from + i);
      return [rowOf(answer.points[at + 1]!), colOf(answer.points[at]!)] as const;
    });
    from += points;
    return found ? [{ structure: found, points: all }] : [];
  });
}

/** What SVG draws of lines, in pixels. */
export const pathOfLines = (lines: readonly PixelLine[]): string =>
  lines
    .map(({ points }) =>
      points.map(([row, col], i) => `${i === 0 ? "M" : "L"}${col.toFixed(3)} ${row.toFixed(3)}`).join(""),
    )
    .join("");
