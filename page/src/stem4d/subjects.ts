// What each panel shows, as files name and describe it: only what answers the present question.
// SPDX-License-Identifier: Apache-2.0
import { fftSteps } from "../analysis/fft_axes";
import { fail, type Outcome } from "../export/outcome";
import { describeShape } from "./geometry/text";
import type { Detector, Shape } from "./types";
import type { Provenance, Subject } from "./figures";
import { ordinal } from "./remarks";
import type { PatternRequest, ShownPattern } from "./state/asking";
import type { Answered, ImageRequest } from "./state/answered";
import { detectorStepOf, scanStepOf } from "./state/calibration";
import { dataset, datasetOf, loadingOptions } from "./state/datasets";
import { serverVersion } from "./state/live";
import { detectors, selected } from "./state/detectors";
import { fftWindow, transform, transformIsCurrent } from "./state/fft";
import { imageQuestion, imageUnit, isMoment, MODE_NAMES, pictureOf } from "./state/images";
import type { Query } from "./state/keys";
import { patternQuestion, patternUnit, SOURCE_NAMES, sourceOf } from "./state/pattern";
import type { Part, Standing } from "./state/question";
import { type PanelName, settings } from "./state/settings";

const same = (a: Shape, b: Shape): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The detector of the list that a request is of, if it is still there as it was. */
export function detectorOf({ detectors: [region] }: ImageRequest): Detector | null {
  if (!region) return null;
  const chosen = selected.value;
  if (chosen && same(chosen.region, region)) return chosen;
  return detectors.value.find((one) => same(one.region, region)) ?? null;
}

/** What an image request asks for, in words. */
export function imageTitle(request: ImageRequest): string {
  const [region] = request.detectors;
  const of = region ? ` of ${detectorOf(request)?.name ?? describeShape(region)}` : "";
  return `${MODE_NAMES[request.mode]}${of}`;
}

/** What a pattern request asks for, in words. */
export function patternTitle(request: PatternRequest, frames: number): string {
  if (request.op === "frame") return `Pattern at row ${request.row}, column ${request.col}`;
  if (request.op === "region")
    return `Pattern of a ${describeShape(request.region)} (${request.kind} of ${frames} frames)`;
  return `Pattern: ${SOURCE_NAMES[request.kind].toLowerCase()}`;
}

/** What an array answers, as it goes into every file. */
export function provenanceOf(request: Query, step: number, part?: Part | null): Provenance {
  const of = datasetOf(request.dataset);
  const { dataset: id, ...asked } = request;
  return {
    program: `Sluice ${serverVersion.value}`,
    dataset: of?.path ?? id,
    loading: loadingOptions.value.join(" "),
    request: asked,
    // The request counts in the loaded arrays; this is where they lie on the full detector.
    ...(of && { grid: of.grid }),
    points: part && !part.final ? `${part.points} of ${part.of} scan points: it was still being measured` :
      step > 1 ? `every ${ordinal(step)} scan point only` : "all scan points",
  };
}

/** The answer to what is asked now, or why a file of it cannot be made. */
function answerOf<A>(what: string, standing: Standing<A>): Outcome<A> {
  switch (standing.kind) {
    case "answered":
      return { ok: true, value: standing.answer };
    case "nothing":
      return fail(`There is nothing to save in the ${what} panel yet.`);
    case "failed":
      return fail(`The ${what} panel shows nothing that could be saved: ${standing.why}`);
    case "waiting":
    case "trailing":
      return fail(
        `The ${what} panel does not show what was asked for yet (it waits for the server); ` +
          "save again when it does.",
      );
  }
}

export function imageSubject(answered: Answered): Subject | null {
  const { request, step, rotation, notes } = answered;
  const picture = pictureOf(answered);
  const of = datasetOf(request.dataset);
  if (!picture) return null;
  const about = provenanceOf(request, step, answered.live);
  return {
    picture,
    settings: settings.image.value,
    title: imageTitle(request),
    unit: imageUnit(request.mode, of),
    step: scanStepOf(of),
    stepUnit: "nm",
    about: { ...about, ...(rotation && { rotation }), ...(notes.length > 0 && { notes }) },
  };
}

export function patternSubject({ request, raster, frames, step, live }: ShownPattern): Subject {
  const of = datasetOf(request.dataset);
  return {
    picture: raster,
    settings: settings.pattern.value,
    title: patternTitle(request, frames),
    unit: patternUnit(request, of),
    step: detectorStepOf(of),
    stepUnit: "mrad",
    about: provenanceOf(request, step, live),
  };
}

function fftSubject(image: Subject): Outcome<Subject> {
  const now = transform.value;
  if (!now || !transformIsCurrent.value)
    return fail("The transform of this image is not worked out yet; save again in a moment.");
  const [down, right] = fftSteps(now, image.step);
  return {
    ok: true,
    value: {
      picture: now,
      settings: settings.fft.value,
      title: `FFT of ${image.title}`,
      unit: "",
      step: right,
      stepDown: down,
      stepUnit: "1/nm",
      about: {
        ...image.about,
        transform: "magnitudes of the Fourier transform",
        window: fftWindow.value ? "Hann" : "none",
      },
    },
  };
}

/** A panel as a file would show it, or why there is no file of it. */
export function subjectOf(panel: PanelName): Outcome<Subject> {
  if (panel === "pattern") {
    const found = answerOf("diffraction", patternQuestion.standing.value);
    return found.ok ? { ok: true, value: patternSubject(found.value) } : found;
  }
  const found = answerOf("image", imageQuestion.standing.value);
  if (!found.ok) return found;
  const subject = imageSubject(found.value);
  if (!subject) return fail("There is nothing to save in the image panel yet.");
  return panel === "fft" ? fftSubject(subject) : { ok: true, value: subject };
}

/** "scan" of "scan_master.h5", "series_7_140322" of "series 7, 14:03:22". */
export const stemOf = (name: string | undefined): string =>
  (name ?? "scan").replace(/(_master)?\.\w+$/, "").replace(/:/g, "").replace(/[ ,]+/g, "_");

export const datasetStem = (): string => stemOf(dataset.value?.name);

function imageStem(answered: Answered): string {
  const { request, step } = answered;
  const of = datasetOf(request.dataset);
  const which = isMoment(request.mode)
    ? request.mode
    : (detectorOf(request)?.name ?? request.detectors[0]?.shape ?? request.mode);
  const coarse = answered.live ? `_${answered.live.points}points` : step > 1 ? `_every${step}` : "";
  return `${stemOf(of?.name)}_${which}${coarse}`;
}

/** "scan_BF" for files of the image panel; named by what is in them. */
export function stem(panel: PanelName): string {
  if (panel === "pattern") {
    const now = patternQuestion.standing.value;
    if (now.kind !== "answered") return `${datasetStem()}_pattern`;
    const { request, step } = now.answer;
    const of = datasetOf(request.dataset);
    const coarse = step > 1 ? `_every${step}` : "";
    return `${stemOf(of?.name)}_pattern_${sourceOf(request)}${coarse}`;
  }
  const now = imageQuestion.standing.value;
  const name = now.kind === "answered" ? imageStem(now.answer) : datasetStem();
  if (panel === "image") return name;
  return fftWindow.value ? `${name}_fft` : `${name}_fft_no_window`;
}
