// Pixel sizes, centre and rotation: from the file, by hand, or from a known distance.
// SPDX-License-Identifier: Apache-2.0
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { plain } from "../analysis/units";
import { Dialog, NumberField } from "../shell/frame/controls";
import {
  calibrate,
  calibrateAlike,
  calibration,
  detectorStep,
  forgetCalibration,
  patternCenter,
  scanStep,
  stepFromDistance,
  stepFromSpot,
} from "./state/calibration";
import { dataset, series } from "./state/datasets";
import { selected } from "./state/detectors";
import { profileLine } from "./state/profile";
import { dialog } from "./state/settings";
import { centerOf } from "./geometry/measure";

function Source(props: { own: number; file: number; unit: string }): ComponentChildren {
  const { own, file, unit } = props;
  const text = file > 0 ? `the file says ${plain(file)} ${unit}` : "the file does not say";
  const sentence = `T${text.slice(1)}.`;
  return <p class="hint">{own > 0 ? `Set by hand; ${text}.` : sentence}</p>;
}

function FromLine({ panel }: { panel: "image" | "pattern" }): ComponentChildren {
  const known = useSignal(panel === "image" ? 10 : 20);
  const line = profileLine.value;
  if (line?.panel !== panel)
    return (
      <p class="hint">
        For a known distance: close this, switch on Profile in the{" "}
        {panel === "image" ? "image" : "diffraction"} panel, drag the line's ends to the two points,
        and come back.
      </p>
    );
  const unit = panel === "image" ? "nm" : "mrad";
  const step = stepFromDistance(line.from, line.to, known.value);
  return (
    <div class="row">
      <NumberField
        label="The profile line is"
        value={known.value}
        min={0}
        unit={unit}
        set={(v) => (known.value = v)}
      />
      <button
        type="button"
        disabled={step <= 0}
        onClick={() => calibrate(panel === "image" ? { scanStep: step } : { detectorStep: step })}
      >
        Use {plain(step)} {unit} per pixel
      </button>
    </div>
  );
}

function FromSpot(): ComponentChildren {
  const d = useSignal(0.2);
  const kilovolts = useSignal(dataset.value?.energy_kv || 300);
  const here = selected.value;
  if (!here) return null;
  const [row, col] = centerOf(here.region);
  const pixels = Math.hypot(row - patternCenter.value[0], col - patternCenter.value[1]);
  const step = stepFromSpot(pixels, d.value, kilovolts.value);
  return (
    <fieldset>
      <legend>From a diffraction spot of known spacing</legend>
      <p class="hint">
        Put a detector on the spot: “{here.name}” is {plain(pixels)} px from the centre.
      </p>
      <div class="row">
        <NumberField label="d" value={d.value} min={0} unit="nm" set={(v) => (d.value = v)} />
        <NumberField
          label="Voltage"
          value={kilovolts.value}
          min={1}
          unit="kV"
          set={(v) => (kilovolts.value = v)}
        />
        <button
          type="button"
          disabled={step <= 0}
          onClick={() => calibrate({ detectorStep: step })}
        >
          Use {plain(step)} mrad
        </button>
      </div>
    </fieldset>
  );
}

function Center(): ComponentChildren {
  const [row, col] = patternCenter.value;
  const here = selected.value;
  const own = calibration.value.center !== null;
  return (
    <fieldset>
      <legend>Centre of the pattern</legend>
      <div class="row">
        <NumberField
          label="Row"
          value={row}
          decimals={2}
          set={(v) => calibrate({ center: [v, col] })}
        />
        <NumberField
          label="Column"
          value={col}
          decimals={2}
          set={(v) => calibrate({ center: [row, v] })}
        />
        <button
          type="button"
          disabled={!here}
          onClick={() => here && calibrate({ center: centerOf(here.region) })}
        >
          Centre of “{here?.name}”
        </button>
        <button type="button" disabled={!own} onClick={() => calibrate({ center: null })}>
          As measured
        </button>
      </div>
    </fieldset>
  );
}

export function CalibrationDialog(): ComponentChildren {
  const here = dataset.value;
  const own = calibration.value;
  const frames = series.value;
  return (
    <Dialog title="Calibration" close={() => (dialog.value = null)}>
      <fieldset>
        <legend>Scan</legend>
        <NumberField
          label="Step"
          value={scanStep.value}
          min={0}
          unit="nm"
          set={(v) => calibrate({ scanStep: v })}
        />
        <Source own={own.scanStep} file={here?.scan_step_nm ?? 0} unit="nm" />
        <FromLine panel="image" />
      </fieldset>
      <fieldset>
        <legend>Detector</legend>
        <NumberField
          label="Pixel"
          value={detectorStep.value}
          min={0}
          unit="mrad"
          set={(v) => calibrate({ detectorStep: v })}
        />
        <Source own={own.detectorStep} file={here?.detector_step_mrad ?? 0} unit="mrad" />
        <FromLine panel="pattern" />
      </fieldset>
      <FromSpot />
      <Center />
      <p class="hint">
        The rotation of the scan is set in the side column, next to the modes that use it (centre of
        mass and what follows from it). All of this is saved with the session.
      </p>
      <div class="row">
        <button type="button" onClick={forgetCalibration}>
          Take everything from the file
        </button>
        {frames.length > 1 && (
          <button
            type="button"
            title="What is set here by hand is of this dataset alone until then"
            onClick={() => calibrateAlike(frames)}
          >
            Use for all {frames.length} frames
          </button>
        )}
      </div>
    </Dialog>
  );
}
