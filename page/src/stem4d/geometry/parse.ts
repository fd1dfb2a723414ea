// Shapes out of the text that the command line takes.
// SPDX-License-Identifier: Apache-2.0
import type { Point } from "../../types";
import type { Disk, Shape } from "../types";

export type Parsed = { ok: true; name: string; shape: Shape } | { ok: false; message: string };

class Mistake extends Error {}

function number(text: string): number {
  const plain = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
  if (!plain.test(text) || !Number.isFinite(Number(text)))
    throw new Mistake(`'${text}' is not a number`);
  return Number(text);
}

function split(text: string, separator: string): [number, number] {
  const at = text.indexOf(separator);
  if (at < 0) throw new Mistake(`'${text}' lacks '${separator}'`);
  return [number(text.slice(0, at)), number(text.slice(at + separator.length))];
}

class Keys {
  private readonly values = new Map<string, string>();

  constructor(
    private readonly kind: string,
    text: string,
  ) {
    for (const item of text === "" ? [] : text.split(",")) {
      const at = item.indexOf("=");
      if (at < 0) throw new Mistake(`'${item}' is not key=value`);
      const key = item.slice(0, at).trim();
      if (this.values.has(key)) throw new Mistake(`'${key}' is given twice`);
      this.values.set(key, item.slice(at + 1).trim());
    }
  }

  take(key: string): string | undefined {
    const value = this.values.get(key);
    this.values.delete(key);
    return value;
  }

  need(key: string): string {
    const value = this.take(key);
    if (value === undefined) throw new Mistake(`${this.kind} needs ${key}=`);
    return value;
  }

  done(): void {
    for (const key of this.values.keys()) throw new Mistake(`${this.kind} has no '${key}'`);
  }
}

const presetRadii: ReadonlyMap<string, readonly [number, number]> = new Map([
  ["bf", [0, 1]],
  ["abf", [0.5, 1]],
  ["adf", [1, 2]],
  ["haadf", [2, 4]],
]);

const kinds: ReadonlySet<string> = new Set([
  ...presetRadii.keys(),
  "point",
  "disk",
  "annulus",
  "square",
  "rectangle",
]);

function parsePolygon(text: string): Shape {
  const corners = text.split("/").filter((c) => c !== "");
  if (corners.length < 3) throw new Mistake("a polygon needs three corners row:col/row:col/...");
  return { shape: "polygon", corners: corners.map((c) => split(c, ":")) };
}

function parseRound(kind: string, keys: Keys, center: () => Point): Shape {
  if (kind === "square")
    return { shape: "square", outer: radius(keys.need("half")), center: center() };
  if (kind === "disk") return { shape: "disk", outer: radius(keys.need("r")), center: center() };
  const [inner, outer] = split(keys.need("r"), "..");
  if (inner < 0 || outer < inner)
    throw new Mistake(`radii ${inner} to ${outer} (the outer must be the larger)`);
  return { shape: "annulus", inner, outer, center: center() };
}

function radius(text: string): number {
  const r = number(text);
  if (r < 0) throw new Mistake(`radius ${r} (must not be negative)`);
  return r;
}

function parseKind(kind: string, rest: string, disk: Disk | null): Shape {
  if (kind === "polygon") return parsePolygon(rest);
  if (!kinds.has(kind)) throw new Mistake(`unknown shape '${kind}'`);
  const keys = new Keys(kind, rest);
  const center = (): Point => {
    const given = keys.take("center");
    if (given !== undefined) return split(given, ":");
    if (disk) return [disk.row, disk.col];
    throw new Mistake("give a center=row:col (no bright-field disk is known)");
  };
  const shape = ((): Shape => {
    const radii = presetRadii.get(kind);
    if (radii) {
      if (!disk) throw new Mistake("no bright-field disk is known");
      const [inner, outer] = [radii[0] * disk.radius, radii[1] * disk.radius];
      if (inner === 0) return { shape: "disk", center: center(), outer };
      return { shape: "annulus", center: center(), inner, outer };
    }
    if (kind === "disk" || kind === "annulus" || kind === "square")
      return parseRound(kind, keys, center);
    if (kind === "rectangle") {
      const rows = split(keys.need("rows"), "..");
      const cols = split(keys.need("cols"), "..");
      return { shape: "rectangle", from: [rows[0], cols[0]], to: [rows[1], cols[1]] };
    }
    const row = keys.take("row");
    if (row === undefined) return { shape: "point", center: center() };
    return { shape: "point", center: [number(row), number(keys.need("col"))] };
  })();
  keys.done();
  return shape;
}

/** Reads what the command line reads, except files; `disk` stands in for a missing centre. */
export function parseShape(text: string, disk: Disk | null = null): Parsed {
  const trimmed = text.trim();
  const equals = trimmed.indexOf("=");
  const colon = trimmed.indexOf(":");
  const named = equals >= 0 && (colon < 0 || equals < colon);
  const body = named ? trimmed.slice(equals + 1) : trimmed;
  const name = named ? trimmed.slice(0, equals).trim() : body;
  const at = body.indexOf(":");
  const kind = at < 0 ? body : body.slice(0, at);
  try {
    return { ok: true, name, shape: parseKind(kind, at < 0 ? "" : body.slice(at + 1), disk) };
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    return { ok: false, message: `detector '${trimmed}': ${error.message}` };
  }
}
