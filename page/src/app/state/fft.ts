// The Fourier transform of the virtual image, worked out when the page has time for it.
// SPDX-License-Identifier: Apache-2.0
import { effect, signal, untracked } from "@preact/signals";
import { fftMagnitude } from "../../analysis/fft";
import { findSpot, type Spot } from "../../analysis/spot";
import { isField, magnitudes, type Picture } from "../../display/limits";
import type { Point, Raster } from "../../types";
import { picture } from "./images";
import { fftOpen } from "./settings";

export const transform = signal<Raster | null>(null);
/** The spot that was clicked. */
export const spot = signal<Spot | null>(null);
export const fftWindow = signal(true);

let waiting: Picture | null = null;

function asRaster(of: Picture): Raster {
  return isField(of) ? { rows: of.rows, cols: of.cols, values: magnitudes(of) } : of;
}

function work(): void {
  const of = waiting;
  waiting = null;
  if (of && fftOpen.value)
    transform.value = fftMagnitude(asRaster(of), { window: fftWindow.value });
}

effect(() => {
  const now = picture.value;
  void fftWindow.value;
  if (!fftOpen.value || !now) return;
  // Images of a drag come faster than large transforms are worked out: the newest one counts.
  if (!waiting) untracked(() => setTimeout(work, 0));
  waiting = now;
});

/** Finds the spot that a click means. */
export function pickSpot(at: Point): void {
  spot.value = transform.value ? findSpot(transform.value, at) : null;
}
