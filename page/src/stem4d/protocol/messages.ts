// What the page asks and what the server says, as types (docs/protocol.md).
// SPDX-License-Identifier: Apache-2.0
import type * as Shell from "../../shell/protocol/messages";
import type { Greeting, Reply, Words } from "../../shell/protocol/messages";
import type { Point, WireArray } from "../../types";
import type { DiskPlan, StrainWords } from "./crystal";
import type { KnownCrystal, MatchWords, OrientationWords } from "./orientation";
import type {
  Dataset,
  Descan,
  ImageMode,
  PatternKind,
  RegionKind,
  Rotation,
  ScaleBy,
  Shape,
} from "../types";

/** What orientations are found with. */
export interface OrientationQuery {
  dataset: string;
  disks: Record<string, number>;
  /** By their numbers in the greeting; none: all. */
  crystals: number[];
  library: { kilovolts?: number; zone_step?: number };
  match: { least_probability?: number };
  calibration: {
    by: ScaleBy;
    step_mrad?: number;
    center?: Point;
    rotation?: { degrees: number; transpose: boolean };
  };
}

/** Of a scan that is being measured: the answer waits until more than that has come. */
interface After {
  after?: number;
}

/** A request without its id and slot, which the connection adds. */
export type Request =
  | ({
      op: "image";
      dataset: string;
      mode: ImageMode;
      detectors: Shape[];
      rotation: Rotation;
      /** For modes of the centre of mass only. */
      descan?: Descan;
    } & After)
  | ({ op: "frame"; dataset: string; row: number; col: number } & After)
  | ({ op: "region"; dataset: string; region: Shape; kind: RegionKind } & After)
  | ({ op: "pattern"; dataset: string; kind: PatternKind } & After)
  | ({
      op: "disks";
      dataset: string;
      row: number;
      col: number;
      disks: Record<string, number>;
      /** The plan that was made for these options serves. */
      plan?: Record<string, number>;
    } & After)
  | {
      op: "strain";
      dataset: string;
      disks: Record<string, number>;
      strain: { axis_degrees?: number };
      /** What strain is measured from; the whole scan without one. */
      region?: Shape;
    }
  | ({ op: "orientation" } & OrientationQuery)
  | ({ op: "match"; row: number; col: number } & OrientationQuery)
  | { op: "stop"; dataset: string }
  | { op: "load"; dataset: string }
  | { op: "cancel"; dataset: string }
  | { op: "find_disk"; dataset: string }
  | { op: "shown"; dataset: string }
  | { op: "ping" };

/** The rotation that an image of the centre of mass was made with. */
export interface UsedRotation {
  degrees: number;
  transpose: boolean;
  /** Curl left over divergence: the smaller, the surer is the angle. */
  quality: number;
  /** Standard error of the angle in degrees; null: not told. */
  error: number | null;
  /** False: the data do not tell the angle. */
  determined: boolean;
  /** False: the opposite angle fits as well. */
  sign_known: boolean;
}

/** How much of a scan that is being measured an answer is of. */
export interface LiveMark {
  /** Points that had come, to be sent as `after` for what is newer; and all of the scan. */
  points: number;
  of: number;
  /** What comes does not change the answer. */
  final: boolean;
}

/** A stream that the server listens to. */
/** By how far a series lies from the first one, in scan points; NaN: that cannot be told. */
export interface Drift {
  dataset: string;
  /** The series that it is counted from, and its number from there on, from 1. */
  first: string;
  scan: number;
  text: string;
  row: number;
  col: number;
}

export interface LiveSource {
  address: string;
  state: "waiting" | "receiving";
  /** What is wrong with it; "": nothing. */
  message: string;
  /** So many came, and so many of them left memory. */
  series: number;
  dropped: number;
  /** Of series that have ended. */
  drift?: Drift[];
}

/** How a scan comes. */
export interface Coming {
  op: "coming";
  dataset: string;
  /** Frames that came, of all; those that are lost; those that came and wait. */
  received: number;
  of: number;
  lost: number;
  waiting: number;
  /** How long the one waits that waits longest, in ms. */
  lag: number;
  /** Frames per second. */
  rate: number;
  /** Seconds since the last one came. */
  silent: number;
}

export interface Hello extends Greeting {
  maxDetectors: number;
  datasets: Dataset[];
  watching: boolean;
  session: unknown;
  /** Options of the command line with which all datasets are loaded. */
  loading: string[];
  /** What the command line named. */
  crystals: KnownCrystal[];
  /** There is a calibration of the command line. */
  calibrated: boolean;
  /** Streams of the command line. */
  live: LiveSource[];
  notes: string[];
}

/** In bytes, or in what its task counts. Its slot is of a streamed image; null: the dataset is being loaded. */
export interface Progress extends Shell.Progress {
  dataset: string;
  /** Bytes per second. */
  rate: number;
  /** Seconds, or null when unknown. */
  left: number | null;
  /** Of disks, strain and orientations: what is being done. */
  task?: string;
}

/** An answer to a request, with the arrays that came in it. */
export interface Answer extends Reply {
  op:
    | "image"
    | "frame"
    | "region"
    | "pattern"
    | "disks"
    | "strain"
    | "orientation"
    | "match"
    | "load"
    | "cancel"
    | "find_disk"
    | "shown"
    | "pong";
  dataset: string;
  /** 1: of all scan points; k: of every k-th. */
  step: number;
  /** Null: the scan is complete. */
  live: LiveMark | null;
  /** Milliseconds that the server took. */
  ms: number;
  rotation: UsedRotation | null;
  /** What the server remarks about it, as sentences for the user. */
  notes: string[];
  /** Frames that a pattern was made of. */
  frames: number;
  /** Of disks: why there are none. */
  reason: string;
  /** How disks were found. */
  plan: DiskPlan | null;
  strain: StrainWords | null;
  orientation: OrientationWords | null;
  match: MatchWords | null;
  arrays: WireArray[];
}

/** What the page of scans and its server say. */
export interface ScanWords extends Words {
  request: Request;
  hello: Hello;
  answer: Answer;
  progress: Progress;
  news:
    | { op: "datasets"; datasets: Dataset[] }
    | { op: "dataset"; dataset: Dataset }
    | { op: "live"; live: LiveSource[] }
    | Coming;
}
