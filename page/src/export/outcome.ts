// What reading a file gives: a value, or a message for the user.
// SPDX-License-Identifier: Apache-2.0

export type Outcome<T> = { ok: true; value: T } | { ok: false; message: string };

/** Bytes of a file. */
export type Bytes = Uint8Array<ArrayBuffer>;

export const fail = (message: string): { ok: false; message: string } => ({ ok: false, message });

/** Text in which every UTF-16 unit above ASCII is a JSON escape. */
export const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** The parts one after the other. */
export function joined(parts: readonly Uint8Array[]): Bytes {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Base64 of bytes; btoa would first need a string of them all. */
export function base64(bytes: Uint8Array): string {
  const codes = Uint8Array.from(digits, (c) => c.charCodeAt(0));
  const out = new Uint8Array(Math.ceil(bytes.length / 3) * 4).fill(61);
  for (let i = 0, o = 0; i < bytes.length; i += 3, o += 4) {
    const [a, b, c] = [bytes[i]!, bytes[i + 1], bytes[i + 2]];
    out[o] = codes[a >> 2]!;
    out[o + 1] = codes[((a & 3) << 4) | ((b ?? 0) >> 4)]!;
    if (b !== undefined) out[o + 2] = codes[((b & 15) << 2) | ((c ?? 0) >> 6)]!;
    if (c !== undefined) out[o + 3] = codes[c & 63]!;
  }
  return new TextDecoder("latin1").decode(out);
}
