// The colour bar of a panel as a figure in a file has it.
// SPDX-License-Identifier: Apache-2.0
import type { ColorBar } from "../export/figure";
import type { DisplaySettings } from "../types";
import { colorBarTicks } from "./color_bar";
import { mapTable } from "./colormaps";
import type { Limits } from "./limits";
import { placeOf } from "./tone";

/** The map between the limits, with ticks. */
export function figureBar(settings: DisplaySettings, limits: Limits, unit: string): ColorBar {
  const { ticks, factor } = colorBarTicks(settings, limits, 6);
  const words = new Uint32Array(mapTable(settings.map).buffer).slice();
  if (settings.invert) words.reverse();
  return {
    colors: new Uint8ClampedArray(words.buffer),
    ticks: ticks.map(({ value, text }) => ({
      place: placeOf(value, settings, limits),
      label: text,
    })),
    label: [factor, unit].filter((part) => part !== "").join(" "),
  };
}
