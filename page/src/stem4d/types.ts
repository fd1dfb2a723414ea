// The words of the page of scans.
// SPDX-License-Identifier: Apache-2.0
import type { Point } from "../types";

/** A region of a detector or of a scan; lengths in pixels (docs/protocol.md). */
export type Shape =
  | { shape: "point"; center: Point }
  | { shape: "disk"; center: Point; outer: number }
  | { shape: "annulus"; center: Point; inner: number; outer: number }
  | { shape: "square"; center: Point; outer: number }
  | { shape: "rectangle"; from: Point; to: Point }
  | { shape: "polygon"; corners: Point[] };

/** A virtual detector as the user sees it in the list. */
export interface Detector {
  /** Stays the same when it is renamed or moved. */
  key: string;
  name: string;
  /** CSS colour of its outline and of its image's frame. */
  color: string;
  region: Shape;
}

export interface Disk {
  row: number;
  col: number;
  radius: number;
}

/** What disks are found with, as the command line has it. */
export interface DiskOptions {
  least_snr: number;
  least_score: number;
  /** 0: the scan decides, as of the next two. */
  least_distance: number;
  fit_radius: number;
  template_radius: number;
  /** Of a template by numbers. */
  template_edge: number;
}

/** Where the size of a detector pixel comes from. */
export type ScaleBy = "automatic" | "file" | "step" | "crystal";

/** What orientations are found with. */
export interface OrientationOptions {
  /** 0: as the files say. */
  kilovolts: number;
  /** Degrees between zones of the library. */
  zoneStep: number;
  leastProbability: number;
  by: ScaleBy;
}

export type ImageMode =
  | "sum"
  | "mean"
  | "com_row"
  | "com_col"
  | "com_magnitude"
  | "com_vector"
  | "divergence"
  | "curl"
  | "icom";

export type Rotation = "none" | "auto" | { degrees: number; transpose: boolean };
/** What is subtracted from the centre of mass: its mean, or the plane that fits it best. */
export type Descan = "mean" | "plane";
export type RegionKind = "sum" | "mean" | "max";
export type PatternKind = RegionKind | "variance";

export type DatasetState =
  /** It is being measured. */
  | "live"
  | "waiting"
  | "preview"
  | "ready"
  | "streaming"
  | "stopped"
  /** Its files are not all there, or are still written. */
  | "awaited"
  | "incomplete"
  | "failed";

/** A series of a detector, of which its dataset is the scan. */
export interface LiveSeries {
  /** Of the stream. */
  address: string;
  /** The detector's name of it. */
  series: string;
  /** "14:03:22" */
  began: string;
  /** Frames still come. */
  running: boolean;
  /** On how many points its disk was found; 0: it was not looked for. */
  disk_points: number;
  /** What is lost, and what was wrong, in words. */
  problems: string[];
}

/** A dataset as the server describes it (docs/protocol.md). */
export interface Dataset {
  id: string;
  name: string;
  path: string;
  state: DatasetState;
  message: string;
  scan: [rows: number, cols: number];
  detector: [rows: number, cols: number];
  dtype: string;
  /** Of the subset that is loaded: every step-th scan point; 0: none yet, 1: all. */
  step: number;
  /** Of the electrons; 0: not known, as of the steps. */
  energy_kv: number;
  scan_step_nm: number;
  detector_step_mrad: number;
  disk: Disk | null;
  layout: string;
  bytes: { resident: number; source: number; float32: number };
  frames: number;
  missing: number;
  /** The files are not those that were read. */
  changed: boolean;
  /** Where the pixels of its arrays lie on the full, unbinned detector: pixel p is at
   *  origin + bin p. */
  grid: { origin: Point; bin: number };
  /** Of a pattern's values, and of sums of them. */
  units: { pixel: string; sum: string };
  /** How often it was read so far: answers from before are not those from after. */
  read: number;
  notes: string[];
  /** Null: it is of files. */
  live: LiveSeries | null;
  metadata: { name: string; value: string; unit: string }[];
}

/** What the user set or corrected; 0 or null: take what the file says. */
export interface Calibration {
  /** Size of a scan step in nm. */
  scanStep: number;
  /** Size of a detector pixel in mrad. */
  detectorStep: number;
  /** Of the pattern; the measured disk's when null. */
  center: Point | null;
  /** Of the scan against the detector, in degrees. */
  rotation: Rotation;
}
