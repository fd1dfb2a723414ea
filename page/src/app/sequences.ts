// Sequences of PNGs: the patterns along a path, or the images of all frames.
// SPDX-License-Identifier: Apache-2.0
import { signal } from "@preact/signals";
import { download } from "../export/download";
import { type SequenceFrame, sequenceZip } from "../export/zip";
import type { Dataset, Point, Raster } from "../types";
import { plainPng, type Subject } from "./figures";
import { dataset, series, usable } from "./state/datasets";
import { cached, keep, keyOf, requestFor } from "./state/images";
import { ask } from "./state/live";
import { announce, complain } from "./state/notices";
import { corners, path, pathSpeed } from "./state/path";
import { askPattern } from "./state/pattern";
import { fps } from "./state/playback";
import { currentSession } from "./state/session";
import { datasetStem, stem, subjectOf } from "./subjects";

/** How far an export is, 0 to 1; null: none runs. */
export const exporting = signal<number | null>(null);

const MOST = 5000;
let stopped = false;

export function stopExport(): void {
  stopped = true;
}

function about(subject: Subject): Record<string, unknown> {
  const { detectors, mode, calibration } = currentSession();
  return { display: subject.settings, detectors, mode, calibration };
}

async function collect<T>(
  list: readonly T[],
  make: (one: T) => Promise<SequenceFrame>,
): Promise<SequenceFrame[] | null> {
  stopped = false;
  const frames: SequenceFrame[] = [];
  try {
    for (const one of list) {
      exporting.value = frames.length / list.length;
      frames.push(await make(one));
      if (stopped) return null;
    }
    return frames;
  } catch (error) {
    complain(`The export stopped: ${error instanceof Error ? error.message : "unknown reason"}`);
    return null;
  } finally {
    exporting.value = null;
  }
}

function finish(
  kind: "path" | "raster" | "frames",
  subject: Subject,
  frames: SequenceFrame[] | null,
  framesPerSecond: number,
): void {
  if (!frames) return;
  const title = dataset.value?.name ?? "";
  const created = new Date().toISOString();
  const zip = sequenceZip({ kind, title, created, framesPerSecond, frames, about: about(subject) });
  const name = kind === "frames" ? stem("image") : `${datasetStem()}_patterns`;
  download(`${name}_${kind}.zip`, zip);
  announce(`Saved ${frames.length} pictures`);
}

function patternAt(of: Dataset, [row, col]: Point, subject: Subject): Promise<SequenceFrame> {
  return new Promise((resolve, reject) =>
    askPattern(
      "export",
      { op: "frame", dataset: of.id, row, col },
      ({ raster }) => {
        const label = `row ${row}, column ${col}`;
        const png = plainPng({ ...subject, picture: raster, title: label });
        resolve({ png, label, dataset: of.name, position: [row, col] });
      },
      (text) => reject(new Error(text)),
    ),
  );
}

/** The patterns along the path as a ZIP of PNGs with a manifest. */
export async function exportPath(): Promise<void> {
  const of = dataset.value;
  const subject = subjectOf("pattern");
  if (!of || !subject) return;
  const points = path.value;
  if (points.length > MOST) {
    complain(`A sequence has at most ${MOST} pictures; this path has ${points.length}.`);
    return;
  }
  const frames = await collect(points, (point) => patternAt(of, point, subject));
  finish(corners.value.length > 0 ? "path" : "raster", subject, frames, pathSpeed.value);
}

function imageOf(of: Dataset, subject: Subject): Promise<SequenceFrame> {
  return new Promise((resolve, reject) => {
    const request = requestFor(of);
    if (!request) {
      reject(new Error(`${of.name} is not loaded.`));
      return;
    }
    const done = (images: readonly Raster[]): void => {
      const [first, second] = images;
      if (!first) return;
      const { rows, cols } = first;
      const vector = request.mode === "com_vector" && second;
      const picture = vector ? { rows, cols, down: first.values, right: second.values } : first;
      const png = plainPng({ ...subject, picture, title: of.name });
      resolve({ png, label: of.name, dataset: of.name, about: { metadata: of.metadata } });
    };
    const key = keyOf(request);
    const known = cached(key);
    if (known) done(known.images);
    else
      ask("export", request, {
        answered: (answer) => done(keep(key, answer).images),
        failed: (failure) => reject(new Error(failure.message)),
      });
  });
}

/** The images of all frames as a ZIP of PNGs with a manifest. */
export async function exportFrames(): Promise<void> {
  const subject = subjectOf("image");
  if (!subject) return;
  const frames = await collect(series.value.filter(usable), (of) => imageOf(of, subject));
  finish("frames", subject, frames, fps.value);
}
