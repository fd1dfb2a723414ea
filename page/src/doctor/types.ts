// What the doctor found, as the server tells it.
// SPDX-License-Identifier: Apache-2.0

/** Of the rounds of a measurement, in the unit of its row. */
export interface Spread {
  min: number;
  lower: number;
  median: number;
  upper: number;
  max: number;
}

/** A line of the report. */
export interface Row {
  part: string;
  name: string;
  /** The value for people; empty: it was not taken. */
  text: string;
  /** null: it is no number. */
  value: number | null;
  unit: string;
  /** What such a machine gives at least; null: nobody can know. */
  expected: number | null;
  /** The same for people. */
  least: string;
  /** Where that is from. */
  rule: string;
  /** Why there is no value, or none of a quiet machine. */
  notTaken: string;
  /** "limits", "noise" or "instructions"; empty: it tells of its part alone. */
  topic: string;
  /** Share of the time in which its threads waited for a processor; null: not known. */
  waited: number | null;
  spread: Spread | null;
}

/** How much faster all threads are than one. */
export interface Scaling {
  work: string;
  threads: number;
  factor: number | null;
  expected: number | null;
  notTaken: string;
}

export interface Finding {
  rule: string;
  text: string;
  advice: string;
  evidence: string;
}

export interface Report {
  processor: string;
  /** When it was made, as ISO 8601. */
  time: string;
  quick: boolean;
  seconds: number;
  rows: Row[];
  scaling: Scaling[];
  findings: Finding[];
  /** As the server sent it, to be saved. */
  raw: object;
}

/** An examination at work. */
export interface Running {
  quick: boolean;
  /** It ends with the step that is being measured. */
  stopping: boolean;
  /** Steps. */
  done: number;
  total: number;
  /** What is being measured. */
  step: string;
  seconds: number;
}
