// What the page of slides asks, and what its server says.
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
import type { WireArray } from "../types";
import type { Attachment, Cell, Channel, Damage, Dimension, Rect, Scene, Slide } from "./types";

/** A request without its id and slot, which the connection adds. */
export type Request =
  | ({ op: "tile"; slide: string; plane: Readonly<Record<string, number>> } & Cell)
  | { op: "attachment"; slide: string; number: number }
  /** What the slot asked for is not wanted any more. */
  | { op: "stop" };

export interface Hello extends Greeting {
  /** Pixels along each side of a tile. */
  side: number;
  slides: Slide[];
  notes: string[];
}

export interface TileAnswer extends Reply {
  op: "tile";
  /** [row][col][sample], or null where the slide has nothing. */
  pixels: WireArray | null;
  damage: Damage[];
}

export type Answer =
  | TileAnswer
  | (Reply & { op: "attachment"; bytes: Uint8Array })
  | (Reply & { op: "pong" });

/** What the page of slides and its server say. */
export interface SlideWords extends Words {
  request: Request;
  hello: Hello;
  answer: Answer;
  /** In tiles of the file. */
  progress: Progress;
  news: never;
}

const MOST = 100_000;

const list = (from: Fields, name: string, most = MOST): Fields[] =>
  asList(from[name] ?? [], name, most).map((one) => asFields(one, name));

function rect(value: unknown): Rect {
  const [x, y, width, height] = asList(value, "rectangle", 4);
  const all = { x, y, width, height };
  return [
    number(all, "x"),
    number(all, "y"),
    whole(all, "width", 0, 2 ** 40),
    whole(all, "height", 0, 2 ** 40),
  ];
}

function pair(value: unknown): [number, number] {
  const [x, y] = asList(value ?? [0, 0], "pixel_um", 2);
  return [number({ x }, "x", 0), number({ y }, "y", 0)];
}

function readChannel(from: Fields): Channel {
  const color = text(from, "color", "");
  return {
    at: whole(from, "at", -(2 ** 31), 2 ** 31),
    name: text(from, "name", ""),
    color: /^[0-9a-f]{6}$/i.test(color) ? color : "",
    low: number(from, "low", 0),
    high: number(from, "high", 0),
    sample: typeof from.sample === "string" ? from.sample : "",
    samples: whole(from, "samples", 1, 4, 1),
  };
}

function readDimension(from: Fields): Dimension {
  return {
    letter: text(from, "letter"),
    first: whole(from, "first", -(2 ** 31), 2 ** 31),
    count: whole(from, "count", 1, 2 ** 31),
  };
}

function readScene(from: Fields): Scene {
  return {
    scene: whole(from, "scene", -(2 ** 31), 2 ** 31),
    name: text(from, "well", "") || text(from, "name", ""),
    bounds: rect(from.bounds),
  };
}

function readAttachment(from: Fields): Attachment {
  return {
    name: text(from, "name", ""),
    type: text(from, "type", ""),
    bytes: number(from, "bytes", 0),
  };
}

function readSlide(from: Fields): Slide {
  const info = asFields(from.info ?? {}, "info");
  return {
    id: text(from, "id"),
    name: text(from, "name"),
    path: text(from, "path", ""),
    bounds: rect(from.bounds),
    zooms: whole(from, "zooms", 1, 32),
    pyramid: list(info, "levels").length > 1,
    pixel: pair(from.pixel_um),
    zStep: number(from, "z_um", 0),
    tStep: number(from, "interval_s", 0),
    dimensions: list(from, "dimensions", 8).map(readDimension),
    channels: list(from, "channels").map(readChannel),
    scenes: list(from, "scenes").map(readScene),
    attachments: list(info, "attachments").map(readAttachment),
    notes: texts(from, "notes"),
    info,
  };
}

function readDamage(from: Fields): Damage {
  return { rect: rect(from.rect), message: text(from, "message", "") };
}

/** The one array of a message, of this many dimensions. */
function only(arrays: WireArray[], dimensions: number): WireArray {
  const [array] = arrays;
  if (!array || array.shape.length !== dimensions)
    throw new Malformed(`there is no array of ${dimensions} dimensions`);
  return array;
}

function readHello(from: Fields): Hello {
  return {
    op: "hello",
    protocol: number(from, "protocol"),
    version: text(from, "version", ""),
    side: whole(from, "tile", 16, 4096),
    slides: list(from, "slides").map(readSlide),
    notes: texts(from, "notes"),
  };
}

function readTile(of: Reply, from: Fields, arrays: WireArray[]): TileAnswer {
  const pixels = from.empty === true ? null : only(arrays, 3);
  const samples = pixels?.shape[2] ?? 1;
  if (samples !== 1 && samples !== 3 && samples !== 4)
    throw new Malformed(`a pixel of ${samples} samples`);
  return { op: "tile", ...of, pixels, damage: list(from, "bad", 64).map(readDamage) };
}

function read(op: string, from: Fields, arrays: WireArray[]): Message<SlideWords> {
  if (op === "hello") return { kind: "hello", message: readHello(from) };
  const id = whole(from, "id", 0, Number.MAX_SAFE_INTEGER);
  const slot = text(from, "slot");
  switch (op) {
    case "tile":
      return { kind: "answer", message: readTile({ id, slot }, from, arrays) };
    case "attachment": {
      const { values } = only(arrays, 1);
      if (!(values instanceof Uint8Array)) throw new Malformed("an attachment is no bytes");
      return { kind: "answer", message: { op, id, slot, bytes: values } };
    }
    case "progress": {
      const [done, total] = [number(from, "done"), number(from, "total")];
      return { kind: "progress", message: { op, id, slot, done, total } };
    }
    case "pong":
      return { kind: "answer", message: { op, id, slot } };
    default:
      throw unknownOp(op);
  }
}

/** The dialect of the page of slides. A read may take as long as it takes: the page shows that it
 *  goes on, and stops it when the tile leaves the view. */
export const dialect: Dialect<SlideWords> = { patience: Infinity, read };
