// A reconstruction, at work or finished, as the server tells it.
// SPDX-License-Identifier: Apache-2.0
import type { Point } from "../types";

export interface Stage {
  /** Empty: unknown. */
  solver: string;
  iterations: number;
  /** It moves positions. */
  refines: boolean;
}

/** What something is called, and what it is. */
export type Pair = readonly [name: string, value: string];

/** What is known before anything is computed. */
export interface Job {
  /** Counts the jobs of one command, or the results that are shown together. */
  number: number;
  name: string;
  patterns: number;
  /** Pixels of a pattern's side; 0: unknown. */
  size: number;
  /** Pixels of the probe's side. */
  window: number;
  /** Of the object; 0: unknown. */
  pixelNm: number;
  wavelengthNm: number;
  slices: number;
  sliceNm: number;
  modes: number;
  stages: Stage[];
  /** It is of the same scan as the job before it: pictures of that one stay until its own come. */
  follows: boolean;
  /** Of a result: its file (empty: it is in none), where it comes from, and how it was made. */
  path: string;
  about: Pair[];
  settings: Pair[];
}

/** `paused`: it has ended, and one that follows it comes. `saved`: a result that was finished before, and is all here. */
export const STATES = ["waiting", "running", "paused", "finished", "stopped", "failed", "saved"] as const;

/** How far a job is. */
export interface Status {
  job: number;
  state: (typeof STATES)[number];
  /** Why it failed. */
  message: string;
  /** Iterations that are done, and all of them. */
  iteration: number;
  iterations: number;
  /** Patterns, over all iterations. */
  done: number;
  total: number;
  /** Patterns a second; null: not known. */
  rate: number | null;
  /** Seconds. */
  left: number | null;
  elapsed: number;
  r: number | null;
  /** What counting alone leaves of R; null: not known yet. */
  floor: number | null;
  /** How often the reconstruction went back to an earlier state, and R with it. */
  curve: number;
  /** The newest that can be asked for; 0: none. */
  snapshot: number;
  /** Iterations that were done then. */
  snapshotIteration: number;
  /** Of the modes; their sum is 1. */
  powers: number[];
  notes: string[];
}

/** Complex values, row by row. */
export interface Wave {
  readonly rows: number;
  readonly cols: number;
  readonly real: Float32Array;
  readonly imag: Float32Array;
}

/** Of the windows' first pixels: where they began, and by how much they moved. */
export interface Positions {
  readonly started: readonly Point[];
  readonly moved: readonly Point[];
  /** False: nobody knows whether they moved, and `moved` is 0. */
  readonly known: boolean;
}

/** A job and how far it is. */
export interface Told {
  job: Job;
  state: Status;
}

/** Pixels of the object: first included, last not. */
export interface Area {
  readonly rows: readonly [first: number, last: number];
  readonly cols: readonly [first: number, last: number];
}
