// The scale bar and the colour bar of a panel.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { DisplaySettings } from "../types";
import { mapTable } from "./colormaps";
import type { Limits } from "./limits";
import { evenTicks, scaleBarLength, spreadingTicks, type Ticks, valueText } from "./nice";
import { placeOf } from "./tone";

/** A bar of nice length in the lower left corner; `cols` image columns are visible. */
export function ScaleBar(props: {
  cols: number;
  zoom: number;
  step: number;
  unit: string;
}): ComponentChildren {
  const { pixels, text } = scaleBarLength(props.cols, props.step, props.unit);
  const width = pixels * props.zoom;
  const short = width < 60; // than its text may be
  return (
    <svg
      class="scale-bar"
      width={width + 4}
      height={26}
      role="img"
      aria-label={`Scale bar ${text}`}
    >
      <text x={short ? 2 : width / 2 + 2} y={14} text-anchor={short ? "start" : "middle"}>
        {text}
      </text>
      <rect x={2} y={19} width={width} height={4} />
    </svg>
  );
}

/** The ticks of a colour bar on this scale. */
export function colorBarTicks(settings: DisplaySettings, limits: Limits, count: number): Ticks {
  if (settings.scale === "linear") return evenTicks(limits.low, limits.high, count);
  const place = (value: number): number => placeOf(value, settings, limits);
  return spreadingTicks(limits.low, limits.high, count, place);
}

// Room for the title above the colours and half a tick's text below, as in display.css.
const above = 20;
const below = 6;

/** The colours from the low limit (bottom) to the high one, with ticks. */
export function ColorBar(props: {
  settings: DisplaySettings;
  limits: Limits;
  unit: string;
  /** In CSS pixels. */
  height: number;
}): ComponentChildren {
  const { settings, limits, unit, height } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const { map, invert } = settings;
  useLayoutEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context) return;
    const table = new Uint32Array(mapTable(map).buffer).slice();
    if (!invert) table.reverse(); // bright is up
    const bytes = new Uint8ClampedArray(table.buffer);
    context.putImageData(new ImageData(bytes, 1, 256), 0, 0);
  }, [map, invert]);
  const { ticks, factor } = colorBarTicks(settings, limits, Math.min(Math.max(height / 45, 2), 8));
  const title = [factor, unit].filter((part) => part !== "").join(" ");
  const top = (value: number): number =>
    above + (1 - placeOf(value, settings, limits)) * (height - above - below);
  const label = `Colour bar from ${valueText(limits.low)} to ${valueText(limits.high)} ${unit}`;
  return (
    <div class="color-bar" role="img" aria-label={label}>
      <canvas ref={canvas} width={1} height={256} />
      <svg height={height} width={60} aria-hidden="true">
        <text x={-14} y={12}>
          {title}
        </text>
        {ticks.map((tick) => (
          <g key={tick.value} transform={`translate(0 ${top(tick.value)})`}>
            <line x2={4} />
            <text x={7} dy="0.35em">
              {tick.text}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}
