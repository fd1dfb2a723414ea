// What saved transforms, profiles and figures must hold: what is worked out of a true answer.
// SPDX-License-Identifier: Apache-2.0
import { fftMagnitude } from "../../analysis/fft";
import { profile } from "../../analysis/profile";
import { type Picture, scalarOf } from "../../display/limits";
import { decodeNpy, npyAbout } from "../../export/npy";
import type { ProfileLine } from "../state/profile";
import { expected, type Label, Violation } from "./checks";
import { bytesOf, checkAbout, checkCsv, field, type SavedFile } from "./exports";

/** All pictures that would answer the label: of each content, sharp and coarse. */
function truthsOf(label: Label): Picture[] {
  const [rows, cols] = label.size;
  return label.contents.flatMap((content) =>
    [1, 2].map((step) => {
      const [first, second] = expected(content, label, step).map((part) => Float64Array.from(part));
      const values = first ?? new Float64Array();
      return second ? { rows, cols, down: values, right: second } : { rows, cols, values };
    }),
  );
}

function rastersOf(picture: Picture): Picture[] {
  if (!("down" in picture)) return [picture];
  const { rows, cols, down, right } = picture;
  return [scalarOf(picture), { rows, cols, values: down }, { rows, cols, values: right }];
}

function mustBeOf(label: Label, saved: string, make: (picture: Picture) => string): void {
  if (!truthsOf(label).some((picture) => make(picture) === saved))
    throw new Violation(`a file is not worked out of its label ${JSON.stringify(label.asked)}`);
}

export function checkTransformFile(file: SavedFile, label: Label, window: boolean): void {
  const bytes = bytesOf(file.content);
  const [read, about] = [decodeNpy(bytes), npyAbout(bytes)];
  checkAbout(about, label);
  if (!read.ok || field(about, "window") !== (window ? "Hann" : "none"))
    throw new Violation("a transform that does not name its window");
  const make = (of: Picture): string => fftMagnitude(scalarOf(of), { window }).values.join();
  mustBeOf(label, read.value.values.join(), make);
}

/** The profile of each of a picture's rasters. */
export function checkProfiles(
  all: readonly SavedFile[],
  label: Label,
  line: ProfileLine,
  window: boolean,
): void {
  const curve = (raster: Picture): string =>
    profile(scalarOf(raster), line.from, line.to, line.width).values.join();
  const saved = all.map((file) => checkCsv(file, label).join());
  mustBeOf(label, saved.join("\n"), (of) => {
    const rasters = line.panel === "fft" ? [fftMagnitude(scalarOf(of), { window })] : rastersOf(of);
    return rasters.map(curve).join("\n");
  });
}

/** What the model draws of a figure: what each panel answers, and the curves of line scans. */
export interface DrawnPanel {
  about: unknown;
  curves: number[][] | null;
}

export function checkFigure(file: SavedFile, labels: readonly Label[]): void {
  const panels: DrawnPanel[] = JSON.parse(new TextDecoder().decode(bytesOf(file.content)));
  labels.forEach((label, i) => {
    const { about, curves } = panels[i]!;
    checkAbout(about, label);
    if (Math.min(...label.size) > 1) return;
    mustBeOf(label, JSON.stringify(curves), (of) =>
      JSON.stringify("down" in of ? [[...of.down], [...of.right]] : [[...of.values]]),
    );
  });
}
