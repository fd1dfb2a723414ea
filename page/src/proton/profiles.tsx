// Profiles along the crosshair's lines: all volumes in one plot, and as a table.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { ProfilePlot } from "../display/profile_plot";
import { encodeCsv } from "../export/csv";
import { download } from "../export/download";
import { Choice } from "../shell/frame/controls";
import { complain } from "../shell/notices";
import { type Line, lines } from "./asking";
import { PanelChoice } from "./histograms";
import { curveColour } from "./looks";
import { axesOf, axisName, placeUnit } from "./space";
import { base, place, profileAxis, subject, volumes } from "./state";
import type { Axis, Place, Volume } from "./types";

const find = (id: string): Volume | undefined => volumes.value.find((one) => one.id === id);

const withUnit = (name: string, unit: string): string => (unit === "" ? name : `${name} (${unit})`);

/** The columns of a profile's table: positions, then each volume. */
export function columnsOf(
  line: Line,
  all: readonly Volume[],
  axis: string,
  unit: string,
): Record<string, ArrayLike<number>> {
  const columns: Record<string, ArrayLike<number>> = { [`${axis} (${unit})`]: line.answer.positions };
  line.volumes.forEach((id, i) => {
    const volume = all.find((one) => one.id === id);
    const name = withUnit(volume?.name ?? id, volume?.unit ?? "");
    // Two files of one name are two columns.
    columns[name in columns ? `${name} #${i + 1}` : name] = line.answer.values[i]!;
  });
  return columns;
}

const placeText = (at: Place, axes: number): string => at.slice(0, axes).join(", ");

/** Saves the profile that is shown. */
export function saveProfile(): void {
  const here = base.value;
  const axis = profileAxis.value;
  const line = lines.value[axis];
  if (!here || !line) {
    complain("There is no profile to save yet.");
    return;
  }
  const name = axisName(here, axis);
  const about = {
    Source: line.volumes.map((id) => find(id)?.path ?? id).join("; "),
    [`through (${placeUnit(here)})`]: placeText(line.through, here.sides.length),
    along: name,
  };
  const stem = here.name.replace(/\.\w+$/, "").replaceAll("/", "_");
  download(`${stem}-profile-${name}.csv`, encodeCsv(columnsOf(line, volumes.value, name, placeUnit(here)), about));
}

/** Curves of one line: of the subject's unit on the left, of another one on the right. */
function Plot({ here, axis, line }: { here: Volume; axis: Axis; line: Line }): ComponentChildren {
  const shown = line.volumes.flatMap((id, i) => {
    const volume = find(id);
    return volume ? [{ volume, i }] : [];
  });
  const left = (subject.value ?? here).unit;
  const other = shown.find(({ volume }) => volume.unit !== left)?.volume.unit;
  const curves = useMemo(
    () =>
      shown
        .filter(({ volume }) => volume.unit === left || volume.unit === other)
        .map(({ volume, i }) => ({
          label: volume.name,
          color: curveColour(volumes.value.indexOf(volume)),
          y: line.answer.values[i]!,
          right: volume.unit !== left,
        })),
    [line, left, other],
  );
  return (
    <ProfilePlot
      label={`Profile along ${axisName(here, axis)}`}
      x={line.answer.positions}
      curves={curves}
      xLabel={axisName(here, axis)}
      xUnit={placeUnit(here)}
      yLabel=""
      yUnit={left}
      rightLabel=""
      rightUnit={other}
      mark={place.value[axis]}
    />
  );
}

export function Profiles(): ComponentChildren {
  const here = base.value;
  if (!here) return null;
  const axes = axesOf(here);
  const axis = axes.includes(profileAxis.value) ? profileAxis.value : 0;
  const line = lines.value[axis];
  const units = new Set((line?.volumes ?? []).map((id) => find(id)?.unit));
  return (
    <section class="plane profiles">
      <div class="row">
        <PanelChoice />
        <Choice
          label="Along"
          value={String(axis)}
          options={axes.map((one) => [String(one), axisName(here, one)] as const)}
          choose={(one) => (profileAxis.value = axes[Number(one)] ?? 0)}
        />
        <span class="gap" />
        <button type="button" title="Save this profile of all volumes as a table" onClick={saveProfile}>
          Save CSV
        </button>
      </div>
      {units.size > 2 && <p class="hint">Two units fit into one plot; others are in the table.</p>}
      {line && <Plot here={here} axis={axis} line={line} />}
    </section>
  );
}
