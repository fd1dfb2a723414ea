// Tests of what the page takes from the server, and what it does not.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import type { Fields } from "../shell/protocol/check";
import { decode as decodeOf } from "../shell/protocol/decode";
import { encodeBinary } from "../shell/protocol/encode";
import type { WireArray } from "../types";
import { dialect } from "./messages";

const decode = (data: unknown) => decodeOf(data, dialect);

const slide: Fields = {
  id: "s1",
  name: "a.czi",
  path: "/a.czi",
  bounds: [-70, 40, 1200, 600],
  zooms: 3,
  pixel_um: [0.22, 0.22],
  z_um: 1,
  interval_s: 0,
  dimensions: [{ letter: "Z", first: 0, count: 2 }],
  channels: [
    {
      at: 0,
      name: "DAPI",
      color: "0000FF",
      low: 0,
      high: 0.5,
      sample: "uint16",
      samples: 1,
    },
  ],
  scenes: [{ scene: 2, bounds: [0, 0, 10, 10], well: "D6", name: "x" }],
  notes: [],
  info: {
    levels: [{ factor: 1 }, { factor: 2 }],
    attachments: [{ name: "Label", type: "JPG", bytes: 3 }],
  },
};
const hello = (changes: Fields = {}): string =>
  JSON.stringify({
    op: "hello",
    protocol: 1,
    version: "1",
    tile: 512,
    slides: [{ ...slide, ...changes }],
    notes: [],
  });
const problem = (data: unknown): string => {
  const decoded = decode(data);
  return decoded.ok ? "" : decoded.problem;
};
const tile = (shape: number[], values: WireArray["values"], header: Fields = {}): ArrayBuffer =>
  encodeBinary({ op: "tile", id: 1, slot: "t0", empty: false, bad: [], ...header }, [
    { name: "pixels", dtype: "uint8", shape, values },
  ]);

test("reads a hello", () => {
  const decoded = decode(hello());
  if (!decoded.ok || decoded.kind !== "hello") throw new Error("no hello");
  const [first] = decoded.message.slides;
  expect(first).toMatchObject({ pyramid: true, zStep: 1, attachments: [{ name: "Label" }] });
  expect(first?.scenes[0]).toEqual({ scene: 2, name: "D6", bounds: [0, 0, 10, 10] });
  expect(first?.channels[0]?.color).toBe("0000FF");
});

test("refuses slides that are none", () => {
  expect(problem(hello({ bounds: [0, 0, 1e300, 1] }))).toContain("width");
  expect(problem(hello({ bounds: [0, 0, 10] }))).toContain("height");
  expect(problem(hello({ zooms: 33 }))).toContain("zooms");
  expect(problem(hello({ channels: [{ at: 0, samples: 5 }] }))).toContain("samples");
  expect(problem(hello({ dimensions: [{ letter: "Z", first: 0, count: 0 }] }))).toContain("count");
  const decoded = decode(hello({ channels: [{ at: 0, color: "url(evil)" }] }));
  if (!decoded.ok || decoded.kind !== "hello") throw new Error("no hello");
  expect(decoded.message.slides[0]?.channels[0]?.color).toBe("");
});

test("reads tiles, and those where nothing is", () => {
  const decoded = decode(tile([1, 2, 3], Uint8Array.of(1, 2, 3, 4, 5, 6)));
  if (!decoded.ok || decoded.kind !== "answer" || decoded.message.op !== "tile")
    throw new Error("no tile");
  expect([...decoded.message.pixels!.values]).toEqual([1, 2, 3, 4, 5, 6]);
  const empty = decode(JSON.stringify({ op: "tile", id: 1, slot: "t0", empty: true }));
  expect(empty).toMatchObject({ ok: true, message: { pixels: null, damage: [] } });
});

test("refuses tiles that are none", () => {
  expect(problem(tile([1, 3, 2], new Uint8Array(6)))).toContain("2 samples");
  expect(problem(tile([6], new Uint8Array(6)))).toContain("3 dimensions");
  expect(problem(tile([100, 100, 3], new Uint8Array(6)))).toContain("ends after");
  expect(problem(tile([1, 2, 3], new Uint8Array(6), { id: -1 }))).toContain("id");
  expect(problem(tile([1, 2, 3], new Uint8Array(6), { bad: [{ rect: "x" }] }))).toContain(
    "rectangle",
  );
  expect(problem(JSON.stringify({ op: "tile", id: 1, slot: "t0" }))).toContain("no array");
  expect(problem("{")).not.toBe("");
  expect(problem(JSON.stringify({ op: "fly", id: 1, slot: "x" }))).toContain("fly");
  expect(problem(7)).toContain("neither");
});

test("reads errors with a code and the request, and without", () => {
  const error = { op: "error", id: 3, slot: "t0", message: "no such tile" };
  const read = (more: object): unknown => decode(JSON.stringify({ ...error, ...more }));
  const request = { op: "tile", slide: "s1", zoom: 0, row: 0, col: 0 };
  expect(read({})).toEqual({ ok: true, kind: "error", message: { ...error, code: "" } });
  expect(read({ code: "range", request })).toEqual({
    ok: true,
    kind: "error",
    message: { ...error, code: "range" },
  });
  // Where the server could not read the request it knows no slot.
  expect(read({ code: "bad", id: null, slot: null, request: null })).toMatchObject({
    message: { id: null, slot: null },
  });
});
