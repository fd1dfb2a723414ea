// Isodoses: lines over a plane, and the legend that says what they are.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { contour, pathOf } from "../analysis/contour";
import { numberText } from "../display/nice";
import type { Raster } from "../types";
import { levelColour } from "./looks";
import { levels, reference, subject } from "./state";

/** A line of equal dose. */
export interface Isodose {
  /** % of the reference. */
  readonly level: number;
  readonly colour: string;
  /** In the unit of the dose. */
  readonly value: number;
}

/** Those that are drawn; none where 100 % are nothing. */
export const isodoses = (): Isodose[] =>
  levels.value.flatMap((level, i) => {
    const value = (level / 100) * reference.value;
    return value > 0 ? [{ level, colour: levelColour(i), value }] : [];
  });

/** The lines of a plane, in its pixels. */
export function Lines({ raster }: { raster: Raster }): ComponentChildren {
  const wanted = isodoses();
  const key = wanted.map(({ value }) => value).join(" ");
  const paths = useMemo(
    () => wanted.map((one) => ({ ...one, path: pathOf(contour(raster, one.value)) })),
    [raster, key],
  );
  return (
    <g class="isodoses">
      {paths.map(({ level, colour, path }) =>
        path === "" ? null : <path key={level} d={path} stroke={colour} data-level={level} />,
      )}
    </g>
  );
}

export function Legend(): ComponentChildren {
  const of = subject.value;
  if (!of) return null;
  return (
    <ul class="isodose-legend" aria-label="Isodoses">
      {isodoses().map(({ level, colour, value }) => (
        <li key={level}>
          <svg width="26" height="12" aria-hidden="true">
            <rect width="26" height="12" rx="2" />
            <line x1="3" x2="23" y1="6" y2="6" stroke={colour} />
          </svg>
          {numberText(level, 4)} % <small>{`${numberText(value, 4)} ${of.unit}`}</small>
        </li>
      ))}
    </ul>
  );
}
