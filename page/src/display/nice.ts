// Nice numbers, their texts, and lengths with units.
// SPDX-License-Identifier: Apache-2.0

export interface Tick {
  value: number;
  text: string;
}

/** Ticks of one axis; their texts are to be multiplied by `factor` ("×10⁵") if there is one. */
export interface Ticks {
  ticks: Tick[];
  factor: string;
}

export interface ScaleBarLength {
  /** Length in image pixels. */
  pixels: number;
  text: string;
}

/** The nearest of 1, 2, 5·10ⁿ to a positive number; NaN for others. */
export function niceNumber(about: number): number {
  const power = Math.pow(10, Math.floor(Math.log10(about)));
  const m = about / power;
  // The borders are the geometric means of 1, 2, 5 and 10.
  if (m < Math.SQRT2) return power;
  if (m < Math.sqrt(10)) return 2 * power;
  if (m < Math.sqrt(50)) return 5 * power;
  return 10 * power;
}

const raised = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** "10⁻³". */
export function powerOfTen(exponent: number): string {
  const digits = String(exponent).replace(/\d/g, (d) => raised[Number(d)]!);
  return "10" + digits.replace("-", "⁻");
}

const withMinus = (text: string): string => text.replace("-", "−");

/** A number in at most `digits` digits, whole below 100 000, else as a power of ten. */
export function numberText(value: number, digits = 4): string {
  if (Number.isNaN(value)) return "no value";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1000 && size < 99999.5) return withMinus(value.toFixed(0));
  const exact = Number(value.toPrecision(digits));
  if (Math.abs(exact) >= 1e-4 && size < 99999.5) return withMinus(String(exact));
  const [mantissa, exponent] = exact.toExponential().split("e");
  const power = powerOfTen(Number(exponent));
  if (mantissa === "1") return power;
  return `${withMinus(mantissa!)}×${power}`;
}

/** Whole numbers to the last digit; others in five digits, without a power of ten below 10⁹. */
export function valueText(value: number): string {
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e12) return withMinus(String(value));
  return size >= 1000 && size < 1e9 ? withMinus(value.toFixed(0)) : numberText(value, 5);
}

const almost = 0.999;

/** The unit in which a length reads best: Å to nm from 10, nm to µm from 1000, nm to Å below 1. */
export function readable(length: number, unit: string): { length: number; unit: string } {
  let size = length;
  let name = unit;
  if (name === "Å" && Math.abs(size) >= 10 * almost) {
    name = "nm";
    size /= 10;
  }
  if (name === "nm" && Math.abs(size) >= 1000 * almost) return { length: size / 1000, unit: "µm" };
  if (name === "nm" && size !== 0 && Math.abs(size) < almost)
    return { length: size * 10, unit: "Å" };
  if (name === "mrad" && Math.abs(size) >= 1000 * almost)
    return { length: size / 1000, unit: "rad" };
  return { length: size, unit: name };
}

/** "20 Å" for 20 Å, "2 nm⁻¹" for 2 1/nm. */
export function inUnit(length: number, unit: string, digits = 4): string {
  const name = unit.startsWith("1/") ? `${unit.slice(2)}⁻¹` : unit;
  return `${numberText(length, digits)} ${name}`;
}

/** "2 nm" for 20 Å. */
export function lengthText(length: number, unit: string, digits = 4): string {
  const best = readable(length, unit);
  return inUnit(best.length, best.unit, digits);
}

/** A scale bar of about a fifth of `cols` visible pixels; in px when the step is not known. */
export function scaleBarLength(cols: number, step: number, unit: string): ScaleBarLength {
  const known = Number.isFinite(step) && step > 0 && unit !== "";
  const size = known ? step : 1;
  const name = known ? unit : "px";
  let length = niceNumber((cols / 5) * size);
  if (!Number.isFinite(length) || length <= 0) length = size;
  if (name === "px") length = Math.max(length, 1);
  return { pixels: length / size, text: lengthText(length, name) };
}

/** About `count` even ticks within the limits, with as many decimals as their step needs. */
export function evenTicks(low: number, high: number, count: number): Ticks {
  if (!(high > low) || !Number.isFinite(high - low))
    return { ticks: [{ value: low, text: numberText(low) }], factor: "" };
  const step = niceNumber((high - low) / Math.max(count, 1));
  const slack = step * 1e-6;
  const exponent = (v: number): number => Math.floor(Math.log10(v) + 1e-9);
  const largest = exponent(Math.max(Math.abs(low), Math.abs(high)));
  const shift = largest > -3 && largest < 5 ? 0 : largest;
  const decimals = Math.min(Math.max(shift - exponent(step), 0), 12);
  const ticks: Tick[] = [];
  for (let k = Math.ceil((low - slack) / step); k * step <= high + slack; ++k) {
    const value = k === 0 ? 0 : k * step;
    const shown = shift === 0 ? value : value / Math.pow(10, shift);
    ticks.push({ value, text: withMinus(shown.toFixed(decimals)) });
    if (ticks.length > 100) break; // a step too small to change the value
  }
  return { ticks, factor: shift === 0 ? "" : `×${powerOfTen(shift)}` };
}

/** Round numbers of every size, no two nearer than a `count`-th of the way that `place` goes. */
export function spreadingTicks(
  low: number,
  high: number,
  count: number,
  place: (value: number) => number,
): Ticks {
  const last = Math.floor(Math.log10(Math.max(Math.abs(low), Math.abs(high))) + 1e-9);
  if (!(high > low) || !Number.isFinite(last)) return evenTicks(low, high, count);
  const gap = (place(high) - place(low)) / (count + 1);
  const taken: number[] = [];
  const offer = (value: number): void => {
    if (value < low || value > high * (high > 0 ? 1 + 1e-9 : 1)) return;
    if (taken.every((t) => Math.abs(place(t) - place(value)) >= gap)) taken.push(value);
  };
  offer(0);
  for (const mantissa of [1, 2, 5])
    for (let exponent = last; exponent >= last - 8; --exponent)
      for (const sign of [1, -1]) offer(sign * mantissa * Math.pow(10, exponent));
  if (taken.length < 2) return evenTicks(low, high, count);
  taken.sort((a, b) => a - b);
  return { ticks: taken.map((value) => ({ value, text: numberText(value) })), factor: "" };
}
