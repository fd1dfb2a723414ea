// Histograms of the dose in structures: curves in the place of the profile, and their numbers.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { numberText } from "../display/nice";
import { ProfilePlot } from "../display/profile_plot";
import { encodeCsv } from "../export/csv";
import { download } from "../export/download";
import { Choice } from "../shell/frame/controls";
import { complain } from "../shell/notices";
import { histogramOf, noHistogram } from "./asking_structures";
import type { HistogramAnswer } from "./messages";
import { panel } from "./state";
import { chosen, dosed, showsHistograms, structureColour } from "./structures";
import type { Structure, Volume } from "./types";

/** Between the profile and the histograms, where there are some. */
export function PanelChoice(): ComponentChildren {
  if (!dosed.value) return <h2>Profile</h2>;
  return (
    <Choice
      label="Plot"
      bare
      value={showsHistograms.value ? "histogram" : "profile"}
      options={[
        ["profile", "Profile"],
        ["histogram", "Histograms (H)"],
      ]}
      choose={(one) => (panel.value = one)}
    />
  );
}

interface Known {
  readonly structure: Structure;
  readonly answer: HistogramAnswer;
}

/** Those that have come, in the order of the structures. */
export const known = (): Known[] =>
  chosen.value.flatMap((structure) => {
    const answer = histogramOf(structure.id);
    return answer ? [{ structure, answer }] : [];
  });

const percent = (parts: Float64Array): Float64Array => parts.map((part) => 100 * part);

/** The columns of the table: doses, then the part of each structure that has at least as much. */
export function histogramColumns(all: readonly Known[], unit: string): Record<string, ArrayLike<number>> {
  const columns: Record<string, ArrayLike<number>> = {};
  const [first] = all;
  if (first) columns[`dose (${unit})`] = first.answer.doses;
  all.forEach(({ structure, answer }, i) => {
    const name = `${structure.name} (%)`;
    columns[name in columns ? `${name} #${i + 1}` : name] = percent(answer.parts);
  });
  return columns;
}

function save(of: Volume): void {
  const all = known();
  if (all.length === 0) {
    complain("There is no histogram to save yet.");
    return;
  }
  const stem = of.name.replace(/\.\w+$/, "").replaceAll("/", "_");
  download(`${stem}-histograms.csv`, encodeCsv(histogramColumns(all, of.unit), { Source: of.path }));
}

export function Histograms(): ComponentChildren {
  const of = dosed.value;
  if (!of) return null;
  const all = known();
  return (
    <section class="plane profiles">
      <div class="row">
        <PanelChoice />
        <span class="gap" />
        <button type="button" title="Save these histograms as a table" onClick={() => save(of)}>
          Save CSV
        </button>
      </div>
      {all.length === 0 ? (
        <p class="hint">{chosen.value.length === 0 ? "No structure is chosen." : "Computing …"}</p>
      ) : (
        <ProfilePlot
          label="Histograms"
          x={all[0]!.answer.doses}
          curves={all.map(({ structure, answer }) => ({
            label: structure.name,
            color: structureColour(structure.id),
            y: percent(answer.parts),
          }))}
          xLabel="dose"
          xUnit={of.unit}
          yLabel="volume with at least this dose"
          yUnit="%"
        />
      )}
    </section>
  );
}

/** A dose with as many decimals as the highest one needs for four digits. */
export const doseText = (dose: number, highest: number): string =>
  dose.toFixed(Math.min(Math.max(3 - Math.floor(Math.log10(highest)), 0), 12));

/** What part of a structure lies outside of the dose; empty: none. */
const outsideText = ({ volume, inside }: HistogramAnswer): string =>
  inside < 0.999 * volume ? `${numberText(100 * (1 - inside / volume), 3)} % of it lies outside of the dose` : "";

export function HistogramSection(): ComponentChildren {
  const of = dosed.value;
  if (!of || !showsHistograms.value) return null;
  const problems = chosen.value.flatMap(({ id, name }) => {
    const why = noHistogram.value[id];
    return why ? [`${name}: ${why}`] : [];
  });
  const outside = known().flatMap(({ structure, answer }) => {
    const text = outsideText(answer);
    return text ? [`${structure.name}: ${text}`] : [];
  });
  return (
    <details class="section" open>
      <summary>{`Dose in structures${of.unit ? `, ${of.unit}` : ""}`}</summary>
      <table class="histograms">
        <thead>
          <tr>
            {["", "Mean", "D98", "D95", "D50", "D2"].map((name) => (
              <th key={name} scope="col">{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {known().map(({ structure, answer: a }) => (
            <tr key={structure.id}>
              <th scope="row" style={{ color: structureColour(structure.id) }}>{structure.name}</th>
              {[a.mean, a.d98, a.d95, a.d50, a.d2].map((v, i) => (
                <td key={i}>{doseText(v, of.most ?? 1)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {[...problems, ...outside].map((text) => (
        <p key={text} class="hint">{text}</p>
      ))}
    </details>
  );
}
