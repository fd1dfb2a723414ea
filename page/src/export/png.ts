// PNG out of RGBA pixels.
// SPDX-License-Identifier: Apache-2.0
import { zlibSync } from "fflate";
import { joined } from "./outcome";
import type { Bytes } from "./outcome";

/** 8 bits each of red, green, blue and opacity, row by row. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array | Uint8ClampedArray;
}

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

/** CRC-32 as in PNG and ZIP. */
export function crc32(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (let i = 0; i < bytes.length; ++i) c = table[(c ^ bytes[i]!) & 255]! ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const out = new Uint8Array(12 + data.length);
  const view = new DataView(out.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; ++i) out[4 + i] = type.charCodeAt(i);
  out.set(data, 8);
  view.setUint32(8 + data.length, crc32(out.subarray(4, 8 + data.length)));
  return out;
}

/** The pixels with each row's difference to the row above, three or four bytes each. */
function filtered({ width, height, rgba }: Picture, channels: 3 | 4): Uint8Array {
  const line = width * channels;
  const out = new Uint8Array(height * (line + 1));
  let above = new Uint8Array(line);
  let here = new Uint8Array(line);
  for (let y = 0; y < height; ++y) {
    const to = y * (line + 1);
    out[to] = 2; // filter "up"
    for (let x = 0, i = 0, from = y * width * 4; x < width; ++x, from += 4)
      for (let c = 0; c < channels; ++c, ++i) {
        const v = rgba[from + c]!;
        here[i] = v;
        out[to + 1 + i] = v - above[i]!;
      }
    [above, here] = [here, above];
  }
  return out;
}

/** Latin-1 text goes into tEXt, which every reader knows, other text into iTXt. */
function textChunk(keyword: string, value: string): Uint8Array {
  const key = keyword.replace(/[^\x20-\x7e]/g, "?").trim().slice(0, 79) || "Comment";
  const clean = value.replaceAll("\0", "");
  const codes = (s: string): number[] => Array.from(s, (c) => c.charCodeAt(0));
  if (/^[\n\x20-\x7e\xa0-\xff]*$/.test(clean))
    return chunk("tEXt", Uint8Array.from([...codes(key), 0, ...codes(clean)]));
  const utf8 = new TextEncoder().encode(clean);
  return chunk("iTXt", joined([Uint8Array.from([...codes(key), 0, 0, 0, 0, 0]), utf8]));
}

/** A PNG file; opacity is left out where all is opaque. */
export function encodePng(picture: Picture, texts: Readonly<Record<string, string>> = {}): Bytes {
  const { width, height, rgba } = picture;
  if (width < 1 || height < 1 || rgba.length !== width * height * 4)
    throw new RangeError(`${rgba.length} bytes are no picture of ${width} x ${height}`);
  let opaque = true;
  for (let i = 3; opaque && i < rgba.length; i += 4) opaque = rgba[i] === 255;
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, opaque ? 2 : 6], 8);
  return joined([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk("IHDR", header),
    ...Object.entries(texts).map(([key, value]) => textChunk(key, value)),
    chunk("IDAT", zlibSync(filtered(picture, opaque ? 3 : 4), { level: 6 })),
    chunk("IEND", new Uint8Array(0)),
  ]);
}
