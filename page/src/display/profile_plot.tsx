// Curves by uPlot, in the page's colours.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import "./display.css";
import { useSize } from "./painting";
import { numberText } from "./nice";

export interface Curve {
  label: string;
  /** CSS colour; the accent of the page if not given. */
  color?: string | undefined;
  /** One per x; NaN: a gap. */
  y: ArrayLike<number>;
  /** Belongs to the axis on the right. */
  right?: boolean | undefined;
}

export interface ProfilePlotProps {
  /** What the plot is called for a screen reader. */
  label: string;
  /** Ascending. */
  x: ArrayLike<number>;
  curves: readonly Curve[];
  xLabel: string;
  xUnit: string;
  yLabel: string;
  yUnit: string;
  /** Of the axis on the right, where a curve belongs to it. */
  rightLabel?: string | undefined;
  rightUnit?: string | undefined;
  /** A place along x that is marked; no number: none. */
  mark?: number | undefined;
  /** Places along x are whole numbers, and so are its ticks. */
  wholeX?: boolean | undefined;
  /** Each place has a dot, so that one between gaps is seen. */
  dots?: boolean | undefined;
  /** A logarithmic scale of the values, which are positive then. */
  logarithmic?: boolean | undefined;
  /** Where the cursor is along x; null: it left. */
  onCursor?: ((x: number | null) => void) | undefined;
}

/** Ways from one tick to the next that are whole numbers. */
const WHOLE = Array.from({ length: 8 }, (_, power) => [1, 2, 5].map((by) => by * 10 ** power)).flat();

/** From a little below the least value to a little above the largest, not over whole decades. */
const LOGARITHMIC: UPlot.Scale = {
  distr: 3,
  range: (_, low, high) => [(low ?? 0.1) / 1.1, (high ?? 1) * 1.1],
};

const withUnit = (label: string, unit: string): string =>
  label === "" || unit === "" ? label + unit : `${label} (${unit})`;

/** Columns as uPlot takes them: x, then each curve with null for what is no number. */
export function columnsOf(x: ArrayLike<number>, curves: readonly Curve[]): UPlot.AlignedData {
  const gaps = ({ y }: Curve): (number | null)[] =>
    Array.from({ length: x.length }, (_, i) => {
      const v = y[i];
      return v !== undefined && Number.isFinite(v) ? v : null;
    });
  return [Array.from(x), ...curves.map(gaps)];
}

interface Colours {
  text: string;
  line: string;
  accent: string;
}

function coloursOf(element: Element): Colours {
  const style = getComputedStyle(element);
  const of = (name: string, otherwise: string): string =>
    style.getPropertyValue(name).trim() || otherwise;
  return {
    text: of("--text", "#24272e"),
    line: of("--line", "#c9ced8"),
    accent: of("--accent", "#2563eb"),
  };
}

function optionsOf(props: ProfilePlotProps, colours: Colours): UPlot.Options {
  const axis = (label: string, size: number): UPlot.Axis => ({
    label,
    size,
    labelSize: 18,
    font: "11px system-ui, sans-serif",
    labelFont: "12px system-ui, sans-serif",
    stroke: colours.text,
    grid: { stroke: colours.line, width: 1 },
    ticks: { stroke: colours.line, width: 1, size: 4 },
    // On a logarithmic scale uPlot has null where a tick shall have no text.
    values: (_, splits: (number | null)[]) => splits.map((v) => (v === null ? "" : numberText(v, 5))),
  });
  const value = (_: UPlot, v: number | null): string => (v === null ? "–" : numberText(v, 5));
  return {
    width: 300,
    height: 150,
    padding: [8, 12, 0, 0],
    scales: { x: { time: false }, ...(props.logarithmic && { y: LOGARITHMIC }) },
    axes: [
      { ...axis(withUnit(props.xLabel, props.xUnit), 28), ...(props.wholeX && { incrs: WHOLE }) },
      axis(withUnit(props.yLabel, props.yUnit), 54),
      ...(props.curves.some(({ right }) => right)
        ? [
            {
              ...axis(withUnit(props.rightLabel ?? "", props.rightUnit ?? ""), 54),
              scale: "right",
              side: 1 as const,
              grid: { show: false },
            },
          ]
        : []),
    ],
    series: [
      { label: props.xLabel, value },
      ...props.curves.map(({ label, color, right }) => {
        const stroke = color ?? colours.accent;
        const scale = right ? "right" : "y";
        // A line needs two points; one alone is a dot.
        const show = (u: UPlot): boolean => props.dots === true || u.data[0].length === 1;
        const points = { show, size: 6, fill: stroke };
        return { label, value, stroke, scale, width: 1.5, points };
      }),
    ],
    cursor: { drag: { x: true, y: false }, points: { size: 6 } },
  };
}

/** A line across the plot at a place along x. */
function drawMark(u: UPlot, mark: number | undefined, color: string): void {
  if (mark === undefined || !Number.isFinite(mark)) return;
  const x = Math.round(u.valToPos(mark, "x", true)) + 0.5;
  const { left, top, width, height } = u.bbox;
  if (x < left || x > left + width) return;
  u.ctx.save();
  u.ctx.strokeStyle = color;
  u.ctx.setLineDash([4, 4]);
  u.ctx.beginPath();
  u.ctx.moveTo(x, top);
  u.ctx.lineTo(x, top + height);
  u.ctx.stroke();
  u.ctx.restore();
}

/** Counts changes of the theme, which a canvas does not follow by itself. */
function useThemeChanges(): number {
  const [changes, setChanges] = useState(0);
  useEffect(() => {
    const changed = (): void => setChanges((n) => n + 1);
    const query = matchMedia("(prefers-color-scheme: dark)");
    const observer = new MutationObserver(changed);
    query.addEventListener("change", changed);
    observer.observe(document.documentElement, { attributeFilter: ["class", "data-theme"] });
    return () => {
      query.removeEventListener("change", changed);
      observer.disconnect();
    };
  }, []);
  return changes;
}

/** Drag to zoom along x, double click for all. */
export function ProfilePlot(props: ProfilePlotProps): ComponentChildren {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | null>(null);
  const newest = useRef(props);
  newest.current = props;
  const size = useSize(box);
  const theme = useThemeChanges();
  const { x, curves, xLabel, xUnit, yLabel, yUnit, rightUnit, mark } = props;
  const named = curves.map((c) => `${c.label} ${c.color} ${c.right}`);
  const looks = [xLabel, xUnit, yLabel, yUnit, rightUnit, props.logarithmic, ...named].join("|");
  useLayoutEffect(() => {
    const own = box.current;
    if (!own) return undefined;
    const colours = coloursOf(own);
    const options = optionsOf(newest.current, colours);
    const hooks = {
      draw: [(u: UPlot) => drawMark(u, newest.current.mark, colours.text)],
      setCursor: [
        (u: UPlot) => {
          const at = u.cursor.idx;
          newest.current.onCursor?.(typeof at === "number" ? (u.data[0][at] ?? null) : null);
        },
      ],
    };
    const now = newest.current;
    const made = new UPlot({ ...options, hooks }, columnsOf(now.x, now.curves), own);
    plot.current = made;
    return () => {
      plot.current = null;
      made.destroy();
    };
  }, [looks, theme]);
  useLayoutEffect(() => plot.current?.setData(columnsOf(x, curves)), [x, curves]);
  useLayoutEffect(() => plot.current?.redraw(false), [mark]);
  useLayoutEffect(() => {
    const own = box.current;
    if (!own || size.width === 0 || size.height === 0) return;
    const legend = own.querySelector(".u-legend")?.clientHeight ?? 0;
    plot.current?.setSize({ width: size.width, height: Math.max(size.height - legend, 60) });
  }, [size, looks, theme]);
  return <div class="profile-plot" ref={box} role="img" aria-label={props.label} />;
}
