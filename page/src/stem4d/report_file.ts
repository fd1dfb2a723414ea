// The HTML report of what is on the screen.
// SPDX-License-Identifier: Apache-2.0
import { statistics } from "../analysis/statistics";
import { plain } from "../analysis/units";
import { scalarOf } from "../display/limits";
import { download } from "../export/download";
import { fail, type Outcome } from "../export/outcome";
import { announce, complain } from "../shell/notices";
import type { Point } from "../types";
import { type Report, type ReportDetector, reportHtml, type ReportPanel } from "./files/report";
import { describeShape, detectorText, type Grid, onDetector } from "./geometry/text";
import type { Detector } from "./types";
import { figurePng, type Subject } from "./figures";
import { rotationText, signText } from "./remarks";
import { command, pixelCount, rastersOf, sessionFile } from "./saving";
import { detectorStep, patternCenter, rotation, scanStep } from "./state/calibration";
import { dataset } from "./state/datasets";
import { serverVersion } from "./state/live";
import { detectors } from "./state/detectors";
import { descan, shown } from "./state/images";
import { fftOpen, type PanelName } from "./state/settings";
import { stem, subjectOf } from "./subjects";

function captionOf({ picture, step, stepUnit }: Subject): string {
  const size = `${picture.rows} × ${picture.cols} pixels`;
  return step > 0 ? `${size} of ${plain(step)} ${stepUnit}.` : `${size}.`;
}

function reportPanel(panel: PanelName): Outcome<ReportPanel> {
  const found = subjectOf(panel);
  if (!found.ok) return found;
  const subject = found.value;
  const png = figurePng([subject], 512);
  if (!png) return fail("This browser could not draw the picture.");
  const { picture } = subject;
  const value: ReportPanel = {
    title: subject.title,
    caption: captionOf(subject),
    png,
    unit: subject.unit,
    statistics: statistics(scalarOf(picture).values),
    about: subject.about,
    raw: rastersOf(picture).map(({ suffix, raster }) => ({
      name: `${stem(panel)}${suffix}`,
      raster,
    })),
  };
  return { ok: true, value };
}

/** What a report says of a detector, in pixels of the full detector as all of its text. */
export function detectorWords(
  { name, color, region }: Detector,
  grid: Grid,
): Omit<ReportDetector, "pixels"> {
  const there = onDetector(region, grid);
  return { name, color, description: describeShape(there), text: detectorText(name, there) };
}

export function centerText([row, col]: Point, { origin, bin }: Grid): string {
  return `row ${plain(origin[0] + bin * row)}, column ${plain(origin[1] + bin * col)}`;
}

function calibrationRows(grid: Grid): [string, string][] {
  const known = (value: number, unit: string): string =>
    value > 0 ? `${plain(value)} ${unit}` : "unknown";
  const used = shown.value?.rotation;
  const turned = used
    ? [rotationText(used), signText(used)].filter((part) => part !== "").join(". ")
    : typeof rotation.value === "string"
      ? rotation.value
      : `${rotation.value.degrees}°`;
  return [
    ["Scan step", known(scanStep.value, "nm")],
    ["Detector pixel", known(detectorStep.value / grid.bin, "mrad")],
    ["Centre of the pattern", centerText(patternCenter.value, grid)],
    ["Rotation of the scan", turned],
    ["Subtracted from the centre of mass", `its ${descan.value}`],
  ];
}

export function saveReport(notes: string): void {
  const here = dataset.value;
  if (!here) {
    complain("There is nothing to report on yet.");
    return;
  }
  const panels: PanelName[] = fftOpen.value ? ["pattern", "image", "fft"] : ["pattern", "image"];
  const made = panels.map(reportPanel);
  const refused = made.find((one) => !one.ok);
  if (refused && !refused.ok) {
    complain(refused.message);
    return;
  }
  const report: Report = {
    title: here.name,
    created: new Date().toLocaleString(),
    version: serverVersion.value,
    notes,
    panels: made.flatMap((one) => (one.ok ? [one.value] : [])),
    datasets: [here],
    detectors: detectors.value.map((one, index) => ({
      ...detectorWords(one, here.grid),
      pixels: pixelCount(index),
    })),
    calibration: calibrationRows(here.grid),
    commands: [command()],
    session: sessionFile(),
  };
  download(`${stem("image")}_report.html`, reportHtml(report));
  announce("Report saved");
}
