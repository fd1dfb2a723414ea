// Calibrated lengths and angles, and the electron's wavelength.
// SPDX-License-Identifier: Apache-2.0

const planck = 6.62607015e-34; // J s
const electronMass = 9.1093837139e-31; // kg
const charge = 1.602176634e-19; // C
const light = 299792458; // m/s

/** Relativistic wavelength in Å of electrons of `kilovolts` kV; NaN for none. */
export function wavelength(kilovolts: number): number {
  if (!(kilovolts > 0)) return NaN;
  const energy = charge * kilovolts * 1000;
  const rest = 2 * electronMass * light * light;
  const momentum = Math.sqrt(energy * (energy + rest)) / light;
  return (planck / momentum) * 1e10;
}

/** Spatial frequency in 1/Å of a scattering angle in mrad (small angles: θ/λ). */
export const perAngstrom = (mrad: number, kilovolts: number): number =>
  mrad / 1000 / wavelength(kilovolts);

/** Scattering angle in mrad of a spatial frequency in 1/Å. */
export const milliradians = (frequency: number, kilovolts: number): number =>
  frequency * wavelength(kilovolts) * 1000;

/** Four significant digits without an exponent where that is short; minus as people write it. */
export function plain(value: number): string {
  if (Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  const odd = size !== 0 && (size >= 1e6 || size < 1e-3);
  const text = odd ? value.toExponential(3) : String(Number(value.toPrecision(4)));
  return text.replaceAll("-", "−");
}

type Step = readonly [unit: string, size: number];

const lengths: readonly Step[] = [
  ["mm", 1e6],
  ["µm", 1e3],
  ["nm", 1],
  ["pm", 1e-3],
];
const angles: readonly Step[] = [
  ["rad", 1e3],
  ["mrad", 1],
  ["µrad", 1e-3],
];

function inSteps(value: number, steps: readonly Step[], fallback: string): string {
  if (Number.isNaN(value)) return plain(value);
  const step =
    steps.find(([, size]) => Math.abs(value) >= size * 0.99995) ??
    (value === 0 ? ([fallback, 1] as const) : steps[steps.length - 1]!);
  return `${plain(value / step[1])} ${step[0]}`;
}

/** A length in nm with the unit that makes it short: "1.25 nm", "3 µm", "240 pm". */
export const lengthText = (nm: number): string => inSteps(nm, lengths, "nm");

/** An angle in mrad with the unit that makes it short. */
export const angleText = (mrad: number): string => inSteps(mrad, angles, "mrad");

/** Pixels in nm when the step is known (not 0), else "px". */
export const scanLength = (pixels: number, stepNm: number): string =>
  stepNm > 0 ? lengthText(pixels * stepNm) : `${plain(pixels)} px`;

/** Detector pixels in mrad when the step is known (not 0), else "px". */
export const detectorAngle = (pixels: number, stepMrad: number): string =>
  stepMrad > 0 ? angleText(pixels * stepMrad) : `${plain(pixels)} px`;
