// NumPy's array files, version 1.0.
// SPDX-License-Identifier: Apache-2.0
import type { Raster } from "../types";
import { asciiJson, fail, joined } from "./outcome";
import type { Bytes, Outcome } from "./outcome";

type Values = Raster["values"];

export interface NpyArray {
  readonly shape: readonly number[];
  readonly values: Values;
}

const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];

/** NumPy's name for the type of values. */
export function descr(values: Values): string {
  if (values instanceof Float32Array) return "<f4";
  if (values instanceof Float64Array) return "<f8";
  if (values instanceof Uint8Array) return "|u1";
  return values instanceof Uint16Array ? "<u2" : "<u4";
}

/** The values' bytes, as they lie in memory: little-endian on every machine with a browser. */
export const bytesOf = (values: Values): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

/** An NPY file of values in C order. What it is about follows the values as a line of JSON: NumPy
 *  and others read as many values as the header says. */
export function encodeNpy({ shape, values }: NpyArray, about?: unknown): Bytes {
  const count = shape.reduce((product, n) => product * n, 1);
  if (count !== values.length)
    throw new RangeError(`${values.length} values are no array of ${shape.join(" x ")}`);
  const sizes = shape.length === 1 ? `${shape[0]},` : shape.join(", ");
  const dict = `{'descr': '${descr(values)}', 'fortran_order': False, 'shape': (${sizes}), }`;
  const header = `${dict.padEnd(Math.ceil((dict.length + 11) / 64) * 64 - 11)}\n`;
  const start = Uint8Array.of(...magic, 1, 0, header.length & 255, header.length >> 8);
  const line = about === undefined ? "" : `\n# sluice ${asciiJson(about)}\n`;
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  return joined([start, encode(header), bytesOf(values), encode(line)]);
}

/** An NPY file of an image: [row][col]. */
export const rasterNpy = ({ rows, cols, values }: Raster, about?: unknown): Bytes =>
  encodeNpy({ shape: [rows, cols], values }, about);

/** What follows the values of a file of ours; null: nothing. */
export function npyAbout(bytes: Uint8Array): unknown {
  const tail = new TextDecoder("latin1").decode(bytes.subarray(-(1 << 20)));
  const line = /\n# sluice ({.*})\n$/.exec(tail)?.[1];
  return line === undefined ? null : JSON.parse(line);
}

type Reader = (view: DataView, at: number) => number;

interface Kind {
  size: number;
  make: (n: number) => Values;
  read: (little: boolean) => Reader;
}

const uint8 = (n: number): Values => new Uint8Array(n);
const float64 = (n: number): Values => new Float64Array(n);
const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ["b1", { size: 1, make: uint8, read: () => (v, i) => (v.getUint8(i) ? 1 : 0) }],
  ["u1", { size: 1, make: uint8, read: () => (v, i) => v.getUint8(i) }],
  ["i1", { size: 1, make: float64, read: () => (v, i) => v.getInt8(i) }],
  ["u2", { size: 2, make: (n) => new Uint16Array(n), read: (l) => (v, i) => v.getUint16(i, l) }],
  ["i2", { size: 2, make: float64, read: (l) => (v, i) => v.getInt16(i, l) }],
  ["u4", { size: 4, make: (n) => new Uint32Array(n), read: (l) => (v, i) => v.getUint32(i, l) }],
  ["i4", { size: 4, make: float64, read: (l) => (v, i) => v.getInt32(i, l) }],
  ["f4", { size: 4, make: (n) => new Float32Array(n), read: (l) => (v, i) => v.getFloat32(i, l) }],
  ["f8", { size: 8, make: float64, read: (l) => (v, i) => v.getFloat64(i, l) }],
]);

interface Header {
  kind: Kind;
  little: boolean;
  fortran: boolean;
  shape: number[];
  /** Of the values in the file. */
  offset: number;
}

function parseHeader(bytes: Uint8Array): Outcome<Header> {
  if (bytes.length < 10 || magic.some((b, i) => bytes[i] !== b)) return fail("this is no NPY file");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const major = bytes[6]!;
  if (major < 1 || major > 3) return fail(`NPY version ${major} is not known`);
  const start = major === 1 ? 10 : 12;
  if (bytes.length < start) return fail("the NPY file ends within its header");
  const length = major === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (start + length > bytes.length) return fail("the NPY file ends within its header");
  const text = new TextDecoder("latin1").decode(bytes.subarray(start, start + length));
  const type = /'descr':\s*'([<>|=]?)(\w+)'/.exec(text);
  const order = /'fortran_order':\s*(True|False)/.exec(text);
  const sizes = /'shape':\s*\(([\d\s,L]*)\)/.exec(text);
  if (!type || !order || !sizes) return fail("the NPY file's header cannot be read");
  const kind = kinds.get(type[2]!);
  if (!kind) return fail(`values of type '${type[2]}' are not supported`);
  const shape = (sizes[1]!.match(/\d+/g) ?? []).map(Number);
  const fortran = order[1] === "True";
  return {
    ok: true,
    value: { kind, little: type[1] !== ">", fortran, shape, offset: start + length },
  };
}

/** Where value i of a Fortran-ordered array stands in C order. */
function cIndex(i: number, shape: readonly number[]): number {
  let [rest, index, stride] = [i, 0, shape.reduce((product, n) => product * n, 1)];
  for (const n of shape) {
    stride /= n;
    index += (rest % n) * stride;
    rest = Math.floor(rest / n);
  }
  return index;
}

/** Reads an NPY file of numbers; signed integers become float64. */
export function decodeNpy(bytes: Uint8Array): Outcome<NpyArray> {
  const header = parseHeader(bytes);
  if (!header.ok) return header;
  const { kind, little, fortran, shape, offset } = header.value;
  const count = shape.reduce((product, n) => product * n, 1);
  if (count * kind.size > bytes.length - offset)
    return fail(
      `the NPY file holds ${bytes.length - offset} bytes of values, its shape ` +
        `${shape.join(" x ")} needs ${count * kind.size}`,
    );
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, count * kind.size);
  const values = kind.make(count);
  const read = kind.read(little);
  for (let i = 0; i < count; ++i)
    values[fortran ? cIndex(i, shape) : i] = read(view, i * kind.size);
  return { ok: true, value: { shape, values } };
}
