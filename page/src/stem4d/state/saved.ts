// Named detectors that the browser remembers.
// SPDX-License-Identifier: Apache-2.0
import { signal } from "@preact/signals";
import { Wrong } from "../files/check";
import { shape } from "../files/session_schema";
import type { Shape } from "../types";

export interface Saved {
  name: string;
  region: Shape;
}

const PLACE = "sluice.detectors";
const MOST = 100;

/** Named shapes from untrusted JSON; what is none is left out. */
export function readSaved(value: unknown): Saved[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MOST).flatMap((entry: unknown) => {
    if (typeof entry !== "object" || entry === null) return [];
    const { name, region }: { name?: unknown; region?: unknown } = entry;
    try {
      const known = shape(region, "region");
      return typeof name === "string" && name !== "" ? [{ name, region: known }] : [];
    } catch (error) {
      if (error instanceof Wrong) return [];
      throw error;
    }
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
