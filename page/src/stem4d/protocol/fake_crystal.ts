// Disks and strain of the server in memory.
// SPDX-License-Identifier: Apache-2.0
import type { WireArray } from "../../types";
import type { Dataset } from "../types";

interface AskedDisks {
  row?: number;
  col?: number;
  disks?: { least_score?: number };
}

/** What the server says of how it finds disks. */
export const FAKE_PLAN = {
  template: {
    radius: 3,
    edge_width: 1,
    radius_error: 0.01,
    edge_width_error: 0.02,
    fitted: true,
    source: "a test",
  },
  options: { least_snr: 3.5, least_score: 25, least_distance: 3, fit_radius: 7 },
  why: ["A disk is fitted to the pixels within 7.0 px of its centre."],
  notes: [],
};

/** One disk, whose place and score tell what was asked. */
export function fakeDisks({ row = 0, col = 0, disks = {} }: AskedDisks): WireArray {
  const { least_score: score = 25 } = disks;
  const values = Float32Array.of(7.5 + row / 8, 7.5 + col / 6, 10, 1, 0.04, 0.01, 0.005, 0.5, score);
  return { name: "disks", dtype: "float32", shape: [1, 9], values };
}

export const FAKE_STRAIN = {
  maps: [
    { name: "e_xx", unit: "" },
    { name: "e_yy", unit: "" },
    { name: "e_xy", unit: "" },
    { name: "omega", unit: "deg" },
  ],
  disks: 48,
  fitted: 47,
  sigma_sys: 0.01,
  basis: { origin: [7.5, 7.5], a: [4, 0], b: [0, 4] },
  reasons: ["fitted", "no disks"],
  disk_reasons: ["found", "not measured", "no counts"],
  notes: ["x is the row axis"],
  plan: FAKE_PLAN,
};

/** Maps that grow along the scan; the first point has no lattice, since it has no counts. */
export function fakeStrain({ scan: [rows, cols] }: Dataset): WireArray[] {
  const area = rows * cols;
  const numbers = (
    name: string,
    count: number,
    of: (i: number) => number,
    ...shape: number[]
  ): WireArray => ({
    name,
    dtype: "float32",
    shape,
    values: Float32Array.from({ length: count }, (_, i) => of(i)),
  });
  const place = (i: number): number => ((i % area) - area / 2) / 1000;
  const known = (i: number, value: number): number => (i % area === 0 ? NaN : value);
  const first = (i: number, value: number): number => (i === 0 ? value : 0);
  return [
    numbers("maps", 4 * area, (i) => known(i, place(i)), 4, rows, cols),
    numbers("errors", 4 * area, (i) => known(i, 0.001), 4, rows, cols),
    numbers("lattices", 6 * area, (i) => [7.5, 7.5, 4, 0, 0, 4][i % 6]!, rows, cols, 6),
    numbers("used", area, () => 9, rows, cols),
    numbers("reason", area, (i) => first(i, 1), rows, cols),
    numbers("disk_reason", area, (i) => first(i, 2), rows, cols),
  ];
}
