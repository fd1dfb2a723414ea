// How each panel shows its values, and what of the page is open.
// SPDX-License-Identifier: Apache-2.0
import { type Signal, signal } from "@preact/signals";
import type { View } from "../../display/view";
import type { DisplaySettings } from "../../types";
import type { ImageMode } from "../types";

export type PanelName = "pattern" | "image" | "fft";

const BASE: DisplaySettings = {
  scale: "linear",
  power: 0.5,
  limits: { kind: "percentile", low: 0.5, high: 99.5 },
  map: "gray",
  invert: false,
  symmetric: false,
  smooth: false,
  colorBar: true,
  scaleBar: true,
};

/** The settings that a panel starts with. */
export const STARTS: Record<PanelName, DisplaySettings> = {
  pattern: {
    ...BASE,
    scale: "log",
    map: "ember",
    limits: { kind: "percentile", low: 0, high: 99.9 },
  },
  image: BASE,
  fft: {
    ...BASE,
    scale: "log",
    map: "dusk",
    limits: { kind: "percentile", low: 5, high: 99.9 },
  },
};

export const settings: Record<PanelName, Signal<DisplaySettings>> = {
  pattern: signal(STARTS.pattern),
  image: signal(STARTS.image),
  fft: signal(STARTS.fft),
};

/** Zoom and pan; null: the whole image. */
export const views: Record<PanelName, Signal<View | null>> = {
  pattern: signal(null),
  image: signal(null),
  fft: signal(null),
};

export function adjust(panel: PanelName, change: Partial<DisplaySettings>): void {
  settings[panel].value = { ...settings[panel].value, ...change };
}

/** Signed modes look best symmetric about 0 on a map with a middle. */
export function suitMode(mode: ImageMode): void {
  const signed = ["com_row", "com_col", "divergence", "curl"].includes(mode);
  const { map, symmetric } = settings.image.value;
  if (signed && !symmetric) adjust("image", { symmetric: true, map: "balance", scale: "linear" });
  if (!signed && symmetric && map === "balance")
    adjust("image", { symmetric: false, map: STARTS.image.map });
}

/** The measured bright-field disk is drawn on the pattern. */
export const showDisk = signal(true);
export const fftOpen = signal(false);
/** The disks of the frame at the probe are found and drawn. */
export const disksOpen = signal(false);
export const compareOpen = signal(false);
/** Which dialog is open. */
export const dialog = signal<"help" | "calibration" | "report" | null>(null);
