// The legend of a vector field: which colour is which direction and length.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { DisplaySettings } from "../types";
import { type VectorField } from "./limits";
import { numberText } from "./nice";
import { toRgba } from "./renderer_2d";

const across = 96;

/** Vectors that point away from the middle, 1 long at the rim; NaN outside of it. */
export function wheelField(size: number): VectorField {
  const down = new Float32Array(size * size);
  const right = new Float32Array(size * size);
  const middle = (size - 1) / 2;
  for (let i = 0; i < down.length; ++i) {
    const y = (Math.floor(i / size) - middle) / middle;
    const x = ((i % size) - middle) / middle;
    const inside = Math.hypot(x, y) <= 1;
    down[i] = inside ? y : NaN;
    right[i] = inside ? x : NaN;
  }
  return { rows: size, cols: size, down, right };
}

const plain: DisplaySettings = {
  scale: "linear",
  power: 1,
  limits: { kind: "absolute", low: 0, high: 1 },
  map: "phase",
  invert: false,
  symmetric: false,
  smooth: false,
  colorBar: false,
  scaleBar: false,
};

/** The wheel's pixels; nothing outside of its rim. */
export function wheelImage(size: number, invert: boolean): ImageData {
  const field = wheelField(size);
  const rgba = toRgba(field, { ...plain, invert }, { low: 0, high: 1 });
  for (let i = 0; i < field.down.length; ++i)
    if (Number.isNaN(field.down[i])) rgba[4 * i + 3] = 0;
  return new ImageData(rgba, size, size);
}

/** What its rim stands for. */
export const wheelText = (high: number, unit: string): string =>
  `${numberText(high, 3)}${unit === "" ? "" : ` ${unit}`}`;

/** Its rim stands for vectors of length `high`. */
export function ColourWheel(props: {
  high: number;
  unit: string;
  invert: boolean;
}): ComponentChildren {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { high, unit, invert } = props;
  useLayoutEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context) return;
    context.putImageData(wheelImage(across, invert), 0, 0);
  }, [invert]);
  const text = wheelText(high, unit);
  return (
    <div class="colour-wheel" role="img" aria-label={`Colour is direction; full colour is ${text}`}>
      <canvas ref={canvas} width={across} height={across} />
      <span>{text}</span>
    </div>
  );
}
