// Volumes for tests.
// SPDX-License-Identifier: Apache-2.0
import type { Structure, Volume } from "./types";

/** A dose of 6 x 5 x 4 elements, as the server describes it; with changes. */
export function volume(changes: Partial<Volume> = {}): Volume {
  return {
    id: "v1",
    name: "dose.mha",
    path: "/data/dose.mha",
    kind: "dose",
    unit: "Gy",
    content: "dose, Gy",
    depth: false,
    lies: "mm",
    spaced: true,
    sides: [6, 5, 4],
    spacing: [2, 2, 3],
    origin: [-5, -4, 0],
    least: 0,
    most: 50,
    mostAt: [5, 4, 9],
    notFinite: 0,
    notes: [],
    ...changes,
  };
}

/** Of the same place, in HU, on a finer grid. */
export const ct = (changes: Partial<Volume> = {}): Volume =>
  volume({
    id: "v2",
    name: "ct.mha",
    kind: "ct",
    unit: "HU",
    sides: [12, 10, 4],
    spacing: [1, 1, 3],
    least: -1000,
    most: 1500,
    ...changes,
  });

/** A dose of `sluice proton run`: 4 columns, 10 planes. */
export const run = (changes: Partial<Volume> = {}): Volume =>
  volume({
    depth: true,
    sides: [4, 10],
    spacing: [0.5, 1],
    origin: [-0.75, 0.5],
    mostAt: [0.25, 7.5],
    ...changes,
  });

export const organ = (changes: Partial<Structure> = {}): Structure => ({
  id: "s1",
  name: "PTV",
  type: "PTV",
  volume: 12.345,
  why: "",
  ...changes,
});
