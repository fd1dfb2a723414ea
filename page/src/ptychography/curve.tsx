// R of every iteration, and what counting alone leaves of it.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { ProfilePlot } from "../display/profile_plot";
import { encodeCsv } from "../export/csv";
import { download } from "../export/download";
import { Toggle } from "../shell/frame/controls";
import { complain } from "../shell/notices";
import { curve, job, logarithmic, saved, stageStarts, status } from "./state";
import { rText } from "./texts";

export function saveCurve(): void {
  if (curve.value.length === 0) {
    complain("There is no curve to save yet.");
    return;
  }
  const iteration = curve.value.map((_, i) => i + 1);
  const about = { Source: job.value?.name ?? "", "R left by counting alone": String(status.value?.floor ?? "") };
  download("r.csv", encodeCsv({ iteration, R: curve.value }, about));
}

export function Curve(): ComponentChildren {
  const r = curve.value;
  const floor = status.value?.floor ?? null;
  const x = useMemo(() => r.map((_, i) => i + 1), [r]);
  const curves = useMemo(
    () => [
      { label: "R", y: r },
      ...(floor === null ? [] : [{ label: "counting alone", color: "#e8710a", y: r.map(() => floor) }]),
    ],
    [r, floor],
  );
  return (
    <section class="plane curve">
      <div class="row">
        <h2 title={status.value ? `R ${rText(status.value)}` : ""}>
          R <small>{status.value ? rText(status.value) : ""}</small>
        </h2>
        <Toggle on={logarithmic.value} set={(on) => (logarithmic.value = on)} title="Logarithmic scale (L)">
          Log
        </Toggle>
        <button type="button" title="Save R of all iterations as a table" onClick={saveCurve}>
          CSV
        </button>
      </div>
      {r.length > 0 ? (
        <ProfilePlot
          label="R of every iteration"
          x={x}
          curves={curves}
          xLabel="Iteration"
          wholeX
          xUnit=""
          yLabel="R"
          yUnit=""
          mark={stageStarts.value.at(-1)}
          logarithmic={logarithmic.value}
        />
      ) : (
        <p class="hint">
          {!saved.value
            ? "It begins after the first iteration."
            : status.value?.iteration
              ? "It is not here yet."
              : "The result has no R."}
        </p>
      )}
    </section>
  );
}
