// The curve along the profile line, its width, and its CSV.
// SPDX-License-Identifier: Apache-2.0
import { computed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { fftSteps } from "../analysis/fft_axes";
import { profile } from "../analysis/profile";
import { scalarOf } from "../display/limits";
import { ProfilePlot } from "../display/profile_plot";
import { NumberField } from "../shell/frame/controls";
import { Icon } from "../shell/frame/icons";
import type { Raster } from "../types";
import { saveProfile } from "./saving";
import { detectorStep, scanStep } from "./state/calibration";
import { datasetOf } from "./state/datasets";
import { transform } from "./state/fft";
import { imageUnit, picture, shown } from "./state/images";
import { patternRaster, patternUnit, shownPattern } from "./state/pattern";
import { profileLine, type ProfileLine, stepAlong } from "./state/profile";
import type { PanelName } from "./state/settings";

function rasterOf(panel: PanelName): Raster | null {
  if (panel === "pattern") return patternRaster.value;
  if (panel === "fft") return transform.value;
  return picture.value && scalarOf(picture.value);
}

/** Size of a pixel along the line, and its unit. */
function stepOf(line: ProfileLine): { step: number; unit: string } {
  const { panel } = line;
  const [down, right] = transform.value ? fftSteps(transform.value, scanStep.value) : [0, 0];
  if (panel === "fft" && right > 0) return { step: stepAlong(line, right, down), unit: "1/nm" };
  if (panel === "pattern" && detectorStep.value > 0)
    return { step: detectorStep.value, unit: "mrad" };
  if (panel === "image" && scanStep.value > 0) return { step: scanStep.value, unit: "nm" };
  return { step: 1, unit: "px" };
}

/** The curve along the line, with distances in the calibrated unit. */
export const profileCurve = computed(() => {
  const line = profileLine.value;
  const raster = line && rasterOf(line.panel);
  if (!raster) return null;
  const { step, unit } = stepOf(line);
  const { distance, values } = profile(raster, line.from, line.to, line.width);
  const [image, pattern] = [shown.value?.request, shownPattern.value?.request];
  const units = {
    image: image ? imageUnit(image.mode, datasetOf(image.dataset)) : "",
    pattern: pattern ? patternUnit(pattern, datasetOf(pattern.dataset)) : "",
    fft: "",
  };
  const valueUnit = units[line.panel];
  return { line, x: distance.map((at) => at * step), values, unit, valueUnit };
});

export function ProfileView(): ComponentChildren {
  const curve = profileCurve.value;
  if (!curve) return null;
  const { line, x, values, unit, valueUnit } = curve;
  return (
    <section class="profile" aria-label="Line profile">
      <header>
        <h2>Profile</h2>
        <NumberField
          label="Width"
          value={line.width}
          min={1}
          max={512}
          step={1}
          unit="px"
          set={(width) => (profileLine.value = { ...line, width: Math.round(width) })}
        />
        <span class="gap" />
        <button type="button" onClick={saveProfile}>
          Save CSV
        </button>
        <button type="button" aria-label="Close" onClick={() => (profileLine.value = null)}>
          <Icon name="close" />
        </button>
      </header>
      <ProfilePlot
        label="Values along the profile line"
        x={x}
        curves={[{ label: "Value", y: values }]}
        xLabel="Distance"
        xUnit={unit}
        yLabel="Value"
        yUnit={valueUnit}
      />
    </section>
  );
}
