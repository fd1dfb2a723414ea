// Sequences of PNGs: the patterns along a path, or the images of all frames.
// SPDX-License-Identifier: Apache-2.0
import { signal } from "@preact/signals";
import { download } from "../export/download";
import { type SequenceFrame, sequenceZip } from "../export/zip";
import { announce, complain, note } from "../shell/notices";
import type { Point } from "../types";
import type { Dataset } from "./types";
import { plainPng, type Subject } from "./figures";
import {
  askImage,
  askPattern,
  cached,
  type PatternRequest,
  type ShownPattern,
} from "./state/asking";
import type { Answered, ImageRequest } from "./state/answered";
import { alike, dataset, series, usable } from "./state/datasets";
import { imageWish } from "./state/images";
import { keyOf, moreToCome } from "./state/keys";
import { drop } from "./state/live";
import { corners, path, pathSpeed } from "./state/path";
import { fps } from "./state/playback";
import type { Wish } from "./state/question";
import { currentSession } from "./state/session";
import { imageSubject, patternSubject, stem, stemOf, subjectOf } from "./subjects";

/** How far an export is, 0 to 1; null: none runs. */
export const exporting = signal<number | null>(null);

const MOST = 5000;
let stop: (() => void) | null = null;

export function stopExport(): void {
  stop?.();
}

class Stopped extends Error {}

type Make = () => Promise<SequenceFrame>;

/** Makes the frames one after the other; what the user changes meanwhile has no effect on them. */
async function collect(all: readonly Make[]): Promise<SequenceFrame[] | null> {
  if (exporting.peek() !== null) {
    complain("Another export is not finished yet.");
    return null;
  }
  const frames: SequenceFrame[] = [];
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(new Stopped());
  });
  stopped.catch(() => undefined);
  try {
    for (const make of all) {
      exporting.value = frames.length / all.length;
      frames.push(await Promise.race([make(), stopped]));
    }
    return frames;
  } catch (error) {
    drop("export");
    if (!(error instanceof Stopped))
      complain(`The export stopped: ${error instanceof Error ? error.message : "unknown reason"}`);
    return null;
  } finally {
    stop = null;
    exporting.value = null;
  }
}

interface Plan {
  kind: "path" | "raster" | "frames";
  name: string;
  title: string;
  subject: Subject;
  framesPerSecond: number;
  about: Record<string, unknown>;
}

function planOf(kind: Plan["kind"], name: string, subject: Subject, speed: number): Plan {
  const { detectors, mode, calibration } = currentSession();
  const about = { display: subject.settings, detectors, mode, calibration, answers: subject.about };
  const title = dataset.value?.name ?? "";
  return { kind, name, title, subject, framesPerSecond: speed, about };
}

function finish(plan: Plan, frames: SequenceFrame[] | null): void {
  if (!frames) return;
  const { kind, name, title, framesPerSecond, about } = plan;
  const created = new Date().toISOString();
  const zip = sequenceZip({ kind, title, created, framesPerSecond, frames, about });
  download(`${name}_${kind}.zip`, zip);
  announce(`Saved ${frames.length} pictures`);
}

/** The answer to a wish, the sharp one where that is to be had. */
function imageFor(wish: Wish<ImageRequest>): Promise<Answered> {
  const more = ({ step }: Answered): boolean => moreToCome(wish.request.dataset, step);
  const known = cached(wish.key);
  if (known && !more(known)) return Promise.resolve(known);
  return new Promise((resolve, reject) =>
    askImage(
      "export",
      wish,
      (answered) => !more(answered) && resolve(answered),
      (why) => reject(new Error(why)),
    ),
  );
}

function patternFor(wish: Wish<PatternRequest>): Promise<ShownPattern> {
  return new Promise((resolve, reject) =>
    askPattern("export", wish, resolve, (why) => reject(new Error(why))),
  );
}

function patternAt(of: Dataset, [row, col]: Point, plan: Plan): Make {
  const request: PatternRequest = { op: "frame", dataset: of.id, row, col };
  const wish = { key: keyOf(request), subject: "export", request };
  return async () => {
    const subject = { ...patternSubject(await patternFor(wish)), settings: plan.subject.settings };
    const label = `row ${row}, column ${col}`;
    const png = plainPng({ ...subject, title: label });
    return { png, label, dataset: of.name, position: [row, col], about: { answers: subject.about } };
  };
}

/** The patterns along the path as a ZIP of PNGs with a manifest. */
export async function exportPath(): Promise<void> {
  const of = dataset.value;
  const subject = subjectOf("pattern");
  if (!subject.ok) complain(subject.message);
  if (!of || !subject.ok) return;
  const points = path.value;
  if (points.length > MOST) {
    complain(`A sequence has at most ${MOST} pictures; this path has ${points.length}.`);
    return;
  }
  const kind = corners.value.length > 0 ? "path" : "raster";
  const plan = planOf(kind, `${stemOf(of.name)}_patterns`, subject.value, pathSpeed.value);
  finish(plan, await collect(points.map((point) => patternAt(of, point, plan))));
}

function imageOf(of: Dataset, plan: Plan): Make {
  // Worked out now: what the user changes during the export is not for its later frames.
  const wish = imageWish(of);
  return async () => {
    if (!wish) throw new Error(`${of.name} is not loaded.`);
    const subject = imageSubject(await imageFor(wish));
    if (!subject) throw new Error(`there is no image of ${of.name}.`);
    const png = plainPng({ ...subject, settings: plan.subject.settings, title: of.name });
    const about = { metadata: of.metadata, answers: subject.about };
    return { png, label: of.name, dataset: of.name, about };
  };
}

/** The images of all frames as a ZIP of PNGs with a manifest, which names those that lack. */
export async function exportFrames(): Promise<void> {
  const subject = subjectOf("image");
  if (!subject.ok) {
    complain(subject.message);
    return;
  }
  const ready = series.value.filter(usable);
  const missing = alike.value.filter((of) => !ready.includes(of));
  const names = missing.map(({ name }) => name).join(", ");
  if (missing.length > 0) note(`Left out, since not loaded: ${names}.`);
  const plan = planOf("frames", stem("image"), subject.value, fps.value);
  const left_out = missing.map(({ name, path, state }) => ({ name, path, state }));
  const frames = ready.map((of) => imageOf(of, plan));
  finish({ ...plan, about: { ...plan.about, left_out } }, await collect(frames));
}
