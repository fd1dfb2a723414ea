// The side column's search of the whole scan for orientations: with which crystals, and how sure.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { numberText } from "../display/nice";
import { Check, Choice, NumberField } from "../shell/frame/controls";
import { shellQuote } from "./geometry/text";
import { sentence } from "./remarks";
import { detectorStep } from "./state/calibration";
import { dataset } from "./state/datasets";
import {
  calibrated,
  cancelOrientations,
  crystals,
  findOrientations,
  leftOut,
  orientationBusy,
  orientationIsOld,
  orientationOptions,
  orientationProgress,
  setOrientationOptions,
  shownOrientation,
} from "./state/orientation";
import { during } from "./state/timing";
import type { ScaleBy } from "./types";
import { TaskProgress } from "./task_progress";

/** What to do where no crystal is known: a page cannot open files of the server's machine. */
function NoCrystal(): ComponentChildren {
  const path = dataset.value?.path ?? "SCAN";
  return (
    <p class="hint">
      No crystal is named. Start the viewer with{" "}
      <code>{`sluice view ${shellQuote(path)} --crystal FILE.cif`}</code>, once for each phase.
    </p>
  );
}

function Crystals(): ComponentChildren {
  const list = crystals.value;
  if (list.length < 2)
    return list.map((one) => (
      <p key={one.file} class="hint" title={one.file}>
        Crystal: {one.name}.
      </p>
    ));
  const out = leftOut.value;
  const keep = (file: string, on: boolean): void => {
    const next = new Set(out);
    if (on) next.delete(file);
    else next.add(file);
    // One at least is looked for.
    if (next.size < list.length) leftOut.value = next;
    else leftOut.value = new Set(out);
  };
  return list.map((one) => (
    <Check
      key={one.file}
      label={one.name}
      title={one.file}
      checked={!out.has(one.file)}
      set={(on) => during(() => keep(one.file, on))}
    />
  ));
}

function Options(): ComponentChildren {
  const now = orientationOptions.value;
  const energy = dataset.value?.energy_kv ?? 0;
  const step = detectorStep.value;
  const ways: (readonly [ScaleBy, string])[] = [["automatic", "automatic"]];
  if (calibrated.value) ways.push(["file", "file of the command line"]);
  if (step > 0) ways.push(["step", `calibration, ${numberText(step, 4)} mrad`]);
  if (crystals.value.length - leftOut.value.size === 1) ways.push(["crystal", "measured by the crystal"]);
  if (!ways.some(([by]) => by === now.by)) ways.push([now.by, now.by]);
  return (
    <>
      <NumberField
        label="Energy"
        value={now.kilovolts || energy}
        min={0}
        max={10000}
        step={1}
        unit="kV"
        set={(kilovolts) =>
          during(() => setOrientationOptions({ kilovolts: kilovolts === energy ? 0 : kilovolts }))
        }
      />
      <Choice
        label="Pixel size"
        title="What says how many 1/Å a detector pixel is"
        value={now.by}
        options={ways}
        choose={(by: ScaleBy) => during(() => setOrientationOptions({ by }))}
      />
      <NumberField
        label="Zone step"
        value={now.zoneStep}
        min={0.5}
        max={30}
        step={0.5}
        unit="°"
        set={(zoneStep) => during(() => setOrientationOptions({ zoneStep }))}
      />
      <NumberField
        label="Least probability"
        value={now.leastProbability}
        min={0}
        max={1}
        step={0.01}
        set={(leastProbability) => during(() => setOrientationOptions({ leastProbability }))}
      />
    </>
  );
}

function Found(): ComponentChildren {
  const now = shownOrientation.value;
  if (!now) return null;
  const { words, reason } = now;
  const { pixelSize, by } = words.scale;
  const from = { file: "of the calibration's file", step: "of the pixel's angle", crystal: "measured by the crystal" };
  const why = from[by as keyof typeof from] ?? by;
  return (
    <>
      {orientationIsOld.value && (
        <p class="hint">The maps are of something else than what is set now: find again.</p>
      )}
      <p class="hint">
        {words.indexed} of {reason.values.length} points are indexed, out of {words.disks} disks and{" "}
        {words.zones} zones at {numberText(words.kilovolts, 4)} kV. A pixel is{" "}
        {numberText(pixelSize, 4)} 1/Å ({why}).
      </p>
      {words.indexed === 0 && (
        <p class="hint">
          A wrong pixel size, energy or crystal does that: let the crystal measure the pixel size, or
          look at the rings over the pattern.
        </p>
      )}
      <details class="why">
        <summary>Notes</summary>
        <ul>
          {words.notes.map((text) => (
            <li key={text}>{sentence(text)}</li>
          ))}
        </ul>
      </details>
    </>
  );
}

export function OrientationSearch(): ComponentChildren {
  const none = crystals.value.length === 0;
  return (
    <fieldset>
      <legend>Orientations of the scan</legend>
      {none ? (
        <NoCrystal />
      ) : (
        <>
          <Crystals />
          <Options />
          {orientationBusy.value ? (
            <TaskProgress
              far={orientationProgress.value}
              label="Orientations of the scan"
              cancel={cancelOrientations}
            />
          ) : (
            <div class="row">
              <button
                type="button"
                onClick={() => during(findOrientations)}
                disabled={!dataset.value}
              >
                {shownOrientation.value ? "Find orientations again" : "Find disks and orientations"}
              </button>
            </div>
          )}
          <Found />
        </>
      )}
    </fieldset>
  );
}
