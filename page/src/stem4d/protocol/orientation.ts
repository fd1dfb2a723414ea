// What the server says of orientations, read from untrusted JSON.
// SPDX-License-Identifier: Apache-2.0
import { asFields, asList, type Fields, number, text, texts, whole } from "../../shell/protocol/check";

/** A crystal that the command line named. */
export interface KnownCrystal {
  name: string;
  file: string;
  /** What its file left open. */
  notes: string[];
}

/** Of a scan's orientations, beside its arrays. */
export interface OrientationWords {
  /** Of the scan, in the order of the colours. */
  directions: string[];
  phases: { name: string; laue: string; indexed: number }[];
  /** By the codes of `reason` and `disk_reason`. */
  reasons: string[];
  diskReasons: string[];
  /** Points. */
  indexed: number;
  /** Found in the whole scan. */
  disks: number;
  zones: number;
  kilovolts: number;
  scale: { by: string; pixelSize: number; error: number };
  notes: string[];
}

/** An orientation that was fitted to the disks of a pattern. */
export interface Candidate {
  phase: number;
  name: string;
  /** Bunge's, in degrees. */
  euler: [phi1: number, phi: number, phi2: number];
  /** The nearest axis of small indices, as "[1 1 2]". */
  zone: string;
  zoneDegrees: number;
  /** Against chance. */
  logOdds: number;
  score: number;
  explained: number;
  /** Disks that its reflections explain. */
  matched: number;
  /** One standard error of the rotation, in degrees; NaN: not known. */
  error: number;
}

/** What competes for a pattern, beside its spots. */
export interface MatchWords {
  /** 0: the first candidate is believed. */
  code: number;
  reason: string;
  diskReason: string;
  /** That the first candidate is right; NaN: there is none. */
  probability: number;
  disks: number;
  candidates: Candidate[];
}

export function readCrystals(value: unknown): KnownCrystal[] {
  if (value === undefined) return [];
  return asList(value, "crystals", 1000).map((one) => {
    const from = asFields(one, "crystal");
    return { name: text(from, "name"), file: text(from, "file", ""), notes: texts(from, "notes") };
  });
}

export function readOrientation(from: Fields): OrientationWords {
  const scale = asFields(from.calibration, "calibration");
  return {
    directions: texts(from, "directions"),
    phases: asList(from.phases, "phases", 64).map((one) => {
      const phase = asFields(one, "phase");
      return {
        name: text(phase, "name"),
        laue: text(phase, "laue"),
        indexed: number(phase, "indexed"),
      };
    }),
    reasons: texts(from, "reasons"),
    diskReasons: texts(from, "disk_reasons"),
    indexed: number(from, "indexed"),
    disks: number(from, "disks"),
    zones: number(from, "zones", 0),
    kilovolts: number(from, "kilovolts"),
    scale: {
      by: text(scale, "by"),
      pixelSize: number(scale, "pixel_size"),
      error: number(scale, "error", 0),
    },
    notes: texts(from, "notes"),
  };
}

function readCandidate(value: unknown): Candidate {
  const from = asFields(value, "candidate");
  const [phi1, phi, phi2] = asList(from.euler, "euler", 3).map(Number);
  return {
    phase: whole(from, "phase", 0, 1000),
    name: text(from, "name"),
    euler: [phi1 ?? NaN, phi ?? NaN, phi2 ?? NaN],
    zone: text(from, "zone"),
    zoneDegrees: number(from, "zone_degrees"),
    logOdds: number(from, "log_odds"),
    score: number(from, "score", NaN),
    explained: number(from, "explained", NaN),
    matched: number(from, "matched"),
    error: number(from, "error", NaN),
  };
}

export function readMatch(from: Fields): MatchWords {
  return {
    code: whole(from, "code", 0, 255),
    reason: text(from, "reason"),
    diskReason: text(from, "disk_reason", ""),
    probability: number(from, "probability", NaN),
    disks: number(from, "disks"),
    candidates: asList(from.candidates, "candidates", 64).map(readCandidate),
  };
}
