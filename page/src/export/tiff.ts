// Uncompressed little-endian TIFF of one image, as microscopy software reads it.
// SPDX-License-Identifier: Apache-2.0
import type { Raster } from "../types";
import { bytesOf } from "./npy";
import { asciiJson } from "./outcome";
import type { Bytes } from "./outcome";

export interface TiffOptions {
  /** "float32", or the values' own integer type; float64 becomes float32 in both. */
  dtype: "float32" | "source";
  /** Size of a pixel in nm; 0: unknown. */
  pixelNm: number;
  /** Stands as JSON in ImageDescription. */
  description: unknown;
}

const short = 3;
const long = 4;
const ascii = 2;
const rational = 5;

/** A tag: its number, type, count and either its value or the bytes that it points to. */
type Entry = readonly [tag: number, type: number, count: number, value: number | Uint8Array];

function text(value: string): Uint8Array {
  return new TextEncoder().encode(`${value}\0`);
}

function fraction(value: number): Uint8Array {
  // The largest denominator for which the numerator still fits.
  const denominator = Math.min(1e6, Math.max(1, Math.floor(0xffffffff / value)));
  const out = new DataView(new ArrayBuffer(8));
  out.setUint32(0, Math.round(value * denominator), true);
  out.setUint32(4, denominator, true);
  return new Uint8Array(out.buffer);
}

/** Pixels per centimetre, when a tag can hold it. */
function resolution(pixelNm: number): Entry[] {
  const perCentimetre = 1e7 / pixelNm;
  if (!(pixelNm > 0) || !(perCentimetre >= 1e-5) || perCentimetre > 0xffffffff) return [];
  return [
    [282, rational, 1, fraction(perCentimetre)],
    [283, rational, 1, fraction(perCentimetre)],
    [296, short, 1, 3],
  ];
}

function entriesOf(raster: Raster, values: Raster["values"], options: TiffOptions): Entry[] {
  const bits = values.BYTES_PER_ELEMENT * 8;
  const description = text(asciiJson(options.description));
  const software = text("Sluice");
  const list: Entry[] = [
    [256, long, 1, raster.cols],
    [257, long, 1, raster.rows],
    [258, short, 1, bits],
    [259, short, 1, 1],
    [262, short, 1, 1],
    [270, ascii, description.length, description],
    [277, short, 1, 1],
    [278, long, 1, raster.rows],
    [279, long, 1, values.byteLength],
    [305, ascii, software.length, software],
    [339, short, 1, values instanceof Float32Array ? 3 : 1],
    ...resolution(options.pixelNm),
  ];
  return list;
}

/** A file of one strip: header, directory, what the directory points to, pixels. */
export function encodeTiff(raster: Raster, options: TiffOptions): Bytes {
  const own = options.dtype === "source" && !(raster.values instanceof Float64Array);
  const values = own ? raster.values : Float32Array.from(raster.values);
  const entries = entriesOf(raster, values, options);
  const directory = 8;
  let free = directory + 2 + (entries.length + 1) * 12 + 4;
  const placed: { at: number; bytes: Uint8Array }[] = [];
  const place = (bytes: Uint8Array): number => {
    const at = free;
    placed.push({ at, bytes });
    // Every offset is even, pixels begin at a multiple of 8.
    free = Math.ceil((at + bytes.length) / 8) * 8;
    return at;
  };
  free = Math.ceil(free / 8) * 8;
  const rows = entries.map(([tag, type, count, value]): [number, number, number, number] => [
    tag,
    type,
    count,
    typeof value === "number" ? value : place(value),
  ]);
  rows.push([273, long, 1, place(bytesOf(values))]);
  rows.sort((a, b) => a[0] - b[0]);
  const out = new Uint8Array(free);
  const view = new DataView(out.buffer);
  out.set([0x49, 0x49, 42, 0, directory]);
  view.setUint16(directory, rows.length, true);
  rows.forEach(([tag, type, count, value], i) => {
    const at = directory + 2 + i * 12;
    view.setUint16(at, tag, true);
    view.setUint16(at + 2, type, true);
    view.setUint32(at + 4, count, true);
    view.setUint32(at + 8, value, true);
  });
  for (const { at, bytes } of placed) out.set(bytes, at);
  return out;
}
