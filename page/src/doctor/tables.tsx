// What was measured beside what such a machine should give, as tables.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { BarView } from "./bar";
import { type Bar, barsOf } from "./scales";
import type { Row, Scaling } from "./types";
import {
  apartText,
  type Group,
  type Judgement,
  JUDGEMENTS,
  judge,
  judgeScaling,
  leastText,
  nameIn,
  percent,
  scalingText,
  valueText,
} from "./words";

function Head({ names }: { names: readonly string[] }): ComponentChildren {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th scope="col" key={name}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Line(props: {
  name: string;
  value: string;
  bar: Bar | null;
  judgement: Judgement;
  least: string;
  rule: string;
  notTaken: string;
}): ComponentChildren {
  const { name, value, bar, judgement, least, rule, notTaken } = props;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <span class="number">{value}</span>{" "}
        <span class={`judgement ${judgement}`}>{JUDGEMENTS[judgement]}</span>
        {bar && <BarView bar={bar} judgement={judgement} />}
        {notTaken && <p class="hint">{notTaken}</p>}
      </td>
      <td>
        {least}
        {rule && <p class="hint">{rule}</p>}
      </td>
    </tr>
  );
}

const COLUMNS = ["What", "Measured", "Should be"];

/** The rows of a part, or of a topic. */
export function GroupTable({ group }: { group: Group }): ComponentChildren {
  const bars = barsOf(group.rows);
  return (
    <table class="measured">
      <caption class="unseen">{group.title}</caption>
      <Head names={COLUMNS} />
      <tbody>
        {group.rows.map((row, i) => (
          <Line
            key={`${row.part} ${row.name}`}
            name={nameIn(group, row)}
            value={valueText(row)}
            bar={bars[i] ?? null}
            judgement={judge(row)}
            least={leastText(row)}
            rule={row.rule}
            notTaken={row.notTaken}
          />
        ))}
      </tbody>
    </table>
  );
}

function scalingBar({ factor, expected, threads }: Scaling): Bar | null {
  if (factor === null) return null;
  // Noise may make it more than there are threads.
  const whole = Math.max(threads, factor, expected ?? 0);
  return { value: factor / whole, expected: expected === null ? null : expected / whole, quartiles: null };
}

/** How many times as fast all threads are as one. */
export function ScalingTable({ scaling }: { scaling: readonly Scaling[] }): ComponentChildren {
  return (
    <table class="measured">
      <caption class="unseen">All threads beside one thread</caption>
      <Head names={COLUMNS} />
      <tbody>
        {scaling.map((one) => (
          <Line
            key={one.work}
            name={one.work}
            value={scalingText(one)}
            bar={scalingBar(one)}
            judgement={judgeScaling(one)}
            least={one.expected === null ? "" : `at least ${Number(one.expected.toPrecision(3))} ×`}
            rule={one.expected === null ? "no rule: memory has fewer channels than cores" : ""}
            notTaken={one.notTaken}
          />
        ))}
      </tbody>
    </table>
  );
}

/** How steady every rate was, and how long its threads waited for others. */
export function NoiseTable({ rows }: { rows: readonly Row[] }): ComponentChildren {
  const rates = rows.filter((row) => row.spread !== null);
  if (rates.length === 0) return null;
  return (
    <table class="measured noise">
      <caption>Of each rate: how far its rounds lie apart, and how long its threads waited for a processor</caption>
      <Head names={["Rate", "Rounds apart", "Waited"]} />
      <tbody>
        {rates.map((row) => (
          <tr key={`${row.part} ${row.name}`}>
            <th scope="row">{row.name}</th>
            <td>{apartText(row)}</td>
            <td>{row.waited === null ? "not known" : percent(row.waited)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
