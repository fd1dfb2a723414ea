// The line below the planes: where the crosshair is, and the value of every volume there.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { numberText, valueText } from "../display/nice";
import { valueHere } from "./asking";
import { axesOf, axisName, nearest, placeUnit } from "./space";
import { base, mayDiffer, over, place, reference, subject, together } from "./state";
import type { Volume } from "./types";

/** "x −3, y 12.5, z 40 mm · element 12, 30, 5". */
export function positionText(here: Volume): string {
  const axes = axesOf(here);
  const at = axes.map((axis) => `${axisName(here, axis)} ${numberText(place.value[axis], 5)}`);
  const elements = axes.map((axis) => nearest(here, axis, place.value[axis]));
  return `${at.join(", ")} ${placeUnit(here)} · element ${elements.join(", ")}`;
}

/** "dose.mha 1.234 Gy (62 %)". */
export function valueOf(volume: Volume): string {
  const value = valueHere(volume);
  if (value === null) return `${volume.name} …`;
  const text = Number.isNaN(value) ? "no value" : `${valueText(value)} ${volume.unit}`.trim();
  const share =
    volume.id === subject.value?.id && reference.value > 0 && Number.isFinite(value)
      ? ` (${numberText((100 * value) / reference.value, 3)} %)`
      : "";
  return `${volume.name} ${text}${share}`;
}

/** Base less overlay, where both have a value of one unit. */
function differenceText(here: Volume, top: Volume | null): string[] {
  if (!top || !mayDiffer.value) return [];
  const [a, b] = [valueHere(here), valueHere(top)];
  if (a === null || b === null || !Number.isFinite(a - b)) return [];
  return [`difference ${valueText(a - b)} ${here.unit}`.trim()];
}

export function Readout(): ComponentChildren {
  const here = base.value;
  const parts = here
    ? [positionText(here), ...together.value.map(valueOf), ...differenceText(here, over.value)]
    : [];
  return (
    <footer class="volume-foot">
      <output class="readout" aria-live="off">
        {parts.join(" · ") || " "}
      </output>
    </footer>
  );
}
