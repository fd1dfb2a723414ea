// How pictures are shown until somebody changes it.
// SPDX-License-Identifier: Apache-2.0
import { MAPS } from "../display/colormaps";
import type { DisplaySettings } from "../types";

const MAP = { phase: "meadow", amplitude: "gray", probe: "ember" } as const;

/** Percentiles that leave out few wild pixels; of a probe all of them count. */
const CUT = { phase: [0.2, 99.8], amplitude: [0.2, 99.8], probe: [0, 100] } as const;

export const usualLook = (key: keyof typeof MAP): DisplaySettings => ({
  scale: "linear",
  power: 1,
  limits: { kind: "percentile", low: CUT[key][0], high: CUT[key][1] },
  map: MAP[key],
  invert: false,
  symmetric: false,
  smooth: false,
  colorBar: true,
  scaleBar: true,
});

export const MAP_OPTIONS = MAPS.map(({ name, label }) => [name, label] as const);
