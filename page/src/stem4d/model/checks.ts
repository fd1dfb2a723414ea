// What must hold of the page at any moment, worked out from its labels alone.
// SPDX-License-Identifier: Apache-2.0
import type { Raster } from "../../types";
import { panelWords } from "../remarks";
import type { Page } from "./page";
import { type Content, truth, type World } from "./world";

export type Fields = Readonly<Record<string, unknown>>;

/** A panel's question as its controls show it. */
export interface Label {
  id: string;
  path: string;
  size: readonly [rows: number, cols: number];
  contents: readonly Content[];
  asked: Fields;
}

export class Violation extends Error {}

function must(holds: boolean, what: string, more: unknown = ""): asserts holds {
  if (!holds) throw new Violation(`${what} ${more === "" ? "" : JSON.stringify(more)}`);
}

const usable = (of: { step: number; state: string }): boolean =>
  of.step > 0 || of.state === "streaming";

function labelOf(page: Page, world: World, asked: Fields, onScan: boolean): Label | null {
  const of = page.datasets.dataset.value;
  if (!of || !usable(of)) return null;
  const boot = Number(/\d+/.exec(page.live.serverVersion.value)?.[0]);
  const contents = world.contentOf(boot, of.id, of.read);
  return { id: of.id, path: of.path, size: onScan ? of.scan : of.detector, contents, asked };
}

/** What the controls of the image panel say it shows. */
export function imageLabel(page: Page, world: World): Label | null {
  const { mode, mask, descan } = page.images;
  const one = page.detectors.selected.value;
  if (!one) return null;
  const moment = mode.value !== "sum" && mode.value !== "mean";
  const whole = moment && mask.value === "whole";
  const asked = {
    op: "image",
    mode: mode.value,
    detectors: whole ? [] : [one.region],
    rotation: moment ? page.calibration.rotation.value : "none",
    ...(moment && { descan: descan.value }),
  };
  return labelOf(page, world, asked, true);
}

export function patternLabel(page: Page, world: World): Label | null {
  const { patternSource, probe, region, regionKind, scanBounds } = page.scan;
  const source = patternSource.value;
  const [rows, cols] = scanBounds.value;
  const [row, col] = probe.value;
  const frame = { op: "frame", row: Math.min(row, rows - 1), col: Math.min(col, cols - 1) };
  const asked =
    source === "region" && region.value
      ? { op: "region", region: region.value, kind: regionKind.value }
      : source === "probe" || source === "region"
        ? frame
        : { op: "pattern", kind: source };
  return labelOf(page, world, asked, false);
}

/** The true values on all of the scan, each coarse value on its block. */
export function expected(content: Content, label: Label, step: number): number[][] {
  const [rows, cols] = label.size;
  const image = label.asked["op"] === "image";
  const parts = truth(content, label.asked, image ? step : 1, label.size);
  if (!image) return parts.map((part) => part.map((v) => v + (step > 1 ? 0.5 : 0)));
  const width = Math.ceil(cols / step);
  return parts.map((part) =>
    Array.from({ length: rows * cols }, (_, i) => {
      const [r, c] = [Math.floor(i / cols), i % cols];
      return part[Math.floor(r / step) * width + Math.floor(c / step)] ?? NaN;
    }),
  );
}

/** Which content the rasters are the answer of; a violation when they are of none. */
export function answers(rasters: readonly Raster[], label: Label, step: number): Content {
  const shown = rasters.map(({ values }) => [...values].join());
  const found = label.contents.find((content) => {
    const parts = expected(content, label, step);
    return parts.length === shown.length && parts.every((part, i) => part.join() === shown[i]);
  });
  must(found !== undefined, "what is shown does not answer its label", { ...label, step });
  return found;
}

/** Since when a panel has waited without news; null: it does not wait. */
export class Watch {
  private since: number | null = null;
  private answer: unknown = null;

  /** Hears each change, also between two looks. */
  hear(kind: string, answer: unknown): void {
    const waits = kind === "waiting" || kind === "trailing";
    if (!waits) this.since = null;
    else if (this.since === null || (answer !== null && answer !== this.answer))
      this.since = performance.now();
    this.answer = answer;
  }

  check(late: boolean, what: string): void {
    const long = this.since !== null && performance.now() - this.since > SOON;
    must(late || !long, `${what} waits without a word`);
  }
}

const SOON = 300;

/** What waits has been asked, and its answer is still to come. */
function mustBeAsked(page: Page, kind: string, slot: string): void {
  const waits = kind === "waiting" || kind === "trailing";
  must(!waits || page.live.isBusy(slot), "what waits was not asked", slot);
}

export function checkImage(page: Page, world: World, watch: Watch): void {
  const { standing, late } = page.images.imageQuestion;
  const now = standing.value;
  const label = imageLabel(page, world);
  const drawn = page.images.picture.value;
  const words = panelWords(now, late.value, page.datasets.dataset.value);
  if (!label) {
    must(drawn === null && words !== null, "an image without a question", now.kind);
    return;
  }
  if (now.kind === "answered") {
    answers(now.answer.images, label, now.answer.step);
    must(drawn !== null, "an answer that is not drawn");
  } else if (now.kind === "trailing") {
    const { request, images, step } = now.answer;
    must(request.dataset === label.id, "another dataset's image trails");
    must(request.mode === label.asked["mode"], "another mode's image trails");
    answers(images, { ...label, asked: { ...request } }, step);
    must(!late.value || words?.veil === true, "an old image is not greyed");
  } else {
    must(drawn === null, "an image where there is no answer", now.kind);
    if (now.kind !== "waiting") must(words !== null && words.text !== "", "no word why there is no image");
  }
  mustBeAsked(page, now.kind, "image");
  watch.check(late.value, "the image panel");
}

export function checkPattern(page: Page, world: World, watch: Watch): void {
  const { standing, late } = page.pattern.patternQuestion;
  const now = standing.value;
  const label = patternLabel(page, world);
  const drawn = page.pattern.patternRaster.value;
  if (!label) {
    must(drawn === null, "a pattern without a question");
    return;
  }
  if (now.kind === "answered") {
    answers([now.answer.raster], label, now.answer.step);
    must(drawn === now.answer.raster, "another pattern is drawn than the answer");
  } else if (now.kind === "trailing") {
    const { request, raster, step } = now.answer;
    must(request.dataset === label.id && request.op === label.asked["op"], "another pattern trails");
    answers([raster], { ...label, asked: { ...request } }, step);
  } else {
    must(drawn === null, "a pattern where there is no answer", now.kind);
  }
  mustBeAsked(page, now.kind, "pattern");
  watch.check(late.value, "the diffraction panel");
}

/** Thumbnails that pass for current are the images of their detectors. */
export function checkGallery(page: Page, world: World): void {
  const kind = page.images.mode.value === "mean" ? "mean" : "sum";
  for (const one of page.detectors.detectors.value) {
    const thumb = page.gallery.gallery.value.get(one.key);
    const asked = { op: "image", mode: kind, detectors: [one.region], rotation: "none" };
    const label = labelOf(page, world, asked, true);
    must(!thumb || label !== null, "a thumbnail without a dataset");
    if (!thumb?.current || !label) continue;
    const fits = [1, 2].some((step) => {
      try {
        return answers([thumb.raster], label, step) !== undefined;
      } catch {
        return false;
      }
    });
    must(fits, "a thumbnail is not its detector's image", asked);
  }
}

export function checkCompare(page: Page, world: World): void {
  const label = imageLabel(page, world);
  const boot = Number(/\d+/.exec(page.live.serverVersion.value)?.[0]);
  if (!page.settings.compareOpen.value || !page.detectors.selected.value) return;
  for (const of of page.compare.chosen.value) {
    const cell = page.compare.cellOf(of).standing.value;
    const drawn = page.compare.cellPicture(of);
    if (cell.kind !== "answered") {
      mustBeAsked(page, cell.kind, `compare-${of.id}`);
      must(cell.kind === "trailing" || drawn === null, "an image in a cell that has no answer");
      continue;
    }
    const asked: Fields = { ...cell.answer.request };
    must(asked["dataset"] === of.id, "another dataset's image in a cell");
    must(asked["mode"] === page.images.mode.value, "another mode's image in a cell");
    const contents = world.contentOf(boot, of.id, of.read);
    const own: Label = { id: of.id, path: of.path, size: of.scan, contents, asked };
    answers(cell.answer.images, label ? { ...own, asked: label.asked } : own, cell.answer.step);
  }
}

/** The transform that passes for current is of the image that is shown. */
export function checkTransform(page: Page): void {
  if (!page.fft.transformIsCurrent.value) return;
  const shown = page.images.shown.value;
  const drawn = shown && page.images.pictureOf(shown);
  must(drawn !== null, "a transform of nothing");
  const values =
    "down" in drawn
      ? Float32Array.from(drawn.down, (v, i) => Math.hypot(v, drawn.right[i] ?? NaN))
      : drawn.values;
  const { rows, cols } = drawn;
  const window = page.fft.fftWindow.value;
  const again = page.analysis.fftMagnitude({ rows, cols, values }, { window });
  const now = page.fft.transform.value;
  must([...(now?.values ?? [])].join() === [...again.values].join(), "a transform of another image");
}
