// TIFF and PNG, taken apart again by other means.
// SPDX-License-Identifier: Apache-2.0
import { unzlibSync } from "fflate";
import { describe, expect, it } from "vitest";
import type { Raster } from "../types";
import { crc32, encodePng } from "./png";
import { encodeTiff } from "./tiff";

/** All tags of the first directory; those of more than four bytes as their offset. */
function tags(bytes: Uint8Array): Map<number, { type: number; count: number; value: number }> {
  const view = new DataView(bytes.buffer);
  expect(view.getUint16(0, true)).toBe(0x4949);
  expect(view.getUint16(2, true)).toBe(42);
  const at = view.getUint32(4, true);
  const out = new Map<number, { type: number; count: number; value: number }>();
  let last = 0;
  for (let i = 0; i < view.getUint16(at, true); ++i) {
    const e = at + 2 + i * 12;
    const tag = view.getUint16(e, true);
    expect(tag).toBeGreaterThan(last);
    last = tag;
    const type = view.getUint16(e + 2, true);
    out.set(tag, { type, count: view.getUint32(e + 4, true), value: view.getUint32(e + 8, true) });
  }
  return out;
}

const options = { dtype: "source", pixelNm: 0, description: {} } as const;

describe("encodeTiff", () => {
  const raster: Raster = { rows: 2, cols: 3, values: Uint16Array.of(1, 2, 3, 65535, 5, 6) };

  it("keeps the source's integers", () => {
    const bytes = encodeTiff(raster, options);
    const found = tags(bytes);
    expect([256, 257, 258, 339, 279].map((t) => found.get(t)?.value)).toEqual([3, 2, 16, 1, 12]);
    const at = found.get(273)!.value;
    expect(at % 8).toBe(0);
    expect(new Uint16Array(bytes.buffer, at, 6)).toEqual(raster.values);
  });

  it("writes float32 when asked, or where the source is float64", () => {
    for (const [values, dtype] of [
      [raster.values, "float32"],
      [Float64Array.from(raster.values), "source"],
    ] as const) {
      const bytes = encodeTiff({ ...raster, values }, { ...options, dtype });
      const found = tags(bytes);
      expect([258, 339].map((t) => found.get(t)?.value)).toEqual([32, 3]);
      const pixels = new Float32Array(bytes.buffer, found.get(273)!.value, 6);
      expect([...pixels]).toEqual([1, 2, 3, 65535, 5, 6]);
    }
  });

  it("describes itself in ASCII JSON", () => {
    const about = { name: "Au µ-grid “1”", unit: "Å" };
    const bytes = encodeTiff(raster, { ...options, description: about });
    const { value, count } = tags(bytes).get(270)!;
    const text = bytes.subarray(value, value + count - 1);
    expect(bytes[value + count - 1]).toBe(0);
    expect(text.every((b) => b < 127)).toBe(true);
    expect(JSON.parse(new TextDecoder().decode(text))).toEqual(about);
  });

  it("tells the size of a pixel only when it is known", () => {
    expect(tags(encodeTiff(raster, options)).has(282)).toBe(false);
    for (const pixelNm of [0.02, 1.3, 2500, 0.0024]) {
      const bytes = encodeTiff(raster, { ...options, pixelNm });
      const found = tags(bytes);
      const [n, d] = new Uint32Array(bytes.buffer, found.get(282)!.value, 2);
      expect(1e7 / (n! / d!) / pixelNm).toBeCloseTo(1, 5);
      expect(found.get(296)?.value).toBe(3);
    }
    for (const pixelNm of [-1, NaN, Infinity, 1e-9])
      expect(tags(encodeTiff(raster, { ...options, pixelNm })).has(282)).toBe(false);
  });
});

/** Chunks by type, with their checksums verified. */
function chunks(bytes: Uint8Array): [string, Uint8Array][] {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const out: [string, Uint8Array][] = [];
  for (let at = 8; at < bytes.length; ) {
    const length = view.getUint32(at);
    const body = bytes.subarray(at + 4, at + 8 + length);
    expect(view.getUint32(at + 8 + length)).toBe(crc32(body));
    out.push([new TextDecoder().decode(body.subarray(0, 4)), body.subarray(4)]);
    at += 12 + length;
  }
  return out;
}

describe("encodePng", () => {
  const rgba = Uint8Array.of(1, 2, 3, 255, 4, 5, 6, 255, 0, 9, 9, 255, 7, 7, 7, 255);
  const picture = { width: 2, height: 2, rgba };

  it("leaves opacity out where all is opaque, and keeps it otherwise", () => {
    const [header, data] = chunks(encodePng(picture));
    expect([...header![1]]).toEqual([0, 0, 0, 2, 0, 0, 0, 2, 8, 2, 0, 0, 0]);
    expect([...unzlibSync(data![1])]).toEqual([2, 1, 2, 3, 4, 5, 6, 2, 255, 7, 6, 3, 2, 1]);
    const glass = { ...picture, rgba: rgba.map((v, i) => (i === 3 ? 128 : v)) };
    const [clear, four] = chunks(encodePng(glass));
    expect(clear![1][9]).toBe(6);
    expect(unzlibSync(four![1])).toHaveLength(2 * (1 + 8));
  });

  it("carries text, Latin-1 or not, and no NUL that would end it", () => {
    const list = chunks(encodePng(picture, { Title: "5 µm", Comment: "θ\0x", "": "y" }));
    const texts = list.filter(([type]) => type.endsWith("Xt"));
    expect(texts.map(([type]) => type)).toEqual(["tEXt", "iTXt", "tEXt"]);
    expect(new TextDecoder("latin1").decode(texts[0]![1])).toBe("Title\x005 µm");
    expect(new TextDecoder().decode(texts[1]![1])).toBe("Comment\0\0\0\0\0θx");
    expect(new TextDecoder().decode(texts[2]![1])).toBe("Comment\0y");
  });

  it("knows the standard checksum", () => {
    expect(crc32(new TextEncoder().encode("123456789"))).toBe(0xcbf43926);
  });

  it("refuses pixels that are not those of the size", () => {
    expect(() => encodePng({ ...picture, width: 3 })).toThrow("3 x 2");
    expect(() => encodePng({ width: 0, height: 0, rgba: new Uint8Array(0) })).toThrow();
  });
});
