// The side column: the job, how its pictures are shown, and its notes.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { Histogram } from "../display/histogram";
import { Check, Choice, NumberField, Slider } from "../shell/frame/controls";
import { FactsTable } from "../shell/frame/facts_table";
import { MAP_OPTIONS, usualLook } from "./looks";
import { drawnOf, limitsFor, unitOf } from "./pictures";
import {
  aboutMean,
  drawnStretch,
  job,
  looks,
  over,
  type PictureKey,
  positions,
  probePart,
  saved,
  setLook,
  setSlice,
  shownSlice,
  status,
  stretch,
  underPositions,
} from "./state";
import { factsOf, movesText, statusText } from "./texts";
import { movesOf } from "./waves";

export function JobSection(): ComponentChildren {
  const [here, now] = [job.value, status.value];
  if (!now) return null;
  return (
    <details class="section" open>
      <summary>{saved.value ? "Result" : "Job"}</summary>
      <p class={now.state === "failed" ? "trouble" : ""}>{statusText(now)}</p>
      {now.message && <p class="trouble">{now.message}</p>}
      {over.value && (
        <p class="hint">This is the last state. The program that computed it may have ended.</p>
      )}
      {saved.value && (
        <p class="hint">
          The work is done. {here?.path ? "All of this is in its file." : "This is an object of the notebook."}
        </p>
      )}
      {here && <FactsTable facts={factsOf(here)} />}
    </details>
  );
}

export function SliceSection(): ComponentChildren {
  const count = job.value?.slices ?? 1;
  if (count < 2) return null;
  return (
    <details class="section" open>
      <summary>Slice</summary>
      <Slider
        label="Slice"
        value={shownSlice.value + 1}
        min={1}
        max={count}
        step={1}
        text={`${shownSlice.value + 1} of ${count}`}
        set={(v) => setSlice(v - 1)}
      />
    </details>
  );
}

const TITLES: Readonly<Record<PictureKey, string>> = {
  phase: "Phase",
  amplitude: "Amplitude",
  probe: "Probe",
};

function Contrast({ of }: { of: PictureKey }): ComponentChildren {
  const settings = looks.value[of];
  const limits = limitsFor(of);
  const set = (low: number, high: number): void => {
    if (high > low) setLook(of, { limits: { kind: "absolute", low, high } });
  };
  const auto = (): void => setLook(of, { limits: usualLook(of).limits });
  return (
    <>
      <Histogram
        picture={drawnOf(of).core}
        settings={settings}
        limits={limits}
        unit={unitOf(of)}
        onLimits={({ low, high }) => set(low, high)}
        onAuto={auto}
      />
      <div class="row values">
        <NumberField label="From" value={limits.low} set={(low) => set(low, limits.high)} />
        <NumberField label="To" value={limits.high} set={(high) => set(limits.low, high)} />
        <span class="unit">{unitOf(of)}</span>
      </div>
      <div class="row">
        {!(of === "probe" && probePart.value === "complex") && (
          <Choice
            label="Colours"
            value={settings.map}
            options={MAP_OPTIONS}
            choose={(map) => setLook(of, { map })}
          />
        )}
        {settings.limits.kind === "absolute" && (
          <button type="button" title="Limits that follow the values" onClick={auto}>
            Auto
          </button>
        )}
      </div>
    </>
  );
}

export function PictureSection({ of }: { of: PictureKey }): ComponentChildren {
  return (
    <details class="section" open={of !== "probe"}>
      <summary>{TITLES[of]}</summary>
      {of === "phase" && (
        <Check
          label="About its mean"
          title="A constant phase cannot be measured: that of the scanned area is taken off"
          checked={aboutMean.value}
          set={(on) => (aboutMean.value = on)}
        />
      )}
      {of === "probe" && (
        <Choice
          label="Show"
          value={probePart.value}
          options={[
            ["complex", "Phase as hue, amplitude as brightness"],
            ["amplitude", "Amplitude"],
            ["phase", "Phase"],
          ]}
          choose={(part) => (probePart.value = part)}
        />
      )}
      <Contrast of={of} />
    </details>
  );
}

const STRETCHES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

export function PositionsSection(): ComponentChildren {
  const found = positions.value;
  if (!found) return null;
  const moving = movesOf(found).most > 0;
  return (
    <details class="section" open>
      <summary>Positions</summary>
      <p>{movesText(found, job.value?.pixelNm ?? 0)}</p>
      <div class="row">
        <Check
          label="Over the phase"
          checked={underPositions.value}
          set={(on) => (underPositions.value = on)}
        />
      </div>
      {moving && (
        <Choice
          label="Moves drawn"
          value={stretch.value === null ? "" : String(stretch.value)}
          options={[
            ["", `as suits them (× ${drawnStretch.value})`],
            ...STRETCHES.map((by) => [String(by), by === 1 ? "as long as they are" : `× ${by}`] as const),
          ]}
          choose={(by) => (stretch.value = by === "" ? null : Number(by))}
        />
      )}
    </details>
  );
}

/** Where a result is from, and how it was made. */
export function OriginSection(): ComponentChildren {
  const here = job.value;
  if (!here || !saved.value) return null;
  const origin = [...(here.path ? [["file", here.path] as const] : []), ...here.about];
  return (
    <>
      {origin.length > 0 && (
        <details class="section">
          <summary>Origin</summary>
          <FactsTable facts={origin} />
        </details>
      )}
      <details class="section">
        <summary>Settings</summary>
        {here.settings.length > 0 ? (
          <FactsTable facts={here.settings} />
        ) : (
          <p class="hint">They were not saved with it.</p>
        )}
      </details>
    </>
  );
}

export function NotesSection(): ComponentChildren {
  const notes = status.value?.notes ?? [];
  if (notes.length === 0) return null;
  return (
    <details class="section" open>
      <summary>Notes</summary>
      <ul class="notes">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </details>
  );
}
