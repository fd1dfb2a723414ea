// The side column's facts: datasets, statistics, notes, metadata and how frames differ.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { statistics, type Statistics } from "../analysis/statistics";
import { plain } from "../analysis/units";
import { scalarOf } from "../display/limits";
import type { Dataset } from "./types";
import { bytesText } from "./remarks";
import {
  dataset,
  datasets,
  notOpened,
  select,
  selectedId,
  series,
  STATE_TEXTS,
  watching,
} from "./state/datasets";
import { picture } from "./state/images";
import { patternRaster } from "./state/pattern";
import { during } from "./state/timing";

export function DatasetSection(): ComponentChildren {
  const list = datasets.value;
  const lost = notOpened.value;
  if (list.length < 2 && !watching.value && lost.length === 0) return null;
  return (
    <details class="section" open={list.length < 12}>
      <summary>
        Datasets ({list.length}){watching.value && ", folder is watched"}
      </summary>
      <ul class="list">
        {list.map((one) => (
          <li key={one.id} class={one.id === selectedId.value ? "on" : ""}>
            <button
              type="button"
              class="pick"
              aria-pressed={one.id === selectedId.value}
              title={one.message || one.path}
              onClick={() => during(() => select(one.id))}
            >
              <span class={`dot ${one.state}`} />
              <span>{one.name}</span>
              <small>{STATE_TEXTS[one.state]}</small>
            </button>
          </li>
        ))}
      </ul>
      {lost.length > 0 && (
        <div class="not-opened" role="alert">
          <p>Could not be opened:</p>
          <ul>
            {lost.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      )}
    </details>
  );
}

type Row = readonly [name: string, of: Statistics | null];

const REST = 150;
const LONGEST = 600;

/** Of what is shown; worked out when it rests, since nobody reads numbers during a drag. */
function useStatistics(): readonly Row[] {
  const image = picture.value;
  const pattern = patternRaster.value;
  const [rows, setRows] = useState<readonly Row[]>([]);
  const due = useRef(0);
  useEffect(() => {
    // Numbers of what is not there any more must not stay.
    if (!image || !pattern)
      setRows((now) =>
        now.map(([name, of]) => [name, (name === "Image" ? image : pattern) ? of : null] as const),
      );
    // What comes never rests: then they are renewed now and then.
    const now = performance.now();
    if (due.current < now) due.current = now + LONGEST;
    const timer = setTimeout(() => {
      due.current = 0;
      setRows([
        ["Image", image ? statistics(scalarOf(image).values) : null],
        ["Pattern", pattern ? statistics(pattern.values) : null],
      ]);
    }, Math.min(REST, due.current - now));
    return () => clearTimeout(timer);
  }, [image, pattern]);
  return rows;
}

function StatisticsTable(): ComponentChildren {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col" />
          <th scope="col">mean</th>
          <th scope="col">std</th>
          <th scope="col">min</th>
          <th scope="col">max</th>
        </tr>
      </thead>
      <tbody>
        {useStatistics().map(([name, of]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {(["mean", "std", "min", "max"] as const).map((which) => (
              <td key={which}>{of ? plain(of[which]) : "–"}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function StatisticsSection(): ComponentChildren {
  return (
    <details class="section" open>
      <summary>Statistics</summary>
      <StatisticsTable />
    </details>
  );
}

/** Metadata whose values are not the same in all frames: a row per frame. */
export function differences(frames: readonly Dataset[]): { names: string[]; rows: string[][] } {
  const valueIn = (of: Dataset, name: string): string => {
    const found = of.metadata.find((field) => field.name === name);
    return found ? `${found.value} ${found.unit}`.trim() : "–";
  };
  const all = new Set(frames.flatMap((frame) => frame.metadata.map((field) => field.name)));
  const values = (name: string): Set<string> => new Set(frames.map((one) => valueIn(one, name)));
  const names = [...all].filter((name) => values(name).size > 1);
  return { names, rows: frames.map((one) => names.map((name) => valueIn(one, name))) };
}

function Differences(): ComponentChildren {
  const frames = series.value;
  if (frames.length < 2) return null;
  const { names, rows } = differences(frames);
  if (names.length === 0) return <p class="hint">The frames' metadata are all the same.</p>;
  return (
    <div class="scroll">
      <table>
        <caption>What differs between the frames</caption>
        <thead>
          <tr>
            <th scope="col">frame</th>
            {names.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={frames[index]?.id} class={frames[index]?.id === selectedId.value ? "on" : ""}>
              <th scope="row">{frames[index]?.name}</th>
              {row.map((value, at) => (
                <td key={names[at]}>{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function InfoSection(): ComponentChildren {
  const here = dataset.value;
  if (!here) return null;
  return (
    <details class="section">
      <summary>About this dataset</summary>
      <p class="hint">{here.path}</p>
      {here.notes.map((text) => (
        <p key={text} class="hint">
          {text}
        </p>
      ))}
      <p class="hint">
        {here.frames} frames of {here.dtype}
        {here.missing > 0 && `, ${here.missing} missing`}; {bytesText(here.bytes.source)} on
        disk, {bytesText(here.bytes.resident)} in memory{here.layout && ` (${here.layout})`},{" "}
        {bytesText(here.bytes.float32)} as float32.
      </p>
      <table>
        <tbody>
          {here.metadata.map(({ name, value, unit }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                {value} {unit}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Differences />
    </details>
  );
}
