// NPY files, written and read, and those that lie.
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { decodeNpy, encodeNpy, rasterNpy } from "./npy";

const arrays = [
  Float32Array.of(1.5, NaN, -Infinity, 0, 3, 4),
  Float64Array.of(1e300, Math.PI, -0, 1, 2, 3),
  Uint8Array.of(0, 255, 1, 2, 3, 4),
  Uint16Array.of(0, 65535, 1, 2, 3, 4),
  Uint32Array.of(0, 4294967295, 1, 2, 3, 4),
];

/** A file with any header, its values 1, 2, 3, ... as bytes. */
function file(header: string, bytes: number, major = 1): Uint8Array {
  const text = new TextEncoder().encode(header);
  const size = major === 1 ? [text.length & 255, text.length >> 8] : [text.length, 0, 0, 0];
  const values = Array.from({ length: bytes }, (_, i) => i + 1);
  return Uint8Array.of(0x93, 78, 85, 77, 80, 89, major, 0, ...size, ...text, ...values);
}

const header = (descr: string, shape: string, fortran = "False"): string =>
  `{'descr': '${descr}', 'fortran_order': ${fortran}, 'shape': (${shape}), }\n`;

describe("encodeNpy", () => {
  it.each(arrays.map((array) => ({ array })))("writes what it reads again", ({ array }) => {
    const bytes = rasterNpy({ rows: 2, cols: 3, values: array });
    const back = decodeNpy(bytes);
    expect(back).toEqual({ ok: true, value: { shape: [2, 3], values: array } });
  });

  it("has a header of NumPy's form, aligned to 64 bytes", () => {
    for (const shape of [[6], [2, 3], [1, 2, 3], [6, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]]) {
      const bytes = encodeNpy({ shape, values: arrays[0]! });
      const length = bytes[8]! + 256 * bytes[9]!;
      expect((10 + length) % 64).toBe(0);
      expect(bytes[9 + length]).toBe(10);
      expect(bytes.length).toBe(10 + length + 24);
    }
    const text = new TextDecoder().decode(encodeNpy({ shape: [6], values: arrays[4]! }));
    expect(text).toContain("{'descr': '<u4', 'fortran_order': False, 'shape': (6,), }");
  });

  it("copies a part of a buffer only", () => {
    const part = Float32Array.of(9, 1, 2, 9).subarray(1, 3);
    const back = decodeNpy(encodeNpy({ shape: [2], values: part }));
    expect(back).toEqual({ ok: true, value: { shape: [2], values: Float32Array.of(1, 2) } });
  });

  it("refuses a shape that is not that of the values", () => {
    expect(() => encodeNpy({ shape: [2, 2], values: arrays[0]! })).toThrow("2 x 2");
  });
});

describe("decodeNpy", () => {
  it("reads masks, big-endian and Fortran-ordered files, and versions 2 and 3", () => {
    expect(decodeNpy(file(header("|b1", "3,"), 3))).toMatchObject({
      value: { values: Uint8Array.of(1, 1, 1) },
    });
    expect(decodeNpy(file(header(">u2", "2,"), 4))).toMatchObject({
      value: { values: Uint16Array.of(0x102, 0x304) },
    });
    expect(decodeNpy(file(header("|u1", "2, 3", "True"), 6))).toMatchObject({
      value: { shape: [2, 3], values: Uint8Array.of(1, 3, 5, 2, 4, 6) },
    });
    expect(decodeNpy(file(header("<i2", "1,"), 2, 2))).toMatchObject({
      value: { values: Float64Array.of(0x201) },
    });
    expect(decodeNpy(file(header("|u1", ""), 1, 3))).toMatchObject({ value: { shape: [] } });
  });

  it.each([
    [new Uint8Array(0), "no NPY"],
    [new TextEncoder().encode("<html>not found</html>"), "no NPY"],
    [file(header("<f4", "2, 2"), 15), "holds 15 bytes of values, its shape 2 x 2 needs 16"],
    [file(header("<f4", "99999999999, 99999999999"), 4), "needs"],
    [file(header("|O", "1,"), 8), "type 'O'"],
    [file(header("<c8", "1,"), 8), "type 'c8'"],
    [file("{}", 8), "header cannot be read"],
    [file(header("<f4", "-1,"), 8), "header cannot be read"],
    [file(header("<f4", "1,"), 8).subarray(0, 30), "ends within its header"],
    [Uint8Array.of(0x93, 78, 85, 77, 80, 89, 2, 0, 255, 255), "ends within its header"],
    [file(header("<f4", "1,"), 4, 9), "version 9"],
  ])("says what is wrong with a file (%#)", (bytes, why) => {
    const got = decodeNpy(bytes);
    expect(got.ok).toBe(false);
    expect(got.ok ? "" : got.message).toContain(why);
  });
});
