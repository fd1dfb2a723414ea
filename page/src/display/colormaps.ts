// The colour maps: those of src/figure/colormap.cpp, and a few that the field knows by name.
// SPDX-License-Identifier: Apache-2.0
import { labOf, rgbOf, type Triple } from "./oklab";

export interface MapInfo {
  name: string;
  /** What the menu says. */
  label: string;
  kind: "sequential" | "diverging" | "cyclic";
}

/** All maps, in the order of a menu. */
export const MAPS: readonly MapInfo[] = [
  { name: "gray", label: "Gray", kind: "sequential" },
  { name: "ember", label: "Ember (like inferno)", kind: "sequential" },
  { name: "dusk", label: "Dusk (like magma)", kind: "sequential" },
  { name: "meadow", label: "Meadow (like viridis)", kind: "sequential" },
  { name: "plasma", label: "Plasma", kind: "sequential" },
  { name: "cividis", label: "Cividis", kind: "sequential" },
  { name: "hot", label: "Hot", kind: "sequential" },
  { name: "turbo", label: "Turbo", kind: "sequential" },
  { name: "balance", label: "Balance (blue to red)", kind: "diverging" },
  { name: "phase", label: "Phase (hues)", kind: "cyclic" },
  { name: "twilight", label: "Twilight", kind: "cyclic" },
];

/** What is drawn where there is no number: a gray that leans to blue. */
export const NO_DATA: Triple = [88, 98, 112];

/** Size of the table of a colour wheel: columns are directions, rows are magnitudes. */
export const WHEEL = { hues: 256, steps: 64 } as const;

// The command line takes these names for the same relatives, and its pictures must look alike.
const aliases: Record<string, string> = {
  inferno: "ember",
  magma: "dusk",
  viridis: "meadow",
  hsv: "phase",
  RdBu: "balance",
};

// OKLab tints as [chroma, hue in degrees], at even distances.
type Tints = readonly (readonly [number, number])[];
const ember: Tints = [[0.02, 285], [0.115, 295], [0.175, 345], [0.19, 28], [0.165, 68], [0.1, 107]];
const dusk: Tints = [[0.02, 285], [0.125, 288], [0.175, 318], [0.19, 0], [0.14, 42], [0.06, 100]];
const meadow: Tints = [[0.13, 318], [0.11, 268], [0.1, 205], [0.155, 150], [0.185, 105]];

// Least-squares control points of the published tables (plasma, cividis, twilight: CC0; turbo:
// Apache-2.0), mean error 0.4 of 255.
const fits: Record<string, string> = {
  plasma: "1307893b049b5d01a67e03a89c179eb52f8ccb4778dd5f65ed7953f89441fdb32ffbd425f1f626",
  cividis: "00244f0431702c406d424e6c575d6d6a6c717c7b78908b78a59c74bbad6cd1bf61e9d24effe634",
  turbo:
    "3215444041a3466be34293ff29bbec17dcc330f2996cfd64a3fd3ccbed34edd03afdae35fb8022ec520fd231" +
    "05ad17017e0502",
  twilight:
    "e3dbe3c2ced493b4c67297c16275ba5e51ac5a2a9045135c3112374b1343751e4f993550b25752c37d63cca389" +
    "d8c7bfe3dae3",
};

/** A Catmull-Rom spline through `points` at even distances, at `t` from 0 to 1. */
function spline(points: readonly Triple[], t: number): Triple {
  const x = t * (points.length - 1);
  const i = Math.min(Math.floor(x), points.length - 2);
  const u = x - i;
  const at = (k: number): Triple => points[Math.min(Math.max(k, 0), points.length - 1)]!;
  const [p, q, r, s] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
  const blend = (k: 0 | 1 | 2): number =>
    q[k] +
    (u / 2) *
      (r[k] - p[k] +
        u * (2 * p[k] - 5 * q[k] + 4 * r[k] - s[k] + u * (3 * (q[k] - r[k]) + s[k] - p[k])));
  return [blend(0), blend(1), blend(2)];
}

function tinted(tints: Tints, dark: number, light: number): (t: number) => Triple {
  const points = tints.map(([chroma, hue]) => labOf(0, chroma, hue));
  return (t) => {
    const [, a, b] = spline(points, t);
    return rgbOf([dark + (light - dark) * t, a, b]);
  };
}

function fitted(hex: string): (t: number) => Triple {
  const byte = (i: number): number => parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  const points = Array.from({ length: hex.length / 6 }, (_, i): Triple => {
    return [byte(3 * i), byte(3 * i + 1), byte(3 * i + 2)];
  });
  return (t) => spline(points, t);
}

function balanced(t: number): Triple {
  const side = Math.abs(2 * t - 1);
  const chroma = 0.19 * Math.sin((side * Math.PI) / 2) * (1 - 0.15 * side);
  return rgbOf(labOf(0.97 - 0.55 * side, chroma, t < 0.5 ? 257 : 27));
}

/** Black, red, yellow, white: each primary rises in its third. */
function hot(t: number): Triple {
  const rise = (from: number, to: number): number => (255 * (t - from)) / (to - from);
  return [rise(-0.016, 0.365), rise(0.365, 0.746), rise(0.746, 1)];
}

const colours: Record<string, (t: number) => Triple> = {
  gray: (t) => [255 * t, 255 * t, 255 * t],
  ember: tinted(ember, 0.06, 0.985),
  dusk: tinted(dusk, 0.06, 0.985),
  meadow: tinted(meadow, 0.27, 0.93),
  hot,
  balance: balanced,
  // A cyclic map does not show its end twice.
  phase: (t) => rgbOf(labOf(0.74, 0.127, (360 * 255 * t) / 256 + 25)),
};
for (const [name, hex] of Object.entries(fits)) colours[name] = fitted(hex);

const tables = new Map<string, Uint8ClampedArray<ArrayBuffer>>();

/** The name that is drawn for `name`; "gray" when there is no such map. */
export function mapName(name: string): string {
  const own = Object.hasOwn(aliases, name) ? aliases[name]! : name;
  return Object.hasOwn(colours, own) ? own : "gray";
}

/** RGBA of the map at 256 places, 1024 bytes; not to be changed. */
export function mapTable(name: string): Uint8ClampedArray<ArrayBuffer> {
  const own = mapName(name);
  const known = tables.get(own);
  if (known) return known;
  const table = new Uint8ClampedArray(1024);
  for (let i = 0; i < 256; ++i) table.set([...colours[own]!(i / 255), 255], 4 * i);
  tables.set(own, table);
  return table;
}

let wheel: Uint8ClampedArray<ArrayBuffer> | undefined;

/** RGBA of directions (columns, from right by up) and magnitudes 0 to 1 (rows); see `WHEEL`. */
export function wheelTable(): Uint8ClampedArray<ArrayBuffer> {
  if (wheel) return wheel;
  wheel = new Uint8ClampedArray(4 * WHEEL.hues * WHEEL.steps);
  for (let row = 0; row < WHEEL.steps; ++row)
    for (let col = 0; col < WHEEL.hues; ++col) {
      const m = row / (WHEEL.steps - 1);
      const lab = labOf(0.1 + 0.64 * m, 0.18 * m, (360 * col) / WHEEL.hues + 25);
      wheel.set([...rgbOf(lab), 255], 4 * (row * WHEEL.hues + col));
    }
  return wheel;
}
