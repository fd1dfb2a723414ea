// Decoding: what is sent comes back, and hostile bytes are refused in words.
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { decode as decodeOf } from "../../shell/protocol/decode";
import { encodeBinary } from "../../shell/protocol/encode";
import type { WireArray } from "../../types";
import { fakeDataset } from "./fake";
import { dialect, rasters } from "./wire";

const decode = (data: unknown) => decodeOf(data, dialect);

const header = { op: "image", id: 7, slot: "image", dataset: "one", step: 4, ms: 1.5, dropped: 2 };
const images: WireArray = {
  name: "images",
  dtype: "float32",
  shape: [2, 2, 3],
  values: Float32Array.from({ length: 12 }, (_, at) => at / 2),
};

function problem(data: unknown): string {
  const decoded = decode(data);
  return decoded.ok ? "" : decoded.problem;
}

function wrongDataset(changes: object): string {
  return JSON.stringify({ op: "datasets", datasets: [{ ...fakeDataset("a"), ...changes }] });
}

/** A binary message with a header of the test's own, `bytes` of payload after it. */
function crafted(text: string, payload: number): ArrayBuffer {
  const length = Math.ceil((text.length + 4) / 8) * 8 - 4;
  const out = new Uint8Array(4 + length + payload).fill(32, 4, 4 + length);
  new DataView(out.buffer).setUint32(0, length, true);
  out.set(new TextEncoder().encode(text), 4);
  return out.buffer;
}

describe("a binary answer", () => {
  it("comes back with its header and arrays", () => {
    const decoded = decode(encodeBinary(header, [images]));
    if (!decoded.ok || decoded.kind !== "answer" || decoded.message.op !== "image")
      throw new Error("not an image");
    expect(decoded.message).toMatchObject(header);
    const [first, second] = rasters(decoded.message);
    expect(first).toMatchObject({ rows: 2, cols: 3 });
    expect([...(second?.values ?? [])]).toEqual([3, 3.5, 4, 4.5, 5, 5.5]);
  });

  it.each(["uint8", "uint16", "uint32", "float64"] as const)("keeps %s exact", (dtype) => {
    const kinds = { uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array };
    const values =
      dtype === "float64" ? new Float64Array([2 ** 52 + 1, 3]) : new kinds[dtype]([3, 255]);
    const array: WireArray = { name: "x", dtype, shape: [1, 2], values };
    const decoded = decode(encodeBinary(header, [array]));
    if (!decoded.ok || decoded.kind !== "answer" || decoded.message.op !== "image")
      throw new Error("not an image");
    expect(decoded.message.arrays[0]?.values).toEqual(values);
  });

  it("keeps the rotation that was used", () => {
    const rotation = { degrees: 12.5, transpose: true, quality: 0.9, sign_known: false };
    const decoded = decode(encodeBinary({ ...header, rotation }, [images]));
    expect(decoded).toMatchObject({ message: { rotation } });
  });

  it("keeps the server's remarks, and nothing else that stands there", () => {
    const notesOf = (notes: unknown): unknown =>
      decode(encodeBinary({ ...header, notes }, [images]));
    expect(notesOf(["found", 3, null])).toMatchObject({ message: { notes: ["found"] } });
    for (const wrong of [undefined, "found", { length: 2 }])
      expect(notesOf(wrong)).toMatchObject({ message: { notes: [] } });
  });
});

describe("hostile bytes", () => {
  const array = (fields: object): string =>
    JSON.stringify({
      ...header,
      arrays: [{ name: "a", dtype: "float32", shape: [2, 2], offset: 0, ...fields }],
    });

  it.each([
    ["an empty message", new ArrayBuffer(0), /shorter/],
    ["a header longer than the message", new Uint32Array([1 << 20, 0]).buffer, /ends after/],
    ["a header of 4 GiB", new Uint32Array([0xffffffff, 0]).buffer, /ends after/],
    ["an unpadded header", new Uint8Array([3, 0, 0, 0, 123, 125, 32, 0]).buffer, /padded/],
    ["a header that is no JSON", crafted("{", 0), /./],
    ["a list as header", crafted("[]", 0), /no object/],
    ["an array past the end", crafted(array({}), 8), /ends after/],
    ["an enormous shape", crafted(array({ shape: [1 << 28, 1 << 28] }), 16), /ends after/],
    ["a negative extent", crafted(array({ shape: [-2, 2] }), 16), /whole number/],
    ["a fractional extent", crafted(array({ shape: [1.5, 2] }), 16), /whole number/],
    ["too many dimensions", crafted(array({ shape: [1, 1, 1, 1, 1] }), 16), /more than 4/],
    ["a crooked offset", crafted(array({ offset: 4 }), 32), /multiple of 8/],
    ["a negative offset", crafted(array({ offset: -8 }), 16), /whole number/],
    ["an unknown dtype", crafted(array({ dtype: "constructor" }), 16), /unknown/],
  ])("refuses %s", (_, data, expected) => {
    expect(problem(data)).toMatch(expected);
  });

  it.each([
    ["no JSON", "hello"],
    ["null", "null"],
    ["an unknown op", '{"op":"__proto__"}'],
    ["an answer without an id", '{"op":"image","slot":"image"}'],
    ["an infinite number", '{"op":"pong","id":1e999}'],
    ["datasets that are no list", '{"op":"datasets","datasets":{}}'],
    ["a dataset of an unknown state", wrongDataset({ state: "odd" })],
    ["a scan of three extents", wrongDataset({ scan: [1, 2, 3] })],
  ])("refuses %s", (_, data) => {
    expect(problem(data)).not.toBe("");
  });

  it("refuses what is neither text nor bytes, and a header with broken UTF-8", () => {
    expect(problem(42)).toMatch(/neither/);
    expect(problem(new Uint8Array([4, 0, 0, 0, 0xff, 0xfe, 32, 32]).buffer)).not.toBe("");
  });

  it("survives every truncation and many flipped bytes of a good message", () => {
    const good = new Uint8Array(encodeBinary(header, [images]));
    for (let length = 0; length < good.length; length++) decode(good.slice(0, length).buffer);
    for (let at = 0; at < good.length; at++) {
      const bad = good.slice();
      bad[at] = (bad[at] ?? 0) ^ 0x5a;
      expect(() => decode(bad.buffer)).not.toThrow();
    }
  });
});

describe("texts", () => {
  it("describe datasets, progress and errors", () => {
    const dataset = fakeDataset("a");
    expect(decode(JSON.stringify({ op: "dataset", dataset }))).toEqual({
      ok: true,
      kind: "news",
      message: { op: "dataset", dataset },
    });
    expect(decode(JSON.stringify({ op: "dataset", ...dataset }))).toMatchObject({
      message: { dataset: { id: "a", scan: [8, 6] } },
    });
    const progress = { op: "progress", dataset: "a", slot: null, done: 1, total: 2, rate: 3 };
    expect(decode(JSON.stringify({ ...progress, left: null }))).toEqual({
      ok: true,
      kind: "progress",
      message: { ...progress, left: null },
    });
    expect(decode('{"op":"error","id":3,"slot":"image","message":"no","code":"bad"}')).toEqual({
      ok: true,
      kind: "error",
      message: { op: "error", id: 3, slot: "image", message: "no", code: "bad" },
    });
  });
});
