// What is drawn over the images: detectors, regions, the probe, paths and profile lines.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import type { Point } from "../types";
import { handles, outline, polylineOutline } from "./geometry/outline";
import type { Disk, Shape } from "./types";
import type { ProfileLine } from "./state/profile";

/** A shape with its halo; handles when it is selected. `zoom` is CSS pixels per image pixel. */
export function ShapeOverlay(props: {
  shape: Shape;
  color: string;
  selected: boolean;
  zoom: number;
}): ComponentChildren {
  const { shape, color, selected, zoom } = props;
  const path = outline(shape);
  return (
    <g class={selected ? "shape selected" : "shape"}>
      {selected && <path class="tint" d={path} fill={color} fill-rule="evenodd" />}
      <path class="halo" d={path} />
      <path class="line" d={path} stroke={color} />
      {selected &&
        handles(shape).map(({ edge, at }, index) =>
          edge === null ? (
            <path key={index} class="line" stroke={color} d={cross(at, 4 / zoom)} />
          ) : (
            <rect
              key={index}
              class="handle"
              stroke={color}
              {...square(at, (typeof edge === "object" && "after" in edge ? 1.5 : 3) / zoom)}
            />
          ),
        )}
    </g>
  );
}

type Box = Record<"x" | "y" | "width" | "height", number>;

const square = ([row, col]: Point, half: number): Box => ({
  x: col - half,
  y: row - half,
  width: 2 * half,
  height: 2 * half,
});

const cross = ([row, col]: Point, arm: number): string =>
  `M${col - arm} ${row}H${col + arm}M${col} ${row - arm}V${row + arm}`;

/** The measured bright-field disk. */
export function DiskOverlay({ disk, zoom }: { disk: Disk; zoom: number }): ComponentChildren {
  return (
    <g class="disk">
      <circle cx={disk.col} cy={disk.row} r={disk.radius} />
      <path d={cross([disk.row, disk.col], 3 / zoom)} />
    </g>
  );
}

/** The probe: a cross with a hole, so that the point itself stays visible. */
export function ProbeOverlay({ at, zoom }: { at: Point; zoom: number }): ComponentChildren {
  const [row, col] = at;
  const [near, far] = [Math.max(4 / zoom, 0.75), Math.max(12 / zoom, 2)];
  const path =
    `M${col - far} ${row}H${col - near}M${col + near} ${row}H${col + far}` +
    `M${col} ${row - far}V${row - near}M${col} ${row + near}V${row + far}`;
  return (
    <g class="probe">
      <path class="halo" d={path} />
      <path class="line" d={path} />
    </g>
  );
}

/** Where the cursor is on a map beside this one. */
export function LinkedCursor({ at: [row, col], zoom }: { at: Point; zoom: number }): ComponentChildren {
  return (
    <g>
      <circle class="halo" cx={col} cy={row} r={4 / zoom} />
      <circle class="linked" cx={col} cy={row} r={4 / zoom} />
    </g>
  );
}

export function ProfileOverlay(props: { line: ProfileLine; zoom: number }): ComponentChildren {
  const { line, zoom } = props;
  const { from, to, width } = line;
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const across: Point = [
    ((to[1] - from[1]) / length) * (width / 2),
    (-(to[0] - from[0]) / length) * (width / 2),
  ];
  const side = (sign: number): Point[] =>
    [from, to].map((p): Point => [p[0] + sign * across[0], p[1] + sign * across[1]]);
  const band = polylineOutline([...side(1), ...side(-1).reverse()]);
  return (
    <g class="profile-line">
      {width > 1 && <path class="band" d={`${band}z`} />}
      <path class="halo" d={polylineOutline([from, to])} />
      <path class="line" d={polylineOutline([from, to])} />
      <circle class="handle" cx={from[1]} cy={from[0]} r={4 / zoom} />
      <circle class="handle" cx={to[1]} cy={to[0]} r={4 / zoom} />
    </g>
  );
}

export function PathOverlay(props: {
  points: readonly Point[];
  corners: readonly Point[];
  zoom: number;
}): ComponentChildren {
  const { points, corners, zoom } = props;
  return (
    <g class="walk">
      <path d={polylineOutline(corners.length > 0 ? corners : points)} />
      {corners.map(([row, col], index) => (
        <circle key={index} cx={col} cy={row} r={3 / zoom} />
      ))}
    </g>
  );
}
