// The header and the arrays of a binary message (docs/protocol.md), out of hostile bytes.
// SPDX-License-Identifier: Apache-2.0
import type { WireArray } from "../../types";
import { asFields, asList, type Fields, Malformed, text, whole } from "./check";

const LONGEST_HEADER = 1 << 22;
const ITEM = { uint8: 1, uint16: 2, uint32: 4, float32: 4, float64: 8 } as const;

function isDtype(name: string): name is keyof typeof ITEM {
  return Object.hasOwn(ITEM, name);
}

function view(
  dtype: keyof typeof ITEM,
  buffer: ArrayBuffer,
  at: number,
  count: number,
): WireArray["values"] {
  switch (dtype) {
    case "uint8":
      return new Uint8Array(buffer, at, count);
    case "uint16":
      return new Uint16Array(buffer, at, count);
    case "uint32":
      return new Uint32Array(buffer, at, count);
    case "float32":
      return new Float32Array(buffer, at, count);
    case "float64":
      return new Float64Array(buffer, at, count);
  }
}

function readArray(value: unknown, buffer: ArrayBuffer, payload: number): WireArray {
  const from = asFields(value, "array");
  const dtype = text(from, "dtype");
  if (!isDtype(dtype)) throw new Malformed(`dtype "${dtype.slice(0, 32)}" is unknown`);
  const shape = asList(from.shape, "shape", 4).map((extent) =>
    whole({ extent }, "extent", 0, 1 << 28),
  );
  const count = shape.reduce((product, extent) => product * extent, 1);
  const offset = whole(from, "offset", 0, buffer.byteLength);
  if (offset % 8 !== 0) throw new Malformed("an array's offset is no multiple of 8");
  if (payload + offset + count * ITEM[dtype] > buffer.byteLength) {
    throw new Malformed("an array ends after its message");
  }
  const values = view(dtype, buffer, payload + offset, count);
  return { name: text(from, "name", ""), dtype, shape, values };
}

/** A message whose header and arrays came apart, as a notebook's comm sends them. */
export class Parts {
  constructor(
    readonly header: string,
    readonly payload: DataView,
  ) {}
}

function readParts(header: string, buffer: ArrayBuffer, payload: number) {
  const fields = asFields(JSON.parse(header), "header");
  const arrays = asList(fields.arrays ?? [], "arrays", 64).map((one) =>
    readArray(one, buffer, payload),
  );
  return { fields, arrays };
}

/** Throws a Malformed. The payload is copied: its bytes may lie at any address. */
export function join({ header, payload }: Parts): { fields: Fields; arrays: WireArray[] } {
  if (header.length > LONGEST_HEADER) throw new Malformed("the header is too long");
  const bytes = new Uint8Array(payload.byteLength);
  bytes.set(new Uint8Array(payload.buffer, payload.byteOffset, payload.byteLength));
  return readParts(header, bytes.buffer, 0);
}

/** Throws a Malformed. The arrays are views of `buffer`, nothing is copied. */
export function unpack(buffer: ArrayBuffer): { fields: Fields; arrays: WireArray[] } {
  if (buffer.byteLength < 8) throw new Malformed("the message is shorter than 8 bytes");
  const length = new DataView(buffer).getUint32(0, true);
  if (length > LONGEST_HEADER || length > buffer.byteLength - 4) {
    throw new Malformed("the header ends after its message");
  }
  if ((length + 4) % 8 !== 0) throw new Malformed("the header is not padded to 8 bytes");
  const header = new TextDecoder("utf-8", { fatal: true }).decode(
    new Uint8Array(buffer, 4, length),
  );
  return readParts(header, buffer, length + 4);
}
