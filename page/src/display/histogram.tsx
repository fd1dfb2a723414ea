// The histogram of a picture with two limits to drag or to move with the arrow keys.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { DisplaySettings } from "../types";
import { type Limits, type Picture, rangeOf, scalarOf } from "./limits";
import { valueText } from "./nice";
import { usePixelRatio, useSize } from "./painting";
import { OncePerFrame } from "./pointer";

const bins = 256;

export interface Counts {
  /** Values in each of 256 equal parts of low to high. */
  counts: Uint32Array;
  low: number;
  high: number;
}

/** Counts of the finite values over their range, and of what is outside in no part. */
export function countsOf(picture: Picture): Counts {
  const values = scalarOf(picture).values;
  const { min, max, count } = rangeOf(values);
  const counts = new Uint32Array(bins);
  if (count === 0) return { counts, low: 0, high: 1 };
  const width = max - min;
  const high = width > 0 && Number.isFinite(width) ? max : min + Math.max(1, Math.abs(min) * 1e-6);
  const factor = bins / (high - min);
  for (let i = 0; i < values.length; ++i) {
    const v = values[i]!;
    if (v - v === 0) counts[Math.min(((v - min) * factor) | 0, bins - 1)]!++;
  }
  return { counts, low: min, high };
}

export interface HistogramProps {
  picture: Picture | null;
  settings: DisplaySettings;
  /** Those in use. */
  limits: Limits;
  unit: string;
  /** Heights by the logarithm of the counts. */
  logCounts?: boolean | undefined;
  onLimits: (limits: Limits) => void;
  /** Double click: back to the automatic limits. */
  onAuto: () => void;
}

/** The range of the axis: the data, and the limits where they lie outside. */
function axisOf({ low, high }: Counts, limits: Limits): Limits {
  return { low: Math.min(low, limits.low), high: Math.max(high, limits.high) };
}

function draw(
  canvas: HTMLCanvasElement,
  data: Counts,
  axis: Limits,
  limits: Limits,
  logCounts: boolean,
): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  const { width, height } = canvas;
  const style = getComputedStyle(canvas);
  const shown = style.getPropertyValue("color");
  const cut = style.getPropertyValue("--histogram-outside");
  const tall = (n: number): number => (logCounts ? Math.log1p(n) : n);
  // One bin of background would flatten all others.
  const sorted = Array.from(data.counts, tall).sort((a, b) => b - a);
  const top = logCounts ? sorted[0]! : Math.min(sorted[0]!, 4 * Math.max(sorted[2]!, 1));
  const place = (v: number): number => ((v - axis.low) / (axis.high - axis.low)) * width;
  context.clearRect(0, 0, width, height);
  data.counts.forEach((n, i) => {
    if (n === 0) return;
    const from = data.low + (i / bins) * (data.high - data.low);
    const to = data.low + ((i + 1) / bins) * (data.high - data.low);
    const inside = to > limits.low && from < limits.high;
    const tallness = Math.max(1, Math.min(1, tall(n) / Math.max(top, 1e-9)) * (height - 2));
    context.fillStyle = inside ? shown : cut;
    const x = place(from);
    context.fillRect(x, height - tallness, Math.max(1, place(to) - x), tallness);
  });
}

type End = "low" | "high";

/** The limits with one end moved; the other end stays and is not passed. */
export function movedLimits(limits: Limits, end: End, value: number, axis: Limits): Limits {
  const gap = (axis.high - axis.low) / 1000;
  if (end === "low") return { low: Math.min(value, limits.high - gap), high: limits.high };
  return { low: limits.low, high: Math.max(value, limits.low + gap) };
}

const keys: Record<string, number> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
};

/** Where a key takes an end, in hundredths of the axis or to its ends; null: another key. */
export function keyedValue(
  key: string,
  value: number,
  shift: boolean,
  axis: Limits,
): number | null {
  if (key === "Home") return axis.low;
  if (key === "End") return axis.high;
  const steps = keys[key];
  if (steps === undefined) return null;
  const moved = value + (steps * (shift ? 10 : 1) * (axis.high - axis.low)) / 100;
  return Math.min(Math.max(moved, axis.low), axis.high);
}

export function Histogram(props: HistogramProps): ComponentChildren {
  const { picture, limits, logCounts = false } = props;
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(box);
  const ratio = usePixelRatio();
  const data = useMemo(
    () => (picture ? countsOf(picture) : { counts: new Uint32Array(bins), low: 0, high: 1 }),
    [picture],
  );
  // The axis must not run away under a limit that is being dragged.
  const held = useRef<Limits | null>(null);
  const axis = held.current ?? axisOf(data, limits);
  useLayoutEffect(() => {
    const own = canvas.current;
    if (!own) return;
    own.width = Math.round(size.width * ratio);
    own.height = Math.round(size.height * ratio);
    draw(own, data, axis, limits, logCounts);
  }, [data, limits.low, limits.high, axis.low, axis.high, logCounts, size, ratio]);
  return (
    <div class="histogram" ref={box} onDblClick={props.onAuto}>
      <canvas ref={canvas} role="img" aria-label="Histogram of the values" />
      <Handle {...props} end="low" axis={axis} held={held} box={box} />
      <Handle {...props} end="high" axis={axis} held={held} box={box} />
    </div>
  );
}

interface HandleProps extends HistogramProps {
  end: End;
  axis: Limits;
  held: { current: Limits | null };
  box: { current: HTMLElement | null };
}

/** One limit as a slider. */
function Handle(props: HandleProps): ComponentChildren {
  const { end, axis, limits, unit, held, box } = props;
  const own = useRef<HTMLDivElement>(null);
  const newest = useRef(props);
  newest.current = props;
  const value = limits[end];
  useLayoutEffect(() => {
    const place = (100 * (value - axis.low)) / (axis.high - axis.low);
    if (own.current) own.current.style.left = `${Math.min(Math.max(place, 0), 100)}%`;
  }, [value, axis.low, axis.high]);
  const moves = useMemo(
    () =>
      new OncePerFrame((x: number) => {
        const now = newest.current;
        const area = box.current?.getBoundingClientRect();
        if (!area || area.width === 0) return;
        const part = Math.min(Math.max((x - area.left) / area.width, 0), 1);
        const wanted = now.axis.low + part * (now.axis.high - now.axis.low);
        now.onLimits(movedLimits(now.limits, now.end, wanted, now.axis));
      }),
    [box],
  );
  useLayoutEffect(() => () => moves.drop(), [moves]);
  return (
    <div
      ref={own}
      class={`histogram-limit ${end}`}
      role="slider"
      tabIndex={0}
      aria-label={end === "low" ? "Lowest value shown" : "Highest value shown"}
      aria-orientation="horizontal"
      aria-valuemin={end === "low" ? axis.low : limits.low}
      aria-valuemax={end === "low" ? limits.high : axis.high}
      aria-valuenow={value}
      aria-valuetext={`${valueText(value)} ${unit}`}
      title={valueText(value)}
      onPointerDown={(e) => {
        if (e.button !== 0) return;
        e.currentTarget.setPointerCapture(e.pointerId);
        held.current = axis;
      }}
      onPointerMove={(e) => {
        if (held.current && e.currentTarget.hasPointerCapture(e.pointerId)) moves.offer(e.clientX);
      }}
      onLostPointerCapture={() => {
        moves.flush();
        held.current = null;
      }}
      onKeyDown={(e) => {
        const wanted = keyedValue(e.key, value, e.shiftKey, axis);
        if (wanted === null) return;
        e.preventDefault();
        e.stopPropagation();
        props.onLimits(movedLimits(limits, end, wanted, axis));
      }}
    />
  );
}
