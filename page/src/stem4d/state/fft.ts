// The Fourier transform of the virtual image, worked out when the page has time for it.
// SPDX-License-Identifier: Apache-2.0
import { computed, effect, signal, untracked } from "@preact/signals";
import { fftMagnitude } from "../../analysis/fft";
import { findSpot, type Spot } from "../../analysis/spot";
import { scalarOf } from "../../display/limits";
import type { Point, Raster } from "../../types";
import type { Answered } from "./answered";
import { pictureOf, shown } from "./images";
import { fftOpen } from "./settings";

/** A transform with what it is of. */
interface Transformed {
  raster: Raster;
  of: Answered;
  windowed: boolean;
}

const newest = signal<Transformed | null>(null);
export const fftWindow = signal(true);

/** The newest transform of what the image panel shows; during a drag it may be of the image before. */
const current = computed<Transformed | null>(() => {
  const [now, last] = [shown.value, newest.value];
  return now && last && last.of.subject === now.subject ? last : null;
});

export const transform = computed<Raster | null>(() => current.value?.raster ?? null);

/** The transform is of the very image that is shown, with the window that is chosen. */
export const transformIsCurrent = computed(() => {
  const now = current.value;
  return now !== null && now.of.images === shown.value?.images && now.windowed === fftWindow.value;
});

const picked = signal<{ at: Point; rows: number; cols: number } | null>(null);

/** The spot near where was clicked, as long as the transform has the size of then: always of the
 *  transform that is shown, also after another mode or frame was chosen. */
export const spot = computed<Spot | null>(() => {
  const [click, now] = [picked.value, transform.value];
  const fits = click && now && click.rows === now.rows && click.cols === now.cols;
  return fits ? findSpot(now, click.at) : null;
});

let waiting: Answered | null = null;

function work(): void {
  const of = waiting;
  waiting = null;
  const picture = of && pictureOf(of);
  if (!of || !picture || !fftOpen.peek()) return;
  const windowed = fftWindow.peek();
  newest.value = { raster: fftMagnitude(scalarOf(picture), { window: windowed }), of, windowed };
}

effect(() => {
  const now = shown.value;
  void fftWindow.value;
  if (!fftOpen.value || !now) return;
  // Images of a drag come faster than large transforms are worked out: the newest one counts.
  if (!waiting) untracked(() => setTimeout(work, 0));
  waiting = now;
});

/** Means the spot near a click. */
export function pickSpot(at: Point): void {
  const now = transform.value;
  picked.value = now && { at, rows: now.rows, cols: now.cols };
}
