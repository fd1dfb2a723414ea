// Reads fields of untrusted JSON: each is what it should be, or a Malformed is thrown.
// SPDX-License-Identifier: Apache-2.0

/** Says which field of a message is wrong; caught by the decoder and never thrown further. */
export class Malformed extends Error {}

export type Fields = Record<string, unknown>;

export function asFields(value: unknown, what: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Malformed(`${what} is no object`);
  }
  return Object.fromEntries(Object.entries(value));
}

export function asList(value: unknown, what: string, longest: number): unknown[] {
  if (!Array.isArray(value)) throw new Malformed(`${what} is no list`);
  if (value.length > longest) throw new Malformed(`${what} has more than ${longest} entries`);
  return value;
}

export function text(from: Fields, name: string, otherwise?: string): string {
  const value = from[name];
  if (typeof value === "string") return value;
  if (value === undefined && otherwise !== undefined) return otherwise;
  throw new Malformed(`${name} is no text`);
}

export function number(from: Fields, name: string, otherwise?: number): number {
  const value = from[name];
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if ((value === undefined || value === null) && otherwise !== undefined) return otherwise;
  throw new Malformed(`${name} is no number`);
}

/** A whole number from `least` to `most`. */
export function whole(
  from: Fields,
  name: string,
  least: number,
  most: number,
  otherwise?: number,
): number {
  const value = number(from, name, otherwise);
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new Malformed(`${name} is not a whole number from ${least} to ${most}`);
  }
  return value;
}

export function texts(from: Fields, name: string): string[] {
  const list = from[name] === undefined ? [] : asList(from[name], name, 10_000);
  return list.map((entry) => {
    if (typeof entry !== "string") throw new Malformed(`${name} holds something else than texts`);
    return entry;
  });
}

/** [rows, cols], both at least 1. */
export function size(from: Fields, name: string): [rows: number, cols: number] {
  const [rows, cols, ...more] = asList(from[name], name, 2);
  const good = (value: unknown): value is number =>
    typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 1 << 24;
  if (!good(rows) || !good(cols) || more.length > 0) throw new Malformed(`${name} is no size`);
  return [rows, cols];
}
