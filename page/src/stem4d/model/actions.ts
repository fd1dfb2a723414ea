// What a user may do, at random.
// SPDX-License-Identifier: Apache-2.0
import type { Shape } from "../types";
import type { Session } from "../files/session";
import type { Page } from "./page";
import type { Random } from "./random";

function anyShape(random: Random, rows: number, cols: number): Shape {
  const center: [number, number] = [random.below(rows), random.below(cols)];
  const outer = 1 + random.below(3);
  return random.pick<Shape>([
    { shape: "point", center },
    { shape: "disk", center, outer },
    { shape: "annulus", center, inner: outer / 2, outer },
    { shape: "square", center, outer },
    { shape: "rectangle", from: [0, 0], to: center },
  ]);
}

export type Action = readonly [name: string, weight: number, act: () => void];

const MODES = ["sum", "mean", "com_row", "com_vector", "divergence", "icom"] as const;
const SOURCES = ["probe", "region", "mean", "sum", "max", "variance"] as const;

/** Everything but saving files. */
export function actionsOf(page: Page, random: Random): Action[] {
  const { during } = page.timing;
  const { detectors, scan, images, datasets, playback, settings } = page;
  const list = (): readonly { key: string; region: Shape }[] => detectors.detectors.value;
  // There are none until a dataset can be looked at.
  const choosing = (act: (key: string) => void): void => {
    if (list().length > 0) act(random.pick(list()).key);
  };
  const sessions: Session[] = [];
  const drag = (): void => detectors.moveSelected(random.below(3) - 1, random.below(3) - 1);
  return [
    ["choose a dataset", 8, () => datasets.select(random.pick(datasets.datasets.value).id)],
    ["another mode", 5, () => (images.mode.value = random.pick(MODES))],
    ["another mask", 2, () => (images.mask.value = random.pick(["selected", "whole"] as const))],
    ["another descan", 1, () => (images.descan.value = random.pick(["mean", "plane"] as const))],
    [
      "turn",
      2,
      () =>
        page.calibration.calibrate({
          rotation: random.pick([
            "auto" as const,
            "none" as const,
            { degrees: random.below(90), transpose: random.chance(0.3) },
          ]),
        }),
    ],
    ["choose a detector", 4, () => choosing((key) => (detectors.selectedKey.value = key))],
    ["a preset", 2, () => void detectors.choosePreset(random.pick(["BF", "ABF", "ADF"] as const))],
    ["add a detector", 2, () => void detectors.addDetector("x", anyShape(random, 8, 8))],
    ["remove a detector", 2, () => choosing((key) => detectors.removeDetector(key))],
    ["drag a detector", 14, () => during(drag)],
    ["move the probe", 8, () => scan.moveProbe([random.below(7), random.below(13)])],
    ["a region", 3, () => scan.setRegion(anyShape(random, 6, 6))],
    ["no region", 1, () => scan.removeRegion()],
    ["its kind", 1, () => (scan.regionKind.value = random.pick(["sum", "mean", "max"] as const))],
    ["a source", 5, () => (scan.patternSource.value = random.pick(SOURCES))],
    ["next frame", 3, () => playback.stepFrame(random.chance(0.5) ? 1 : -1)],
    ["play", 1, () => (playback.playing.value = !playback.playing.value)],
    ["compare", 2, () => (settings.compareOpen.value = !settings.compareOpen.value)],
    [
      "in the grid",
      1,
      () => page.compare.setCompared(random.pick(datasets.datasets.value).id, random.chance(0.6)),
    ],
    ["gallery", 1, () => (page.gallery.galleryOpen.value = !page.gallery.galleryOpen.value)],
    ["transform", 1, () => (settings.fftOpen.value = !settings.fftOpen.value)],
    [
      "a profile",
      2,
      () => {
        const at = (): [number, number] => [random.below(6), random.below(12)];
        const panel = random.pick(["image", "pattern", "fft"] as const);
        const line = { panel, from: at(), to: at(), width: 1 + random.below(2) };
        page.profile.profileLine.value = random.chance(0.2) ? null : line;
      },
    ],
    ["window", 1, () => (page.fft.fftWindow.value = !page.fft.fftWindow.value)],
    ["ask again", 2, () => (page.images.imageQuestion.retry(), page.pattern.patternQuestion.retry())],
    ["keep a session", 1, () => void sessions.push(page.session.currentSession())],
    [
      "open a session",
      2,
      () => sessions.length > 0 && void page.session.applySession(random.pick(sessions)),
    ],
    ["a raster path", 1, () => page.path.useRaster(1 + random.below(4), random.chance(0.5))],
    ["step size", 1, () => page.calibration.calibrate({ scanStep: random.below(3) / 4 })],
  ];
}

export function choose(actions: readonly Action[], random: Random): Action {
  let at = random.next() * actions.reduce((sum, [, weight]) => sum + weight, 0);
  for (const action of actions) {
    at -= action[1];
    if (at < 0) return action;
  }
  return actions[0]!;
}
