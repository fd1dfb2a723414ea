// Orientations of the server in memory.
// SPDX-License-Identifier: Apache-2.0
import type { WireArray } from "../../types";
import type { Dataset } from "../types";
import { FAKE_PLAN } from "./fake_crystal";

export const FAKE_CRYSTALS = [
  { name: "Gold", file: "/data/gold.cif", notes: [] },
  { name: "Iron", file: "/data/iron.cif", notes: ["the origin is the second one"] },
];

export const FAKE_ORIENTATION = {
  directions: ["z", "x", "y"],
  phases: [
    { name: "Gold", laue: "m-3m", indexed: 46 },
    { name: "Iron", laue: "m-3m", indexed: 0 },
  ],
  reasons: ["indexed", "the pattern has no disks", "too few disks"],
  disk_reasons: ["found", "not measured", "no counts"],
  indexed: 46,
  disks: 480,
  zones: 300,
  kilovolts: 300,
  calibration: { by: "step", pixel_size: 0.025, error: 0, center: [7.5, 7.5], rotation: null },
  common_factor: null,
  common_factor_error: null,
  notes: ["patterns are kinematic"],
  plan: FAKE_PLAN,
};

const counts = (name: string, shape: number[], values: Uint8Array): WireArray => ({
  name,
  dtype: "uint8",
  shape,
  values,
});
const floats = (name: string, shape: number[], values: Float32Array): WireArray => ({
  name,
  dtype: "float32",
  shape,
  values,
});

/** The first point has no disks, the second too few; all others are gold. */
export function fakeOrientation({ scan: [rows, cols] }: Dataset): WireArray[] {
  const area = rows * cols;
  const of = (known: (i: number) => number): Float32Array =>
    Float32Array.from({ length: area }, (_, i) => (i > 1 ? known(i) : NaN));
  const colors = Uint8Array.from({ length: 9 * area }, (_, i) =>
    Math.floor(i / 3) % area > 1 ? 60 + (i % 3) * 40 : 0,
  );
  const euler = Float32Array.from({ length: 3 * area }, (_, i) =>
    i > 5 ? [10, 20, 30][i % 3]! : NaN,
  );
  const legend = new Uint8Array(4 * 5 * 3).fill(90);
  return [
    counts("colors", [3, rows, cols, 3], colors),
    counts("phase", [rows, cols], Uint8Array.from({ length: area }, (_, i) => (i > 1 ? 1 : 0))),
    counts("reason", [rows, cols], Uint8Array.from({ length: area }, (_, i) => [1, 2][i] ?? 0)),
    floats("probability", [rows, cols], of(() => 0.99)),
    floats("error", [rows, cols], of(() => 0.12)),
    floats("euler", [rows, cols, 3], euler),
    counts("disk_reason", [rows, cols], Uint8Array.from({ length: area }, (_, i) => [2][i] ?? 0)),
    counts("legend 0", [4, 5, 3], legend),
    counts("legend 1", [4, 5, 3], legend),
  ];
}

const candidate = (logOdds: number, phi1: number): object => ({
  phase: 0,
  name: "Gold",
  euler: [phi1, 20, 30],
  zone: "[1 1 2]",
  zone_degrees: 0.94,
  log_odds: logOdds,
  score: 0.9,
  explained: 0.95,
  matched: 14,
  error: 0.12,
});

/** Of the first point there is nothing; of others two candidates with two spots and one. */
export function fakeMatch(row: number, col: number): { words: object; arrays: WireArray[] } {
  const none = row === 0 && col === 0;
  const spots = [0, 4.5, 7.5, 1, 1, 1, 1, 0, 7.5, 11.5, 0.25, 2, 0, 0, 1, 10.5, 7.5, 1, 1, -1, 1];
  const words = none
    ? { code: 1, reason: "the pattern has no disks", probability: null, candidates: [] }
    : { code: 0, reason: "indexed", probability: 0.99, candidates: [candidate(50, 10), candidate(42, 100)] };
  return {
    words: { ...words, disk_reason: none ? "no counts" : "found", disks: none ? 0 : 15 },
    arrays: [
      {
        name: "spots",
        dtype: "float32",
        shape: [none ? 0 : 3, 7],
        values: none ? new Float32Array(0) : Float32Array.from(spots),
      },
    ],
  };
}
