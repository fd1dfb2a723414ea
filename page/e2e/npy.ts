// Reads NumPy's .npy files of the few types that images come in.
// SPDX-License-Identifier: Apache-2.0
import { readFileSync, writeFileSync } from "node:fs";

export interface Numbers {
  dtype: string;
  shape: number[];
  values: number[];
}

const readers: Record<string, [size: number, read: (view: DataView, at: number) => number]> = {
  "|u1": [1, (view, at) => view.getUint8(at)],
  "<u2": [2, (view, at) => view.getUint16(at, true)],
  "<u4": [4, (view, at) => view.getUint32(at, true)],
  "<u8": [8, (view, at) => Number(view.getBigUint64(at, true))],
  "<f4": [4, (view, at) => view.getFloat32(at, true)],
  "<f8": [8, (view, at) => view.getFloat64(at, true)],
};

export const readNpy = (path: string): Numbers => readNpyPart(readFileSync(path), path);

/** A file of the page's, too, which says after its values what they answer. */
export function readNpyPart<T>(bytes: Uint8Array, path = "it"): Numbers & { about: T } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = new TextDecoder("latin1").decode(bytes);
  if (!text.startsWith("\x93NUMPY\x01")) throw new Error(`${path} is no NPY file of version 1`);
  const start = 10 + view.getUint16(8, true);
  const header = text.slice(10, start);
  const dtype = /'descr': '([^']+)'/.exec(header)?.[1] ?? "";
  const shape = (/'shape': \(([^)]*)\)/.exec(header)?.[1] ?? "").split(",");
  const sizes = shape.filter((part) => part.trim() !== "").map(Number);
  const reader = readers[dtype];
  if (!reader || !header.includes("'fortran_order': False")) throw new Error(`${path}: ${header}`);
  const [size, read] = reader;
  const count = sizes.reduce((product, n) => product * n, 1);
  const tail = text.slice(start + count * size);
  const about = /^(?:\n# sluice (.*)\n)?$/s.exec(tail);
  if (bytes.length < start + count * size || !about) throw new Error(`${path} is of another length`);
  const values = Array.from({ length: count }, (_, i) => read(view, start + i * size));
  return { dtype, shape: sizes, values, about: JSON.parse(about[1] ?? "null") };
}

/** Writes a mask as NumPy would: a byte per value, [rows][cols]. */
export function writeMask(
  path: string,
  [rows, cols]: readonly [rows: number, cols: number],
  inside: (row: number, col: number) => boolean,
): void {
  const header = `{'descr': '|u1', 'fortran_order': False, 'shape': (${rows}, ${cols}), }`;
  const padded = `${header.padEnd(117)}\n`;
  const bytes = new Uint8Array(128 + rows * cols);
  bytes.set([0x93, ...new TextEncoder().encode(`NUMPY\x01\x00v\x00${padded}`)]);
  for (let row = 0; row < rows; ++row)
    for (let col = 0; col < cols; ++col) bytes[128 + row * cols + col] = Number(inside(row, col));
  writeFileSync(path, bytes);
}
