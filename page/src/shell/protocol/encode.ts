// Makes binary messages as the server does; the tests' server uses it.
// SPDX-License-Identifier: Apache-2.0
import type { WireArray } from "../../types";
import type { Fields } from "./check";

/** A binary message of a header and arrays (docs/protocol.md). */
export function encodeBinary(header: Fields, arrays: WireArray[]): ArrayBuffer {
  const offsets: number[] = [];
  let total = 0;
  for (const array of arrays) {
    offsets.push(total);
    total += Math.ceil(array.values.byteLength / 8) * 8;
  }
  const described = arrays.map(({ name, dtype, shape }, index) => ({
    name,
    dtype,
    shape,
    offset: offsets[index],
  }));
  const bytes = new TextEncoder().encode(JSON.stringify({ ...header, arrays: described }));
  const length = Math.ceil((bytes.length + 4) / 8) * 8 - 4;
  const out = new Uint8Array(4 + length + total).fill(32, 4, 4 + length);
  new DataView(out.buffer).setUint32(0, length, true);
  out.set(bytes, 4);
  arrays.forEach(({ values }, index) => {
    const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    out.set(raw, 4 + length + (offsets[index] ?? 0));
  });
  return out.buffer;
}
