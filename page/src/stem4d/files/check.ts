// Values out of JSON that nobody vouches for; what is wrong is named by its place.
// SPDX-License-Identifier: Apache-2.0

/** "detectors[2].region.outer must be a number from 0 to 10". */
export class Wrong extends Error {}

/** Reads one value that stands at `at`. */
export type Check<T> = (value: unknown, at: string) => T;

function shown(value: unknown): string {
  if (value === undefined) return "is missing";
  const text = JSON.stringify(value) ?? typeof value;
  return `is ${text.length > 40 ? `${text.slice(0, 40)}…` : text}`;
}

export function wrong(at: string, must: string, value: unknown): never {
  throw new Wrong(`${at || "the session"} must be ${must}, it ${shown(value)}`);
}

export const number =
  (low: number, high: number): Check<number> =>
  (value, at) =>
    typeof value === "number" && value >= low && value <= high
      ? value
      : wrong(at, `a number from ${low} to ${high}`, value);

export const integer =
  (low: number, high: number): Check<number> =>
  (value, at) =>
    typeof value === "number" && Number.isInteger(value) && value >= low && value <= high
      ? value
      : wrong(at, `a whole number from ${low} to ${high}`, value);

export const bool: Check<boolean> = (value, at) =>
  typeof value === "boolean" ? value : wrong(at, "true or false", value);

export const text =
  (longest: number): Check<string> =>
  (value, at) =>
    typeof value === "string" && value.length <= longest
      ? value
      : wrong(at, `a text of at most ${longest} letters`, value);

export const matching =
  (pattern: RegExp, must: string): Check<string> =>
  (value, at) =>
    typeof value === "string" && pattern.test(value) ? value : wrong(at, must, value);

export const oneOf =
  <T extends string>(...choices: readonly T[]): Check<T> =>
  (value, at) =>
    choices.find((choice) => choice === value) ?? wrong(at, `one of ${choices.join(", ")}`, value);

export const list =
  <T>(item: Check<T>, longest: number, shortest = 0): Check<T[]> =>
  (value, at) => {
    if (!Array.isArray(value) || value.length > longest || value.length < shortest)
      return wrong(at, `a list of ${shortest} to ${longest}`, value);
    return value.map((v: unknown, i) => item(v, `${at}[${i}]`));
  };

export const orNull =
  <T>(inner: Check<T>): Check<T | null> =>
  (value, at) =>
    value === null ? null : inner(value, at);

/** The fields of an object, none of them inherited. */
export function fieldsOf(value: unknown, at: string): ReadonlyMap<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return wrong(at, "an object", value);
  return new Map(Object.entries(value));
}

/** An object whose fields are all there; others are passed over. */
export const object =
  <T extends object>(fields: { [K in keyof T]: Check<T[K]> }): Check<T> =>
  (value, at) => {
    const from = fieldsOf(value, at);
    const out: Partial<T> = {};
    for (const key in fields)
      out[key] = fields[key](from.get(key), at ? `${at}.${key}` : key);
    return complete(fields, out);
  };

function complete<T extends object>(fields: { [K in keyof T]: unknown }, out: Partial<T>): T {
  const all = (value: Partial<T>): value is T => Object.keys(fields).every((k) => k in value);
  return all(out) ? out : wrong("", "complete", out);
}
