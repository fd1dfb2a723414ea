// Scales: where between the limits a value lies.
// SPDX-License-Identifier: Apache-2.0
import type { DisplaySettings } from "../types";
import type { Limits } from "./limits";

/** A value on the scale: log is log(1+|x|/knee) and power is |x|^p, both with the sign of x. */
export function scaled(x: number, settings: DisplaySettings, knee = 1): number {
  if (settings.scale === "log") return x < 0 ? -Math.log1p(-x / knee) : Math.log1p(x / knee);
  if (settings.scale === "power") {
    const p = exponentOf(settings);
    return x < 0 ? -Math.pow(-x, p) : Math.pow(x, p);
  }
  return x;
}

/** The inverse of `scaled`. */
export function unscaled(s: number, settings: DisplaySettings, knee = 1): number {
  if (settings.scale === "log") return knee * (s < 0 ? -Math.expm1(-s) : Math.expm1(s));
  if (settings.scale === "power") {
    const q = 1 / exponentOf(settings);
    return s < 0 ? -Math.pow(-s, q) : Math.pow(s, q);
  }
  return s;
}

/** The exponent of the power scale; 1 where the settings hold none that can be used. */
export function exponentOf(settings: DisplaySettings): number {
  return settings.power > 0 && Number.isFinite(settings.power) ? settings.power : 1;
}

/** 0 at the low limit, 1 at the high one; not clamped, not inverted. */
export function placeOf(x: number, settings: DisplaySettings, limits: Limits): number {
  const low = scaled(limits.low, settings, limits.knee);
  const width = scaled(limits.high, settings, limits.knee) - low;
  // A width that overflows or vanishes leaves a step at the low limit.
  if (!Number.isFinite(width) || width <= 0) return x > limits.low ? 1 : 0;
  return (scaled(x, settings, limits.knee) - low) / width;
}

/** The value at a place from 0 to 1. */
export function valueAt(place: number, settings: DisplaySettings, limits: Limits): number {
  const low = scaled(limits.low, settings, limits.knee);
  const high = scaled(limits.high, settings, limits.knee);
  return unscaled(low + place * (high - low), settings, limits.knee);
}
