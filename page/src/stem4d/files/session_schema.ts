// What a session file holds, and within which limits.
// SPDX-License-Identifier: Apache-2.0
import type { DisplaySettings, Point } from "../../types";
import type {
  Calibration,
  Descan,
  Detector,
  DiskOptions,
  ImageMode,
  OrientationOptions,
  PatternKind,
  RegionKind,
  Rotation,
  Shape,
} from "../types";
import { bool, fieldsOf, integer, list, matching, number } from "./check";
import { object, oneOf, orNull, text, wrong } from "./check";
import type { Check } from "./check";

export const schema = "sluice-session/1";

export type Panel = "pattern" | "image" | "fft";

/** Which dataset is meant, on this machine or another. */
export interface DatasetName {
  readonly name: string;
  readonly path: string;
}

/** Zoom in CSS pixels per image pixel, and the image point in the middle. */
export interface SessionView {
  readonly zoom: number;
  readonly center: Point;
}

export interface Session {
  readonly datasets: readonly DatasetName[];
  /** Index in `datasets` of the one that is looked at. */
  readonly dataset: number | null;
  readonly detectors: readonly Detector[];
  /** Key of the selected detector. */
  readonly selected: string | null;
  readonly saved: readonly { readonly name: string; readonly region: Shape }[];
  readonly mode: ImageMode;
  /** What the centre of mass is taken of. */
  readonly mask: "selected" | "whole";
  /** What is subtracted from it. */
  readonly descan: Descan;
  /** Of the dataset that is looked at. */
  readonly calibration: Calibration;
  /** What was set of each dataset, by its index in `datasets`. */
  readonly calibrations: readonly ({ readonly dataset: number } & Omit<Calibration, "rotation">)[];
  readonly scan: {
    readonly probe: Point;
    readonly region: Shape | null;
    readonly regionKind: RegionKind;
    readonly source: "probe" | "region" | PatternKind;
  };
  readonly display: Readonly<Record<Panel, DisplaySettings>>;
  readonly views: Readonly<Record<Panel, SessionView | null>>;
  readonly playback: {
    readonly loop: boolean;
    readonly bounce: boolean;
    readonly reverse: boolean;
    readonly fps: number;
  };
  readonly path: {
    readonly points: readonly Point[];
    readonly loop: boolean;
    /** Points per second. */
    readonly speed: number;
  };
  readonly profile: {
    readonly panel: Panel;
    readonly from: Point;
    readonly to: Point;
    readonly width: number;
  } | null;
  /** Indices in `datasets` of those that are compared. */
  readonly compare: { readonly open: boolean; readonly datasets: readonly number[] };
  /** What disks are found with; 0: the scan decides. */
  readonly disks: {
    readonly open: boolean;
    readonly options: DiskOptions;
    readonly reference: "median" | "region";
    readonly axisDegrees: number;
  };
  /** What orientations are found with; 0 kV: as the files say. */
  readonly orientation: OrientationOptions;
  readonly open: { readonly fft: boolean; readonly gallery: boolean; readonly disk: boolean };
}

const far = 1e7;
const coordinate = number(-far, far);
const length = number(0, far);
const named = text(1000);
const pathName = text(10000);
const panel = oneOf<Panel>("pattern", "image", "fft");

const point: Check<Point> = (value, at) => {
  const both = list(coordinate, 2, 2)(value, at);
  return [both[0]!, both[1]!];
};

const shapes: { [K in Shape["shape"]]: Check<Extract<Shape, { shape: K }>> } = {
  point: object({ shape: oneOf("point"), center: point }),
  disk: object({ shape: oneOf("disk"), center: point, outer: length }),
  annulus: object({ shape: oneOf("annulus"), center: point, inner: length, outer: length }),
  square: object({ shape: oneOf("square"), center: point, outer: length }),
  rectangle: object({ shape: oneOf("rectangle"), from: point, to: point }),
  polygon: object({ shape: oneOf("polygon"), corners: list(point, 1000, 3) }),
};

/** A shape from untrusted JSON. */
export const shape: Check<Shape> = (value, at) => {
  const kind = oneOf("point", "disk", "annulus", "square", "rectangle", "polygon");
  const found: Shape = shapes[kind(fieldsOf(value, at).get("shape"), `${at}.shape`)](value, at);
  if (found.shape === "annulus" && found.inner > found.outer)
    return wrong(`${at}.inner`, `at most outer (${found.outer})`, found.inner);
  return found;
};

const rotation: Check<Rotation> = (value, at) =>
  value === "none" || value === "auto"
    ? value
    : typeof value === "object"
      ? object({ degrees: number(-360, 360), transpose: bool })(value, at)
      : wrong(at, `"none", "auto" or degrees and transpose`, value);

const finite = number(-Number.MAX_VALUE, Number.MAX_VALUE);

const display = object<DisplaySettings>({
  scale: oneOf("linear", "log", "power"),
  power: number(0.01, 100),
  limits: (value, at) => {
    const fixed = object<Omit<DisplaySettings["limits"], "knee">>({
      kind: oneOf("percentile", "absolute"),
      low: finite,
      high: finite,
    })(value, at);
    const own = fieldsOf(value, at).get("knee");
    const knee = own === undefined ? undefined : number(1e-300, 1e300)(own, `${at}.knee`);
    const limits = { ...fixed, ...(knee !== undefined && { knee }) };
    const ends = [limits.low, limits.high];
    if (limits.kind === "percentile" && ends.some((v) => v < 0 || v > 100))
      return wrong(at, "percentiles from 0 to 100", ends);
    return limits;
  },
  map: matching(/^[\w-]{1,40}$/, "the name of a colour map"),
  invert: bool,
  symmetric: bool,
  smooth: bool,
  colorBar: bool,
  scaleBar: bool,
});

const view = orNull(object<SessionView>({ zoom: number(1e-6, 1e6), center: point }));

const color = matching(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i, "a colour like #4fc3f7");
const key = matching(/^[\w-]{1,64}$/, "a key of letters and digits");

const index = integer(0, 9999);

export const sections: { [K in keyof Session]: Check<Session[K]> } = {
  datasets: list(object<DatasetName>({ name: named, path: pathName }), 10000),
  dataset: orNull(index),
  detectors: list(object<Detector>({ key, name: named, color, region: shape }), 64),
  selected: orNull(key),
  saved: list(object<Session["saved"][number]>({ name: named, region: shape }), 1000),
  mode: oneOf<ImageMode>(
    "sum",
    "mean",
    "com_row",
    "com_col",
    "com_magnitude",
    "com_vector",
    "divergence",
    "curl",
    "icom",
  ),
  mask: oneOf("selected", "whole"),
  descan: oneOf<Descan>("mean", "plane"),
  calibration: object<Calibration>({
    scanStep: length,
    detectorStep: length,
    center: orNull(point),
    rotation,
  }),
  calibrations: list(
    object<Session["calibrations"][number]>({
      dataset: index,
      scanStep: length,
      detectorStep: length,
      center: orNull(point),
    }),
    10000,
  ),
  scan: object<Session["scan"]>({
    probe: point,
    region: orNull(shape),
    regionKind: oneOf<RegionKind>("sum", "mean", "max"),
    source: oneOf("probe", "region", "sum", "mean", "max", "variance"),
  }),
  display: object<Session["display"]>({ pattern: display, image: display, fft: display }),
  views: object<Session["views"]>({ pattern: view, image: view, fft: view }),
  playback: object<Session["playback"]>({
    loop: bool,
    bounce: bool,
    reverse: bool,
    fps: number(1, 60),
  }),
  path: object<Session["path"]>({
    points: list(point, 1 << 20),
    loop: bool,
    speed: number(0.01, 1000),
  }),
  profile: orNull(
    object<NonNullable<Session["profile"]>>({
      panel,
      from: point,
      to: point,
      width: number(1, 10000),
    }),
  ),
  compare: object<Session["compare"]>({ open: bool, datasets: list(index, 1000) }),
  disks: object<Session["disks"]>({
    open: bool,
    options: object<DiskOptions>({
      least_snr: length,
      least_score: length,
      least_distance: length,
      fit_radius: length,
      template_radius: length,
      template_edge: number(1e-3, 1e3),
    }),
    reference: oneOf("median", "region"),
    axisDegrees: number(-360, 360),
  }),
  orientation: object<OrientationOptions>({
    kilovolts: number(0, 10000),
    zoneStep: number(0.5, 30),
    leastProbability: number(0, 1),
    by: oneOf("automatic", "file", "step", "crystal"),
  }),
  open: object<Session["open"]>({ fft: bool, gallery: bool, disk: bool }),
};
