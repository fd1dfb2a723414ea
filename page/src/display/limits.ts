// Which value is drawn darkest and which brightest.
// SPDX-License-Identifier: Apache-2.0
import { doublesOf, type Values } from "../analysis/values";
import type { DisplaySettings, Raster } from "../types";

/** The values drawn darkest and brightest; low < high, both finite. */
export interface Limits {
  low: number;
  high: number;
  /** Of a logarithmic scale: about linear below it, logarithmic above; 1 if not given. */
  knee?: number;
}

/** A map of vectors, components in pixels: drawn as hue (direction) and brightness (length). */
export interface VectorField {
  readonly rows: number;
  readonly cols: number;
  /** Along rows, growing downwards. */
  readonly down: Values;
  /** Along columns. */
  readonly right: Values;
}

/** What a panel shows. */
export type Picture = Raster | VectorField;

export const isField = (picture: Picture): picture is VectorField => "down" in picture;

/** Lengths of the vectors, row by row. */
function magnitudes(field: VectorField): Float32Array<ArrayBuffer> {
  const out = new Float32Array(field.rows * field.cols);
  for (let i = 0; i < out.length; ++i)
    out[i] = Math.hypot(field.down[i] ?? NaN, field.right[i] ?? NaN);
  return out;
}

/** A picture as one image: of vectors their lengths. */
export function scalarOf(picture: Picture): Raster {
  if (!isField(picture)) return picture;
  return { rows: picture.rows, cols: picture.cols, values: magnitudes(picture) };
}

/** Smallest and largest of the finite values, and how many are finite. */
export function rangeOf(values: Values): { min: number; max: number; count: number } {
  return rangeOfDoubles(doublesOf(values));
}

function rangeOfDoubles(values: Float64Array): { min: number; max: number; count: number } {
  let min = Infinity;
  let max = -Infinity;
  let count = 0;
  for (let i = 0; i < values.length; ++i) {
    const v = values[i]!;
    if (v - v !== 0) continue; // NaN and infinities
    ++count;
    if (v < min) min = v;
    if (v > max) max = v;
  }
  return { min, max, count };
}

const finiteOf = (values: Float64Array): Float64Array => values.filter((v) => v - v === 0);

const bins = 4096;
const smallEnough = 8192;

/** The values at `ranks` (0-based, ascending) of `values`, which lie all within min to max. */
function select(values: Float64Array, ranks: number[], min: number, max: number): number[] {
  if (min === max) return ranks.map(() => min);
  if (values.length <= smallEnough) {
    const sorted = values.slice().sort();
    return ranks.map((k) => sorted[k]!);
  }
  const factor = bins / (max - min);
  // A range whose width overflows or is denormal has no bins.
  if (!Number.isFinite(factor) || factor === 0) {
    const sorted = finiteOf(values).sort();
    return ranks.map((k) => sorted[k]!);
  }
  const counts = new Uint32Array(bins);
  const of = new Uint16Array(values.length);
  for (let i = 0; i < values.length; ++i) {
    const v = values[i]!;
    if (v - v !== 0) {
      of[i] = bins;
      continue;
    }
    const bin = Math.min(((v - min) * factor) | 0, bins - 1);
    of[i] = bin;
    counts[bin]!++;
  }
  return inBins(values, ranks, of, counts);
}

/** The values at `ranks`, each looked for among those of its bin only. */
function inBins(
  values: Float64Array,
  ranks: number[],
  of: Uint16Array,
  counts: Uint32Array,
): number[] {
  const found: number[] = [];
  let bin = 0;
  let below = 0;
  for (let r = 0; r < ranks.length; ) {
    while (below + counts[bin]! <= ranks[r]!) below += counts[bin++]!;
    const here: number[] = [];
    while (r < ranks.length && ranks[r]! < below + counts[bin]!) here.push(ranks[r++]! - below);
    const members = new Float64Array(counts[bin]!);
    for (let i = 0, n = 0; n < members.length; ++i)
      if (of[i] === bin) members[n++] = values[i]!;
    const range = rangeOfDoubles(members);
    found.push(...select(members, here, range.min, range.max));
  }
  return found;
}

/** Two percentiles (0 to 100) of the finite values, interpolated as NumPy does; null: none. */
export function percentiles(from: Values, low: number, high: number): Limits | null {
  const values = doublesOf(from);
  const { min, max, count } = rangeOfDoubles(values);
  if (count === 0) return null;
  const place = (percent: number): number =>
    (Math.min(Math.max(Number.isFinite(percent) ? percent : 0, 0), 100) / 100) * (count - 1);
  const places = [place(low), place(high)].sort((a, b) => a - b);
  const ranks = new Set<number>();
  for (const at of places) ranks.add(Math.floor(at)).add(Math.ceil(at));
  const inner = [...ranks].filter((k) => k > 0 && k < count - 1).sort((a, b) => a - b);
  const known = new Map([[0, min], [count - 1, max]]);
  if (inner.length > 0) {
    const all = count === values.length || values.length > smallEnough;
    const finite = all ? values : finiteOf(values);
    select(finite, inner, min, max).forEach((v, i) => known.set(inner[i]!, v));
  }
  const [a, b] = places.map((at) => {
    const below = known.get(Math.floor(at))!;
    return below + (at - Math.floor(at)) * (known.get(Math.ceil(at))! - below);
  });
  return { low: a!, high: b! };
}

/** Limits that can be divided by: ordered, finite and apart. */
export function apart(low: number, high: number): Limits {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return { low: 0, high: 1 };
  if (low !== high) return { low: Math.min(low, high), high: Math.max(low, high) };
  // A constant image is bright when it holds something and dark when it is empty.
  if (low === 0) return { low: 0, high: 1 };
  return { low: Math.min(0, low), high: Math.max(0, low) };
}

/** Where a logarithmic scale begins for this picture: at its small values, whatever their unit,
 *  within a tenth and a ten-thousandth of the largest one shown. */
export function kneeOf(picture: Picture, { low, high }: Limits): number {
  const values = doublesOf(isField(picture) ? magnitudes(picture) : picture.values);
  const some = new Float64Array(values.length);
  let count = 0;
  for (let i = 0; i < values.length; ++i) {
    const size = Math.abs(values[i]!);
    if (size > 0) some[count++] = size;
  }
  const small = percentiles(some.subarray(0, count), 5, 5)?.low ?? 1;
  const span = Math.max(Math.abs(low), Math.abs(high));
  return Math.min(Math.max(small, span * 1e-4), span * 0.1) || 1;
}

const cache = new WeakMap<Picture, Map<string, Limits>>();

function worked(picture: Picture, settings: DisplaySettings): Limits {
  const { kind, low, high } = settings.limits;
  const field = isField(picture);
  let found: Limits | null = { low, high };
  if (kind === "percentile") {
    found = percentiles(scalarOf(picture).values, low, high);
    if (found && field) found.low = 0;
  }
  if (!found) return { low: 0, high: 1 };
  if (settings.symmetric && !field) {
    const most = Math.max(Math.abs(found.low), Math.abs(found.high));
    return most > 0 ? apart(-most, most) : { low: -1, high: 1 };
  }
  return apart(found.low, found.high);
}

/** The limits that the settings mean for this picture; remembered as long as it lives. */
export function limitsOf(picture: Picture, settings: DisplaySettings): Limits {
  const { kind, low, high, knee } = settings.limits;
  const log = settings.scale === "log";
  const key = `${kind} ${low} ${high} ${settings.symmetric} ${log} ${knee}`;
  let known = cache.get(picture);
  if (!known) cache.set(picture, (known = new Map()));
  let limits = known.get(key);
  if (!limits) {
    if (known.size > 16) known.clear(); // a dragged slider must not fill memory
    limits = worked(picture, settings);
    if (log) limits = { ...limits, knee: knee ?? kneeOf(picture, limits) };
    known.set(key, limits);
  }
  return limits;
}
