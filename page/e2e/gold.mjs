// A scan of two gold grains as an NPY file, simulated kinematically, and the CIF of gold.
// SPDX-License-Identifier: Apache-2.0
import { writeFileSync } from "node:fs";

const A = 4.078;
const PIXEL = 0.025; // 1/Å
const WAVE_NUMBER = 1 / 0.0196875; // of 300 kV
const SIGMA = 0.02;
const SIDE = 128;
// Doyle and Turner's of gold.
const HEIGHT = [2.388, 4.226, 2.689, 1.255];
const WIDTH = [42.866, 9.743, 2.264, 0.307];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const column = (m, i) => [m[0][i], m[1][i], m[2][i]];
const times = (a, b) => {
  const row = (r) => [dot(r, column(b, 0)), dot(r, column(b, 1)), dot(r, column(b, 2))];
  return [row(a[0]), row(a[1]), row(a[2])];
};
const turn = (degrees, axis) => {
  const [c, s] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return axis === "z" ? [[c, s, 0], [-s, c, 0], [0, 0, 1]] : [[1, 0, 0], [0, c, s], [0, -s, c]];
};

/** Takes the sample to the crystal. */
const bunge = (phi1, phi, phi2) => times(times(turn(phi2, "z"), turn(phi, "x")), turn(phi1, "z"));

/** The same numbers in every run (mulberry32). */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function poisson(mean, random) {
  if (mean > 50) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal));
  }
  // Down the distribution.
  let count = 0;
  let term = Math.exp(-mean);
  for (let left = random() - term; left > 0 && count < 500; left -= term) term *= mean / ++count;
  return count;
}

function disksOf(g) {
  const disks = [{ row: SIDE / 2, col: SIDE / 2, height: 200 }];
  const n = 6;
  let sum = 0;
  for (let h = -n; h <= n; ++h)
    for (let k = -n; k <= n; ++k)
      for (let l = -n; l <= n; ++l) {
        const mixed = (h ^ k) & 1 || (k ^ l) & 1;
        const f = [h / A, k / A, l / A];
        const length = Math.hypot(...f);
        if (mixed || length === 0 || length > 1.5) continue;
        const q = [dot(column(g, 0), f), dot(column(g, 1), f), dot(column(g, 2), f)];
        const off = Math.hypot(q[0], q[1], WAVE_NUMBER + q[2]) - WAVE_NUMBER;
        const factor = HEIGHT.reduce((all, a, i) => all + a * Math.exp((-WIDTH[i] * length ** 2) / 4), 0);
        const height = factor ** 2 * Math.exp(-(off ** 2) / (2 * SIGMA ** 2));
        if (height < 1e-4) continue;
        disks.push({ row: SIDE / 2 + q[1] / PIXEL, col: SIDE / 2 + q[0] / PIXEL, height });
        sum += height;
      }
  return disks.map((disk, i) => (i === 0 ? disk : { ...disk, height: (400 * disk.height) / sum }));
}

function meanOf(g) {
  const mean = new Float64Array(SIDE * SIDE).fill(0.02);
  for (const { row, col, height } of disksOf(g))
    for (let r = Math.max(0, Math.floor(row) - 8); r < Math.min(SIDE, row + 9); ++r)
      for (let c = Math.max(0, Math.floor(col) - 8); c < Math.min(SIDE, col + 9); ++c)
        mean[r * SIDE + c] += height / (1 + Math.exp(4 * (Math.hypot(r - row, c - col) - 3.5)));
  return mean;
}

const HALVES = {
  scan: [4, 6],
  grains: [
    { at: [1.5, 1], angles: [10, 20, 30] },
    { at: [1.5, 4], angles: [200, 35, 5] },
  ],
};

/** Writes the scan, whose last point has no counts, and the crystal. A point is of the nearest grain. */
export function writeGold(scan, cif, { scan: [rows, cols], grains } = HALVES) {
  const random = randomFrom(5);
  const means = grains.map(({ angles }) => meanOf(bunge(...angles)));
  const counts = new Uint16Array(rows * cols * SIDE * SIDE);
  for (let point = 0; point < rows * cols - 1; ++point) {
    const away = grains.map(({ at: [r, c] }) =>
      Math.hypot(r - Math.floor(point / cols), c - (point % cols)),
    );
    const mean = means[away.indexOf(Math.min(...away))];
    mean.forEach((m, i) => (counts[point * SIDE * SIDE + i] = poisson(m, random)));
  }
  const shape = [rows, cols, SIDE, SIDE].join(", ");
  const text = `{'descr': '<u2', 'fortran_order': False, 'shape': (${shape}), }`;
  const header = text.padEnd(117, " ");
  // 10 bytes, the text and its end of line are 128.
  const start = Uint8Array.of(0x93, ...new TextEncoder().encode("NUMPY"), 1, 0, 118, 0);
  const bytes = new Uint8Array(counts.buffer);
  const file = new Uint8Array(128 + bytes.length);
  file.set(start);
  file.set(new TextEncoder().encode(`${header}\n`), start.length);
  file.set(bytes, 128);
  writeFileSync(scan, file);
  writeFileSync(cif, [
    "data_gold",
    "_chemical_name_mineral Gold",
    "_symmetry_space_group_name_H-M 'F m -3 m'",
    ...["a", "b", "c"].map((axis) => `_cell_length_${axis} ${A}`),
    ...["alpha", "beta", "gamma"].map((angle) => `_cell_angle_${angle} 90`),
    "loop_",
    "_atom_site_type_symbol",
    "_atom_site_fract_x",
    "_atom_site_fract_y",
    "_atom_site_fract_z",
    "Au 0 0 0",
    "",
  ].join("\n"));
}
