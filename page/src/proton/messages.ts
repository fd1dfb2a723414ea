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
import type { Lies, Place, Volume } from "./types";

/** A request without its id and slot, which the connection adds. */
export type Request =
  | { op: "plane"; volume: string; onto: string; across: string; down: string; at: number }
  | { op: "profile"; volumes: readonly string[]; along: string; through: Place }
  | { op: "difference"; volume: string; minus: string };

export interface Hello extends Greeting {
  volumes: Volume[];
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
export type Answer =
  | PlaneAnswer
  | ProfileAnswer
  | DifferenceAnswer
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

function readHello(from: Fields): Hello {
  return {
    op: "hello",
    protocol: number(from, "protocol"),
    version: text(from, "version", ""),
    volumes: asList(from.volumes, "volumes", 64).map((one) => readVolume(asFields(one, "volume"))),
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
    case "pong":
      return { kind: "answer", message: { op, id, slot } };
    default:
      throw unknownOp(op);
  }
}

/** The dialect of the page of volumes. The difference of large volumes takes some seconds. */
export const dialect: Dialect<VolumeWords> = { patience: 60_000, read };
