// The reflections that a match predicts, over the diffraction pattern.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { dataset } from "./state/datasets";
import { disksOnPattern, onArray } from "./state/disks";
import { candidateIndex, matchOnPattern, type Spot } from "./state/match";

/** So many of the strongest reflections have their indices written beside them. */
const NAMED = 12;

/** Of a ring, in radii of a disk: its area grows with the intensity. */
export const ringRadius = (intensity: number): number => 0.35 + 1.15 * Math.sqrt(intensity);

const indices = (hkl: Spot["hkl"]): string => hkl.map((n) => String(n).replace("-", "−")).join(" ");

/** Whether a place lies on the detector. */
const within = (row: number, col: number, [rows, cols]: readonly [number, number]): boolean =>
  row > -0.5 && col > -0.5 && row < rows - 0.5 && col < cols - 0.5;

export function MatchedReflections({ zoom }: { zoom: number }): ComponentChildren {
  const [match, of, index] = [matchOnPattern.value, dataset.value, candidateIndex.value];
  const candidate = match?.words.candidates[index];
  if (!match || !of || !candidate) return null;
  const disk = (disksOnPattern.value?.plan.template.radius ?? 4) / of.grid.bin;
  const spots = (match.spots[index] ?? []).flatMap((spot) => {
    const [row, col] = onArray(of, spot.row, spot.col);
    return within(row, col, of.detector) ? [{ ...spot, row, col }] : [];
  });
  const believed = index === 0 && match.words.code === 0;
  return (
    <g class={believed ? "match" : "match doubted"}>
      {spots.map(({ row, col, intensity }, i) => (
        <g key={i}>
          <circle class="halo" cx={col} cy={row} r={disk * ringRadius(intensity)} />
          <circle class="line" cx={col} cy={row} r={disk * ringRadius(intensity)} />
        </g>
      ))}
      {spots.slice(0, NAMED).map(({ row, col, hkl, intensity }, i) => (
        <text
          key={i}
          transform={`translate(${col} ${row - disk * ringRadius(intensity)}) scale(${1 / zoom})`}
          y={-3}
          text-anchor="middle"
        >
          {indices(hkl)}
        </text>
      ))}
    </g>
  );
}
