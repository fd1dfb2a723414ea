// One use of the page: a user who does anything, and what must hold after each step.
// SPDX-License-Identifier: Apache-2.0
import { Buffer } from "node:buffer";
import { effect, type ReadonlySignal } from "@preact/signals";
import { vi } from "vitest";
import {
  checkCompare,
  checkGallery,
  checkImage,
  checkPattern,
  checkTransform,
  imageLabel,
  type Label,
  patternLabel,
  Violation,
  Watch,
} from "./checks";
import {
  checkCsv,
  checkNpy,
  checkAbout,
  checkPng,
  checkValues,
  checkZip,
  readTiff,
  type SavedFile,
  type Sequence,
} from "./exports";
import { checkFigure, checkProfiles, checkTransformFile } from "./derived";
import type { Page } from "./page";
import type { Random } from "./random";
import type { World } from "./world";
import type { PanelName } from "../state/settings";
import { type Standing, visible } from "../state/question";

/** Requests of one episode, several times what the busiest ones need. */
const ENOUGH = 1000;

export class Episode {
  readonly trace: string[] = [];
  private readonly watches = { image: new Watch(), pattern: new Watch() };
  private sequence: Sequence | null = null;
  saved = 0;
  refused = 0;

  constructor(
    readonly page: Page,
    readonly world: World,
    readonly random: Random,
    /** Where what is saved arrives. */
    private readonly files: SavedFile[],
  ) {
    const { watches } = this;
    const listen = (watch: Watch, standing: ReadonlySignal<Standing<unknown>>): void => {
      effect(() => {
        const now = standing.value;
        watch.hear(now.kind, visible(now));
      });
    };
    listen(watches.image, page.images.imageQuestion.standing);
    listen(watches.pattern, page.pattern.patternQuestion.standing);
  }

  /** What the labels say now. */
  private label(panel: "image" | "pattern"): Label | null {
    return panel === "image"
      ? imageLabel(this.page, this.world)
      : patternLabel(this.page, this.world);
  }

  check(): void {
    const { page, world, watches } = this;
    checkImage(page, world, watches.image);
    checkPattern(page, world, watches.pattern);
    checkGallery(page, world);
    checkCompare(page, world);
    checkTransform(page);
    if (world.asked > ENOUGH) throw new Violation("it asks without end");
    for (const file of this.files.splice(0)) {
      if (!file.name.endsWith(".zip") || !this.sequence)
        throw new Violation(`a file that nobody saved: ${file.name}`);
      checkZip(file, this.sequence, world);
      this.saved++;
    }
  }

  /** Saves one panel in one format: the answer to its label, or nothing and a complaint. */
  save(): void {
    const { page, random } = this;
    if (random.chance(0.3)) return this.saveDerived();
    const panel = random.pick(["image", "pattern"] as const);
    const answered = this.answered(panel);
    const label = this.label(panel);
    const kind = random.pick(["npy", "csv", "tiff", "png", "report", "session"] as const);
    page.notices.notices.value = [];
    if (kind === "npy") page.saving.saveNpy(panel);
    if (kind === "csv") page.saving.saveCsv(panel);
    if (kind === "tiff") page.saving.saveTiff(panel);
    if (kind === "png") page.saving.savePng(panel, false);
    if (kind === "report") page.report.saveReport("");
    if (kind === "session") page.saving.saveSession();
    const now = this.files.splice(0);
    this.trace.push(`  save ${kind} of ${panel}: ${now.length} files`);
    if (kind === "report" || kind === "session") return this.checkText(now, kind);
    if (!answered || !label) return this.mustBeRefused(now);
    if (now.length === 0) throw new Violation("an answer that was not saved");
    this.saved += now.length;
    if (kind === "npy") checkNpy(now[0]!, label);
    if (kind === "csv") checkValues(now.map((file) => checkCsv(file, label)), label);
    if (kind === "png") {
      const how = page.settings.settings[panel].value;
      checkPng(new Uint8Array(Buffer.from(now[0]!.content)), label, how);
    }
    if (kind === "tiff") {
      const read = now.map(({ content }) => readTiff(new Uint8Array(Buffer.from(content))));
      for (const { about } of read) checkAbout(about, label);
      checkValues(read.map(({ values }) => values), label);
    }
  }

  private answered(panel: PanelName): boolean {
    const { images, pattern, fft } = this.page;
    const { standing } = panel === "pattern" ? pattern.patternQuestion : images.imageQuestion;
    return standing.value.kind === "answered" && (panel !== "fft" || fft.transformIsCurrent.value);
  }

  private mustBeRefused(now: readonly SavedFile[]): void {
    if (now.length > 0) throw new Violation(`a file of what does not answer: ${now[0]!.name}`);
    if (this.page.notices.notices.value.length === 0)
      throw new Violation("nothing was saved or said");
    this.refused++;
  }

  /** Saves what is worked out of answers: the transform, the profile, or a figure. */
  private saveDerived(): void {
    const { page, random } = this;
    const kind = random.pick(["transform", "profile", "figure"] as const);
    const line = page.profile.profileLine.value;
    if (kind === "profile" && !line) return;
    const one: PanelName = kind === "profile" && line ? line.panel : "fft";
    const of: readonly PanelName[] = kind === "figure" ? ["pattern", "image"] : [one];
    page.notices.notices.value = [];
    if (kind === "transform") page.saving.saveNpy("fft");
    if (kind === "profile") page.saving.saveProfile();
    if (kind === "figure") page.saving.saveFigure();
    const now = this.files.splice(0);
    this.trace.push(`  save the ${kind}: ${now.length} files`);
    const labels = of.flatMap((each) => this.label(each === "pattern" ? each : "image") ?? []);
    const ready = labels.length === of.length && of.every((each) => this.answered(each));
    if (!ready) return this.mustBeRefused(now);
    if (now.length === 0) throw new Violation("an answer that was not saved");
    const window = page.fft.fftWindow.value;
    if (kind === "transform") checkTransformFile(now[0]!, labels[0]!, window);
    if (kind === "profile") checkProfiles(now, labels[0]!, line!, window);
    if (kind === "figure") checkFigure(now[0]!, labels);
    this.saved += now.length;
  }

  /** The session and the report tell of each panel what it answers. */
  private checkText(now: SavedFile[], kind: "report" | "session"): void {
    for (const panel of ["image", "pattern"] as const) {
      const answered = this.answered(panel);
      const label = this.label(panel);
      if (kind === "session") {
        const read: { shows: Record<string, unknown> } = JSON.parse(String(now[0]?.content));
        if (answered && label) checkAbout(read.shows[panel], label);
        else if ("request" in Object(read.shows[panel]))
          throw new Violation("a session tells of an answer that is not there");
      } else if (now.length > 0 && !answered) {
        throw new Violation("a report of what does not answer");
      }
    }
    this.saved += now.length;
  }

  /** Begins to save a series, whose frames are decided now. */
  saveSeries(): void {
    const { page, world } = this;
    if (page.sequences.exporting.value !== null) return;
    const image = imageLabel(page, world);
    const boot = Number(/\d+/.exec(page.live.serverVersion.value)?.[0]);
    const ready = page.datasets.series.value.filter((of) => of.step > 0 || of.state === "streaming");
    const alike = page.datasets.alike.value;
    const leftOut = alike.filter((of) => !ready.includes(of)).map(({ path }) => path);
    const labels = image
      ? ready.map(({ id, path, scan }) => ({ ...image, id, path, size: scan, contents: [] }))
      : [];
    this.sequence = { labels, leftOut, how: page.settings.settings.image.value, boot };
    page.notices.notices.value = [];
    void page.sequences.exportFrames();
    const told = page.notices.notices.value.some(({ text }) => text.startsWith("Left out"));
    if (page.sequences.exporting.value !== null && told !== leftOut.length > 0)
      throw new Violation("frames are left out without a word");
  }

  /** When the server is well again, everything that can be had is there in the end. */
  async settle(): Promise<void> {
    const { page, world } = this;
    page.playback.playing.value = false;
    world.heal();
    await vi.advanceTimersByTimeAsync(140_000);
    page.images.imageQuestion.retry();
    page.pattern.patternQuestion.retry();
    page.gallery.retryGallery();
    const cells = page.compare.chosen.value.map((of) => page.compare.cellOf(of));
    for (const cell of cells) cell.retry();
    await vi.advanceTimersByTimeAsync(3000);
    this.check();
    for (const { standing } of [page.images.imageQuestion, page.pattern.patternQuestion, ...cells]) {
      const now = standing.value;
      if (now.kind === "nothing") continue;
      if (now.kind !== "answered") throw new Violation(`it stays ${now.kind} for good`);
      if (now.answer.step !== 1) throw new Violation("it stays coarse for good");
    }
    if (page.gallery.galleryOpen.value && page.datasets.dataset.value)
      for (const one of page.detectors.detectors.value)
        if (!page.gallery.gallery.value.get(one.key)?.current)
          throw new Violation(`the thumbnail of ${one.name} never comes`);
  }
}
