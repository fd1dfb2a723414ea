// What each panel shows, as files name and describe it.
// SPDX-License-Identifier: Apache-2.0
import { describeShape } from "../geometry/text";
import type { Subject } from "./figures";
import { detectorStep, scanStep } from "./state/calibration";
import { dataset } from "./state/datasets";
import { selected } from "./state/detectors";
import { transform } from "./state/fft";
import { isMoment, mask, mode, MODE_NAMES, picture, shown, UNITS } from "./state/images";
import { shownPattern, SOURCE_NAMES } from "./state/pattern";
import { probe, region } from "./state/scan";
import { type PanelName, settings } from "./state/settings";

/** What the image panel shows, in words. */
export function imageTitle(): string {
  const here = selected.value;
  const of = isMoment(mode.value) && mask.value === "whole" ? "" : ` of ${here?.name ?? ""}`;
  return `${MODE_NAMES[mode.value]}${of}`;
}

/** What the diffraction panel shows, in words. */
export function patternTitle(): string {
  const now = shownPattern.value;
  if (!now) return "";
  if (now.source === "probe") return `Pattern at row ${probe.value[0]}, column ${probe.value[1]}`;
  if (now.source === "region" && region.value)
    return `Pattern of a ${describeShape(region.value)} (${now.frames} frames)`;
  return `Pattern: ${SOURCE_NAMES[now.source].toLowerCase()}`;
}

/** A panel as a file would show it; null while it is empty. */
export function subjectOf(panel: PanelName): Subject | null {
  const how = settings[panel].value;
  if (panel === "pattern") {
    const now = shownPattern.value;
    return now
      ? {
          picture: now.raster,
          settings: how,
          title: patternTitle(),
          unit: now.source === "variance" ? "counts²" : "counts",
          step: detectorStep.value,
          stepUnit: "mrad",
        }
      : null;
  }
  if (panel === "fft") {
    const now = transform.value;
    const step = now && scanStep.value > 0 ? 1 / (now.cols * scanStep.value) : 0;
    const title = `FFT of ${imageTitle()}`;
    return now && { picture: now, settings: how, title, unit: "", step, stepUnit: "1/nm" };
  }
  const now = picture.value;
  return (
    now && {
      picture: now,
      settings: how,
      title: imageTitle(),
      unit: UNITS[shown.value?.mode ?? mode.value],
      step: scanStep.value,
      stepUnit: "nm",
    }
  );
}

/** "scan" of "scan_master.h5". */
export const datasetStem = (): string =>
  (dataset.value?.name ?? "scan").replace(/(_master)?\.\w+$/, "");

/** "scan_BF" for files of the image panel. */
export function stem(panel: PanelName): string {
  const name = datasetStem();
  if (panel === "pattern") return `${name}_pattern_${shownPattern.value?.source ?? ""}`;
  const image = isMoment(mode.value) ? mode.value : (selected.value?.name ?? mode.value);
  return panel === "fft" ? `${name}_${image}_fft` : `${name}_${image}`;
}
