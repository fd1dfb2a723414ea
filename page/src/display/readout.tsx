// The line of text under a panel: where the cursor is and what is there.
// SPDX-License-Identifier: Apache-2.0
import type { ReadonlySignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Point } from "../types";
import { isField, type Picture } from "./limits";
import { inUnit, numberText, readable, valueText } from "./nice";

export interface Calibrated {
  /** Size of a pixel; 0: unknown. */
  step: number;
  stepUnit: string;
  /** Height of a pixel where it is not its width. */
  stepDown?: number | undefined;
  /** From where calibrated positions count; the corner pixel if not given. */
  origin?: Point | undefined;
}

/** "row 12 · column 40 · 1840 counts · 3.2 nm down, 8 nm right"; empty outside of the image. */
export function readoutText(
  picture: Picture,
  point: Point,
  unit: string,
  { step, stepUnit, stepDown = step, origin = [0, 0] }: Calibrated,
): string {
  const [row, col] = [Math.round(point[0]), Math.round(point[1])];
  if (!(row >= 0 && col >= 0 && row < picture.rows && col < picture.cols)) return "";
  const parts = [`row ${row}`, `column ${col}`, valueAt(picture, row * picture.cols + col, unit)];
  if (step > 0 && Number.isFinite(step)) {
    const [down, right] = [(point[0] - origin[0]) * stepDown, (point[1] - origin[1]) * step];
    // Both in the unit that suits the longer one.
    const { length, unit: name } = readable(Math.max(Math.abs(down), Math.abs(right)), stepUnit);
    const factor = length / (Math.max(Math.abs(down), Math.abs(right)) || 1);
    const text = (way: number): string => inUnit(way * (factor || 1), name, 3);
    parts.push(`${text(down)} down, ${text(right)} right`);
    if (stepUnit === "1/nm") parts.push(`${inUnit(Math.hypot(down, right), stepUnit, 4)} in all`);
  }
  return parts.join(" · ");
}

function valueAt(picture: Picture, index: number, unit: string): string {
  const space = unit === "" ? "" : ` ${unit}`;
  if (!isField(picture)) return valueText(picture.values[index] ?? NaN) + space;
  const down = picture.down[index] ?? NaN;
  const right = picture.right[index] ?? NaN;
  const angle = (Math.atan2(-down, right) * 180) / Math.PI;
  const length = numberText(Math.hypot(down, right), 4);
  return `${length}${space} at ${numberText(Math.round(angle), 3)}°`;
}

/** Keeps its own subscription to the cursor, so that a panel is not worked out for each move. */
export function Readout(props: {
  picture: Picture | null;
  cursor: ReadonlySignal<Point | null>;
  dragging: ReadonlySignal<boolean>;
  /** What is read out while the cursor is elsewhere, as the probe. */
  marker?: Point | null | undefined;
  unit: string;
  calibrated: Calibrated;
}): ComponentChildren {
  const { picture, cursor, dragging, marker, unit, calibrated } = props;
  const point = cursor.value ?? marker ?? null;
  const text = picture && point ? readoutText(picture, point, unit, calibrated) : "";
  return (
    <output class="readout" aria-live={dragging.value || cursor.value ? "off" : "polite"}>
      {text || " "}
    </output>
  );
}
