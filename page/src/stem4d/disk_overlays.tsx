// What disks and lattices draw over the diffraction pattern.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import type { Point } from "../types";
import { errorEllipse, latticePoints } from "./geometry/lattice";
import { dataset } from "./state/datasets";
import { disksOnPattern, onArray, pointedDisk } from "./state/disks";
import { shownStrain } from "./state/strain";
import { indexOf } from "./state/strain_point";

/** So many standard deviations long are the half axes of the ellipses. */
export const ELLIPSE_SIGMAS = 10;

/** The disks that were found in the frame that is shown, with the errors of their places. */
export function FoundDisks({ zoom }: { zoom: number }): ComponentChildren {
  const [found, of, pointed] = [disksOnPattern.value, dataset.value, pointedDisk.value];
  if (!found || !of) return null;
  const { bin } = of.grid;
  const radius = found.plan.template.radius / bin;
  return (
    <g class="bragg">
      {found.disks.map((disk, index) => {
        const [row, col] = onArray(of, disk.row, disk.col);
        const { major, minor, degrees } = errorEllipse(disk);
        const axis = (sigma: number): number =>
          Math.min(Math.max((ELLIPSE_SIGMAS * sigma) / bin, 1 / zoom), radius);
        return (
          <g key={index} class={disk === pointed ? "found pointed" : "found"}>
            <circle class="halo" cx={col} cy={row} r={radius} />
            <circle class="line" cx={col} cy={row} r={radius} />
            <ellipse
              class="error"
              rx={axis(major)}
              ry={axis(minor)}
              transform={`translate(${col} ${row}) rotate(${degrees})`}
            />
          </g>
        );
      })}
    </g>
  );
}

const cross = ([row, col]: Point, arm: number): string =>
  `M${col - arm} ${row - arm}L${col + arm} ${row + arm}M${col - arm} ${row + arm}L${col + arm} ${row - arm}`;

/** The fitted lattice of the point whose frame is shown. */
export function FittedLattice({ zoom }: { zoom: number }): ComponentChildren {
  const [strain, found, of] = [shownStrain.value, disksOnPattern.value, dataset.value];
  if (!strain || !found || !of) return null;
  const index = indexOf(strain, [found.request.row, found.request.col]);
  if (index < 0 || strain.reason[index] !== 0) return null;
  const numbers = Array.from(strain.lattices.subarray(6 * index, 6 * index + 6));
  const [r = 0, c = 0, ar = 0, ac = 0, br = 0, bc = 0] = numbers;
  const place = (h: number, k: number): Point => onArray(of, r + h * ar + k * br, c + h * ac + k * bc);
  const [origin, a, b] = [place(0, 0), place(1, 0), place(0, 1)];
  const points = latticePoints(origin, a, b, of.detector);
  const path = points.map((point) => cross(point, 3.5 / zoom)).join("");
  const vectors = [a, b].map((end) => `M${origin[1]} ${origin[0]}L${end[1]} ${end[0]}`).join("");
  return (
    <g class="lattice">
      <path class="halo" d={vectors} />
      <path class="line" d={vectors} />
      <path class="halo" d={path} />
      <path class="line" d={path} />
      {[a, b].map((end, i) => (
        <text
          key={i}
          transform={`translate(${end[1]} ${end[0]}) scale(${1 / zoom})`}
          x={6}
          y={-6}
        >
          {i === 0 ? "a" : "b"}
        </text>
      ))}
    </g>
  );
}
