// Named detectors that the browser remembers, relative to the disk so that they fit other sets.
// SPDX-License-Identifier: Apache-2.0
import { signal } from "@preact/signals";
import type { Shape } from "../../types";

export interface Saved {
  name: string;
  region: Shape;
}

const PLACE = "sluice.detectors";
const MOST = 100;

function isPoint(value: unknown): value is [number, number] {
  return Array.isArray(value) && value.length === 2 && value.every(Number.isFinite);
}

/** A shape from untrusted JSON, or null. */
export function readShape(value: unknown): Shape | null {
  if (typeof value !== "object" || value === null) return null;
  const from: Record<string, unknown> = { ...value };
  const { shape, center, outer, inner } = from;
  const radius = (of: unknown): of is number =>
    typeof of === "number" && Number.isFinite(of) && of >= 0;
  if (shape === "rectangle")
    return isPoint(from.from) && isPoint(from.to) ? { shape, from: from.from, to: from.to } : null;
  if (shape === "polygon") {
    const { corners } = from;
    if (!Array.isArray(corners) || corners.length < 3 || corners.length > 1000) return null;
    return corners.every(isPoint) ? { shape, corners } : null;
  }
  if (!isPoint(center)) return null;
  if (shape === "point") return { shape, center };
  if (!radius(outer)) return null;
  if (shape === "disk" || shape === "square") return { shape, center, outer };
  if (shape !== "annulus" || !radius(inner) || inner > outer) return null;
  return { shape, center, inner, outer };
}

/** Named shapes from untrusted JSON; what is none is left out. */
export function readSaved(value: unknown): Saved[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MOST).flatMap((entry: unknown) => {
    if (typeof entry !== "object" || entry === null) return [];
    const { name, region }: { name?: unknown; region?: unknown } = entry;
    const shape = readShape(region);
    return shape && typeof name === "string" && name !== "" ? [{ name, region: shape }] : [];
  });
}

function read(): Saved[] {
  try {
    return readSaved(JSON.parse(localStorage.getItem(PLACE) ?? "[]"));
  } catch {
    return [];
  }
}

export const saved = signal<readonly Saved[]>(read());

export function setSaved(list: readonly Saved[]): void {
  saved.value = list.slice(-MOST);
  try {
    localStorage.setItem(PLACE, JSON.stringify(saved.value));
  } catch {
    // Private windows and some iframes have no storage: the list lasts as long as the page.
  }
}

/** Remembers a detector; one of the same name is replaced. */
export function save(name: string, region: Shape): void {
  setSaved([...saved.value.filter((one) => one.name !== name), { name, region }]);
}

export function forget(name: string): void {
  setSaved(saved.value.filter((one) => one.name !== name));
}
