// The colour bar of a panel, beside or below its image.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { DisplaySettings } from "../types";
import { mapTable } from "./colormaps";
import type { Limits } from "./limits";
import { evenTicks, spreadingTicks, type Ticks, valueText } from "./nice";
import { placeOf } from "./tone";
import type { Extent, Size } from "./view";

/** What a bar takes of the panel in CSS pixels, with its gap: the width beside, the height below. */
const beside = 84;
const below = 38;

/** Whether the image gets larger with the bar below than with the bar beside it. */
export function fitsBelow(image: Extent, room: Size): boolean {
  const zoom = (width: number, height: number): number =>
    Math.min(width / image.cols, height / (image.rows * (image.aspect ?? 1)));
  if (image.cols < 1 || room.height <= below) return false;
  return zoom(room.width, room.height - below) > zoom(room.width - beside, room.height);
}

/** The ticks of a colour bar on this scale. */
export function colorBarTicks(settings: DisplaySettings, limits: Limits, count: number): Ticks {
  if (settings.scale === "linear") return evenTicks(limits.low, limits.high, count);
  const place = (value: number): number => placeOf(value, settings, limits);
  return spreadingTicks(limits.low, limits.high, count, place);
}

interface Canvas {
  current: HTMLCanvasElement | null;
}

function useColours(settings: DisplaySettings, upwards: boolean): Canvas {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { map, invert } = settings;
  useLayoutEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context) return;
    const table = new Uint32Array(mapTable(map).buffer).slice();
    if (invert !== upwards) table.reverse(); // bright is up, or right
    const bytes = new Uint8ClampedArray(table.buffer);
    const [width, height] = upwards ? [1, 256] : [256, 1];
    context.putImageData(new ImageData(bytes, width, height), 0, 0);
  }, [map, invert, upwards]);
  return canvas;
}

interface Props {
  settings: DisplaySettings;
  limits: Limits;
  unit: string;
  /** Of the image beside or above it, in CSS pixels. */
  length: number;
}

const titleOf = (factor: string, unit: string): string =>
  [factor, unit].filter((part) => part !== "").join(" ");

const labelOf = ({ limits, unit }: Props): string =>
  `Colour bar from ${valueText(limits.low)} to ${valueText(limits.high)} ${unit}`;

// Room for the title above the colours and half a tick's text below, as in display.css.
const [head, foot] = [20, 6];

function Upright(props: Props): ComponentChildren {
  const { settings, limits, unit, length } = props;
  const canvas = useColours(settings, true);
  const { ticks, factor } = colorBarTicks(settings, limits, Math.min(Math.max(length / 45, 2), 8));
  const top = (value: number): number =>
    head + (1 - placeOf(value, settings, limits)) * (length - head - foot);
  return (
    <div class="color-bar" role="img" aria-label={labelOf(props)}>
      <canvas ref={canvas} width={1} height={256} />
      <svg height={length} width={60} aria-hidden="true">
        <text x={-14} y={12}>
          {titleOf(factor, unit)}
        </text>
        {ticks.map((tick, index) => (
          <g key={index} transform={`translate(0 ${top(tick.value)})`}>
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

// Room for half a tick's text on the left and for the title on the right, as in display.css.
const [start, end] = [16, 62];

function Lying(props: Props): ComponentChildren {
  const { settings, limits, unit, length } = props;
  const canvas = useColours(settings, false);
  const { ticks, factor } = colorBarTicks(settings, limits, Math.min(Math.max(length / 70, 2), 8));
  const left = (value: number): number =>
    start + placeOf(value, settings, limits) * (length - start - end);
  return (
    <div class="color-bar lying" role="img" aria-label={labelOf(props)}>
      <canvas ref={canvas} width={256} height={1} />
      <svg width={length} height={32} aria-hidden="true">
        <text x={length - end + 10} y={13}>
          {titleOf(factor, unit)}
        </text>
        {ticks.map((tick, index) => (
          <g key={index} transform={`translate(${left(tick.value)} 14)`}>
            <line y2={4} />
            <text y={15} text-anchor="middle">
              {tick.text}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}

/** The colours from the low limit (bottom, or left) to the high one, with ticks. */
export function ColorBar(props: Props & { lying: boolean }): ComponentChildren {
  const { lying, ...rest } = props;
  return lying ? <Lying {...rest} /> : <Upright {...rest} />;
}
