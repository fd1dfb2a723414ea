// The side column's numbers and words: how two volumes differ, what to know of them, what they are.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { numberText } from "../display/nice";
import { FactsTable } from "../shell/frame/facts_table";
import { differences } from "./asking";
import { statisticsOf } from "./rasters";
import { lengthUnit, placeUnit } from "./space";
import { base, difference, goTo, noDifference, over, planes, volumes, wholeDifference } from "./state";
import type { Place, Volume } from "./types";

const signed = (v: number, unit: string): string =>
  `${v > 0 ? "+" : ""}${numberText(v, 4)}${unit === "" ? "" : ` ${unit}`}`;

const listed = (values: readonly number[]): string =>
  values.map((v) => numberText(v, 5)).join(", ");

function Extreme(props: { name: string; value: number; at: Place; of: Volume }): ComponentChildren {
  const { name, value, at, of } = props;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        {signed(value, of.unit)}{" "}
        <button type="button" class="link" title="Go there" onClick={() => goTo(at)}>
          {`at ${listed(at.slice(0, of.sides.length))} ${lengthUnit(of)}`}
        </button>
      </td>
    </tr>
  );
}

/** Mean and extremes of each plane that is seen. */
function OfPlanes({ of }: { of: Volume }): ComponentChildren {
  return planes.value.map(({ key, title }) => {
    const raster = differences.value[key];
    if (!raster) return null;
    const { mean, min, max, count } = statisticsOf(raster);
    return (
      <tr key={key}>
        <th scope="row">{title}</th>
        <td>
          {count === 0
            ? "nothing in common"
            : `${signed(min, "")} to ${signed(max, of.unit)}, mean ${signed(mean, of.unit)}`}
        </td>
      </tr>
    );
  });
}

export function DifferenceSection(): ComponentChildren {
  const [here, top, whole] = [base.value, over.value, wholeDifference.value];
  if (!difference.value || !here || !top) return null;
  return (
    <details class="section" open>
      <summary>Difference</summary>
      <p class="hint">{`${here.name} less ${top.name}, at the elements of the first.`}</p>
      {!whole && (
        <p class="hint">
          {noDifference.value === ""
            ? "Computing over the whole volume …"
            : `Of the whole volumes it is not known: ${noDifference.value}`}
        </p>
      )}
      {whole?.points === 0 && <p class="hint">The two have no place in common.</p>}
      <table class="difference">
        <tbody>
          {whole && whole.points > 0 && (
            <>
              <tr>
                <th scope="row">Mean</th>
                <td>{signed(whole.mean, here.unit)}</td>
              </tr>
              <tr>
                <th scope="row">Mean size</th>
                <td>{`${numberText(whole.meanSize, 4)} ${here.unit}`}</td>
              </tr>
              <Extreme name="Highest" value={whole.most} at={whole.mostAt} of={here} />
              <Extreme name="Lowest" value={whole.least} at={whole.leastAt} of={here} />
              <tr>
                <th scope="row">Points</th>
                <td>{String(whole.points)}</td>
              </tr>
            </>
          )}
          <OfPlanes of={here} />
        </tbody>
      </table>
    </details>
  );
}

/** What the user has to know before believing what is seen; over the planes, for it must be read. */
export function Warnings(): ComponentChildren {
  const shown = [base.value, over.value].filter((one): one is Volume => one !== null);
  const all = shown.flatMap(({ name, notes }) => notes.map((text) => `${name}: ${text}`));
  if (all.length === 0) return null;
  return (
    <div class="warnings" role="note">
      {all.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}

function factsOf(volume: Volume): (readonly [string, string])[] {
  const { sides, spacing, origin, least, most, unit } = volume;
  const length = lengthUnit(volume);
  const facts: (readonly [string, string])[] = [
    ["File", volume.path],
    ["Content", volume.content],
    ["Elements", sides.join(" × ")],
    ["Spacing", `${listed(spacing)} ${length}`],
    ["First middle", `${listed(origin)} ${placeUnit(volume)}`],
    ["Values", least === null || most === null ? "none" : `${numberText(least, 5)} to ${numberText(most, 5)} ${unit}`],
  ];
  return facts.filter(([, value]) => value !== "");
}

export function FactsSection(): ComponentChildren {
  return volumes.value.map((volume) => (
    <details key={volume.id} class="section">
      <summary>{`About ${volume.name}`}</summary>
      <FactsTable facts={factsOf(volume)} />
    </details>
  ));
}
