// The side column's search of the whole scan for strain, and what makes the same numbers elsewhere.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { numberText } from "../display/nice";
import { Choice, Menu, MenuItem, NumberField } from "../shell/frame/controls";
import { disksCommand, pythonLines, type Reproduced, strainCommand } from "./disk_words";
import { orientationCommand } from "./orientation_words";
import { sentence } from "./remarks";
import { copyLines } from "./saving";
import { dataset, loadingOptions } from "./state/datasets";
import { changedOptions, diskOptions } from "./state/disks";
import { crystals, shownOrientation } from "./state/orientation";
import {
  axisDegrees,
  cancelStrain,
  findStrain,
  reference,
  referenceRegion,
  shownStrain,
  strainBusy,
  strainIsOld,
  strainProgress,
} from "./state/strain";
import { during } from "./state/timing";
import { TaskProgress } from "./task_progress";

function reproduced(): Reproduced | null {
  const of = dataset.value;
  if (!of) return null;
  return {
    path: of.path,
    loading: loadingOptions.value,
    disks: changedOptions(diskOptions.value),
    axisDegrees: axisDegrees.value,
    region: reference.value === "region" ? referenceRegion.value : null,
    scan: of.scan,
  };
}

const copy = (make: (of: Reproduced) => string): void => {
  const of = reproduced();
  if (of) void copyLines(make(of));
};

export function StrainSearch(): ComponentChildren {
  const now = shownStrain.value;
  return (
    <fieldset>
      <legend>Strain of the scan</legend>
      <Choice
        label="Reference"
        title={
          referenceRegion.value
            ? "The lattice that strain is measured from"
            : "A rectangle on the image (Scan, Region) can be the reference, too"
        }
        value={reference.value}
        options={[
          ["median", "median of the scan"],
          ...(referenceRegion.value || reference.value === "region"
            ? ([["region", "median of the region"]] as const)
            : []),
        ]}
        choose={(kind: "median" | "region") => during(() => (reference.value = kind))}
      />
      <NumberField
        label="Axis"
        value={axisDegrees.value}
        min={-360}
        max={360}
        step={1}
        unit="°"
        set={(v) => during(() => (axisDegrees.value = v))}
      />
      {strainBusy.value ? (
        <TaskProgress far={strainProgress.value} label="Strain of the scan" cancel={cancelStrain} />
      ) : (
        <div class="row">
          <button type="button" onClick={() => during(findStrain)} disabled={!dataset.value}>
            {now ? "Find again" : "Find disks and strain"}
          </button>
        </div>
      )}
      {now && strainIsOld.value && (
        <p class="hint">The maps are of other options than those above: find again.</p>
      )}
      {now && (
        <p class="hint">
          {now.words.disks} disks; a lattice at {now.words.fitted} of {now.reason.length} points.
          {now.words.sigmaSys > 0 &&
            ` Disks miss it by ${numberText(now.words.sigmaSys, 2)} px beyond their errors.`}
        </p>
      )}
      {now && (
        <details class="why">
          <summary>Notes</summary>
          <ul>
            {now.words.notes.map((text) => (
              <li key={text}>{sentence(text)}</li>
            ))}
          </ul>
        </details>
      )}
    </fieldset>
  );
}

function orientationsCommand(of: Reproduced): string {
  const shown = shownOrientation.value;
  if (!shown) return "";
  const files = crystals.value.map((one) => one.file);
  return orientationCommand(shown, { ...of, disks: shown.request.disks }, files);
}

export function CopyMenu(): ComponentChildren {
  const of = reproduced();
  const command = of ? orientationsCommand(of) : "";
  return (
    <div class="row">
      <Menu label="Copy" title="What makes the same numbers without the page">
        <MenuItem act={() => copy(disksCommand)}>Command for the disks</MenuItem>
        <MenuItem act={() => copy(strainCommand)}>Command for the strain</MenuItem>
        <MenuItem act={() => copy(pythonLines)}>Lines of Python</MenuItem>
        {command !== "" && (
          <MenuItem act={() => copy(orientationsCommand)}>Command for the orientations</MenuItem>
        )}
      </Menu>
    </div>
  );
}
