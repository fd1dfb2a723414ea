// What the page of volumes asks, and what its server says.
// SPDX-License-Identifier: Apache-2.0
import {
  asFields,
  asList,
  type Fields,
  Malformed,
  number,
  text,
  texts,
  whole,
} from "../shell/protocol/check";
import { unknownOp } from "../shell/protocol/decode";
import type {
  Dialect,
  Greeting,
  Message,
  Progress,
  Reply,
  Words,
} from "../shell/protocol/messages";
import type { Raster, WireArray } from "../types";
import type { Lies, Place, Structure, Volume } from "./types";

/** A request without its id and slot, which the connection adds. */
export type Request =
  | { op: "plane"; volume: string; onto: string; across: string; down: string; at: number }
  | { op: "profile"; volumes: readonly string[]; along: string; through: Place }
  | { op: "difference"; volume: string; minus: string }
  | { op: "outlines"; structures: readonly string[]; onto: string; across: string; down: string; at: number }
  | { op: "histogram"; volume: string; structure: string; to: number };

export interface Hello extends Greeting {
  volumes: Volume[];
  structures: Structure[];
  notes: string[];
}

export interface PlaneAnswer extends Reply {
  op: "plane";
  raster: Raster;
}
export interface ProfileAnswer extends Reply {
  op: "profile";
  /** Along the axis, ascending. */
  positions: Float64Array;
  /** One list for each volume that was asked for; NaN where it is not. */
  values: Float32Array[];
}
/** What one volume has more than another. */
export interface DifferenceAnswer extends Reply {
  op: "difference";
  /** Where both have a value; 0: all that follows is NaN. */
  points: number;
  mean: number;
  meanSize: number;
  least: number;
  leastAt: Place;
  most: number;
  mostAt: Place;
}
/** Lines of structures on a plane. */
export interface OutlinesAnswer extends Reply {
  op: "outlines";
  /** Whose each line is, by its number in the request, and how many points it has. */
  lines: readonly { structure: number; points: number }[];
  /** mm along across and down, of one line after the other. */
  points: Float64Array;
}
/** How much of a structure has how much dose. */
export interface HistogramAnswer extends Reply {
  op: "histogram";
  /** cm3, of the whole structure and of what of it lies in the dose. */
  volume: number;
  inside: number;
  least: number;
  mean: number;
  most: number;
  d98: number;
  d95: number;
  d50: number;
  d2: number;
  doses: Float64Array;
  /** The part, 0 to 1, that has at least each dose. */
  parts: Float64Array;
}
export type Answer =
  | PlaneAnswer
  | ProfileAnswer
  | DifferenceAnswer
  | OutlinesAnswer
  | HistogramAnswer
  | (Reply & { op: "pong" });

/** What the page of volumes and its server say. */
export interface VolumeWords extends Words {
  request: Request;
  hello: Hello;
  answer: Answer;
  progress: Progress;
  news: never;
}

const KINDS = ["ct", "dose", "other"] as const;
const LIES: readonly Lies[] = ["mm", "turned", "unknown"];

function oneOf<T extends string>(from: Fields, name: string, words: readonly T[]): T {
  const found = words.find((word) => word === from[name]);
  if (found === undefined) throw new Malformed(`${name} is none of ${words.join(", ")}`);
  return found;
}

const numbers = (from: Fields, name: string): number[] =>
  asList(from[name], name, 3).map((value) => number({ value }, "value"));

function place(from: Fields, name: string): Place {
  const [x, y, z] = numbers(from, name);
  if (x === undefined || y === undefined || z === undefined) throw new Malformed(`${name} is no place`);
  return [x, y, z];
}

const orNull = (from: Fields, name: string): number | null =>
  from[name] === null ? null : number(from, name);

function readVolume(from: Fields): Volume {
  const sides = asList(from.sides, "sides", 3).map((side) => whole({ side }, "side", 1, 1 << 24));
  const volume: Volume = {
    id: text(from, "id"),
    name: text(from, "name"),
    path: text(from, "path", ""),
    kind: oneOf(from, "kind", KINDS),
    unit: text(from, "unit", ""),
    content: text(from, "content", ""),
    depth: from.depth === true,
    lies: oneOf(from, "lies", LIES),
    spaced: from.spaced === true,
    sides,
    spacing: numbers(from, "spacing"),
    origin: numbers(from, "origin"),
    least: orNull(from, "least"),
    most: orNull(from, "most"),
    mostAt: numbers(from, "most_at"),
    notFinite: number(from, "not_finite", 0),
    notes: texts(from, "notes"),
  };
  const { spacing, origin, mostAt } = volume;
  const axes = [sides, spacing, origin, mostAt].every(({ length }) => length === sides.length);
  if (sides.length < 2 || !axes || !spacing.every((step) => step > 0))
    throw new Malformed("a volume has no 2 or 3 axes with a spacing each");
  return volume;
}

const readStructure = (from: Fields): Structure => ({
  id: text(from, "id"),
  name: text(from, "name", ""),
  type: text(from, "type", ""),
  volume: orNull(from, "volume_cm3"),
  why: text(from, "why", ""),
});

function readHello(from: Fields): Hello {
  return {
    op: "hello",
    protocol: number(from, "protocol"),
    version: text(from, "version", ""),
    volumes: asList(from.volumes, "volumes", 64).map((one) => readVolume(asFields(one, "volume"))),
    structures: asList(from.structures ?? [], "structures", 256).map((one) =>
      readStructure(asFields(one, "structure")),
    ),
    notes: texts(from, "notes"),
  };
}

function readPlane(of: Reply, [array]: WireArray[]): PlaneAnswer {
  const [rows, cols, ...more] = array?.shape ?? [];
  if (!array || rows === undefined || cols === undefined || more.length > 0)
    throw new Malformed("a plane is no array of two axes");
  return { op: "plane", ...of, raster: { rows, cols, values: array.values } };
}

function readProfile(of: Reply, [positions, values]: WireArray[]): ProfileAnswer {
  const [lines, length] = values?.shape ?? [];
  if (!(positions?.values instanceof Float64Array) || !(values?.values instanceof Float32Array))
    throw new Malformed("a profile lacks positions or values");
  const all = values.values;
  if (lines === undefined || length === undefined || length !== positions.values.length)
    throw new Malformed("a profile has other positions than values");
  return {
    op: "profile",
    ...of,
    positions: positions.values,
    values: Array.from({ length: lines }, (_, i) => all.subarray(i * length, (i + 1) * length)),
  };
}

function readDifference(of: Reply, from: Fields): DifferenceAnswer {
  const points = whole(from, "points", 0, Number.MAX_SAFE_INTEGER);
  const some = points > 0;
  const nowhere: Place = [NaN, NaN, NaN];
  return {
    op: "difference",
    ...of,
    points,
    mean: some ? number(from, "mean") : NaN,
    meanSize: some ? number(from, "mean_size") : NaN,
    least: some ? number(from, "least") : NaN,
    leastAt: some ? place(from, "least_at") : nowhere,
    most: some ? number(from, "most") : NaN,
    mostAt: some ? place(from, "most_at") : nowhere,
  };
}

function readOutlines(of: Reply, [lines, points]: WireArray[]): OutlinesAnswer {
  if (!(lines?.values instanceof Float64Array) || !(points?.values instanceof Float64Array))
    throw new Malformed("outlines lack lines or points");
  const all = lines.values;
  const told = Array.from({ length: all.length >> 1 }, (_, i) => ({
    structure: all[2 * i]!,
    points: all[2 * i + 1]!,
  }));
  if (2 * told.reduce((sum, line) => sum + line.points, 0) !== points.values.length)
    throw new Malformed("outlines have other points than lines");
  return { op: "outlines", ...of, lines: told, points: points.values };
}

function readHistogram(of: Reply, from: Fields, [doses, parts]: WireArray[]): HistogramAnswer {
  if (!(doses?.values instanceof Float64Array) || !(parts?.values instanceof Float64Array))
    throw new Malformed("a histogram lacks doses or parts");
  if (doses.values.length !== parts.values.length)
    throw new Malformed("a histogram has other doses than parts");
  const [volume, inside] = [number(from, "volume_cm3"), number(from, "inside_cm3")];
  const [least, mean, most] = [number(from, "least"), number(from, "mean"), number(from, "most")];
  const [d98, d95, d50, d2] = [number(from, "d98"), number(from, "d95"), number(from, "d50"), number(from, "d2")];
  const curve = { doses: doses.values, parts: parts.values };
  return { op: "histogram", ...of, volume, inside, least, mean, most, d98, d95, d50, d2, ...curve };
}

function read(op: string, from: Fields, arrays: WireArray[]): Message<VolumeWords> {
  if (op === "hello") return { kind: "hello", message: readHello(from) };
  const id = whole(from, "id", 0, Number.MAX_SAFE_INTEGER);
  const slot = text(from, "slot");
  switch (op) {
    case "plane":
      return { kind: "answer", message: readPlane({ id, slot }, arrays) };
    case "profile":
      return { kind: "answer", message: readProfile({ id, slot }, arrays) };
    case "difference":
      return { kind: "answer", message: readDifference({ id, slot }, from) };
    case "outlines":
      return { kind: "answer", message: readOutlines({ id, slot }, arrays) };
    case "histogram":
      return { kind: "answer", message: readHistogram({ id, slot }, from, arrays) };
    case "pong":
      return { kind: "answer", message: { op, id, slot } };
    default:
      throw unknownOp(op);
  }
}

/** The dialect of the page of volumes. The difference of large volumes takes some seconds. */
export const dialect: Dialect<VolumeWords> = { patience: 60_000, read };
