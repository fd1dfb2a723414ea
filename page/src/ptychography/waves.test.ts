// Tests of pictures and numbers of waves, against sums written out.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import type { Job, Positions, Wave } from "./types";
import {
  amplitudeOf,
  cropped,
  fieldOf,
  meanPhase,
  movesOf,
  phaseOf,
  scannedArea,
  usualStretch,
} from "./waves";

const waveOf = (rows: number, cols: number, at: (i: number) => [size: number, angle: number]): Wave => {
  const all = Array.from({ length: rows * cols }, (_, i) => at(i));
  return {
    rows,
    cols,
    real: new Float32Array(all.map(([size, angle]) => size * Math.cos(angle))),
    imag: new Float32Array(all.map(([size, angle]) => size * Math.sin(angle))),
  };
};

test("amplitude and phase are those of the numbers", () => {
  const wave = waveOf(2, 3, (i) => [i + 1, 0.5 * i - 1]);
  expect([...amplitudeOf(wave).values]).toEqual([1, 2, 3, 4, 5, 6].map((v) => expect.closeTo(v, 5)));
  expect([...phaseOf(wave).values]).toEqual([-1, -0.5, 0, 0.5, 1, 1.5].map((v) => expect.closeTo(v, 5)));
  expect(phaseOf(wave, 0.25).values[3]).toBeCloseTo(0.25, 5);
  // It wraps, and does not run out of -pi to pi.
  expect(phaseOf(waveOf(1, 1, () => [1, -3]), 1).values[0]).toBeCloseTo(2 * Math.PI - 4, 5);
});

test("a field points where the phase does, upwards for i", () => {
  const field = fieldOf(waveOf(1, 1, () => [2, Math.PI / 2]));
  expect(field.right[0]).toBeCloseTo(0, 5);
  expect(field.down[0]).toBeCloseTo(-2, 5);
});

test("the mean phase is that of the area, over the cut at pi, and bright places count as others", () => {
  const wave = waveOf(4, 4, (i) => (i === 5 ? [1e6, Math.PI - 0.1] : i === 6 ? [1, -Math.PI + 0.3] : [9, 0]));
  expect(meanPhase(wave, { rows: [1, 2], cols: [1, 3] })).toBeCloseTo(-Math.PI + 0.1, 4);
  expect(meanPhase(wave, { rows: [-5, 1], cols: [0, 99] })).toBeCloseTo(0, 5);
});

test("the scanned area is where the middle of the probe was", () => {
  const found: Positions = {
    started: [[2, 3], [10, 20]],
    moved: [[0, 0], [0.5, -1]],
    known: true,
  };
  const job = { window: 8 } as Job;
  expect(scannedArea(found, job)).toEqual({ rows: [6, 15], cols: [7, 24] });
  expect(scannedArea({ started: [], moved: [], known: true }, job)).toBeNull();
});

test("a part of a raster is cut out, and an area outside cuts nothing", () => {
  const raster = { rows: 3, cols: 4, values: Float32Array.from({ length: 12 }, (_, i) => i) };
  expect(cropped(raster, { rows: [1, 9], cols: [2, 3] })).toEqual({
    rows: 2,
    cols: 1,
    values: new Float32Array([6, 10]),
  });
  expect(cropped(raster, { rows: [5, 9], cols: [0, 2] })).toBe(raster);
});

test("moves are measured, and drawn as long as neighbours are apart", () => {
  const started = Array.from({ length: 100 }, (_, i): [number, number] => [4 * Math.floor(i / 10), 4 * (i % 10)]);
  const moved = started.map((_, i): [number, number] => (i === 7 ? [0.03, 0.04] : [0, 0]));
  const found = { started, moved, known: true };
  expect(movesOf(found).most).toBeCloseTo(0.05, 10);
  expect(movesOf(found).rms).toBeCloseTo(0.005, 10);
  expect(usualStretch(found)).toBe(50);
  expect(usualStretch({ started, moved: started.map(() => [0, 0]), known: true })).toBe(1);
});
