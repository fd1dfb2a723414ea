// What the export menu does: files from what is shown.
// SPDX-License-Identifier: Apache-2.0
import { signal } from "@preact/signals";
import { profile } from "../analysis/profile";
import { isField, type Picture, scalarOf } from "../display/limits";
import { encodeCsv, profileCsv } from "../export/csv";
import { download } from "../export/download";
import { encodeNpy, rasterNpy } from "../export/npy";
import type { Bytes } from "../export/outcome";
import { encodeTiff } from "../export/tiff";
import { announce, complain, note } from "../shell/notices";
import type { Raster } from "../types";
import { parseSession, readSession, sessionText } from "./files/session";
import { rasterize } from "./geometry/contains";
import { centerOfMassCommand, onDetector, virtualImageCommand } from "./geometry/text";
import { overlaysOf } from "./figure_overlays";
import { figurePng, plainPng, type Provenance, type Subject } from "./figures";
import { dataset, loadingOptions } from "./state/datasets";
import { serverVersion } from "./state/live";
import { detectorBounds, detectors, selected } from "./state/detectors";
import { isMoment, requestFor } from "./state/images";
import { onHello } from "./state/live";
import { profileLine, stepAlong } from "./state/profile";
import { applySession, currentSession } from "./state/session";
import type { PanelName } from "./state/settings";
import { stem, subjectOf } from "./subjects";

function withSubject(panel: PanelName, make: (subject: Subject) => void): void {
  const found = subjectOf(panel);
  if (found.ok) make(found.value);
  else complain(found.message);
}

function hand(name: string, content: Bytes | string | null): void {
  if (content === null) complain("This browser could not draw the picture.");
  else download(name, content);
  announce(`Saved ${name}`);
}

/** The rasters of a picture, with what tells them apart. */
export function rastersOf(picture: Picture): { suffix: string; raster: Raster }[] {
  if (!isField(picture)) return [{ suffix: "", raster: picture }];
  const { rows, cols, down, right } = picture;
  return [
    { suffix: "_row", raster: { rows, cols, values: down } },
    { suffix: "_col", raster: { rows, cols, values: right } },
  ];
}

/** Where the numbers come from, as lines of a table. */
const linesOf = (about: Provenance): Record<string, string> =>
  Object.fromEntries(
    Object.entries(about).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );

/** Figures show what lies over the images, too. */
export const withOverlays = signal(false);

const drawnOver = (panel: PanelName, subject: Subject): Subject =>
  withOverlays.value ? { ...subject, overlays: overlaysOf(panel) } : subject;

export function savePng(panel: PanelName, bars: boolean): void {
  withSubject(panel, (subject) => {
    const png = bars ? figurePng([drawnOver(panel, subject)]) : plainPng(subject);
    hand(`${stem(panel)}.png`, png);
  });
}

/** All panels in one picture, as for a slide. */
export function saveFigure(): void {
  withSubject("pattern", (pattern) =>
    withSubject("image", (image) =>
      hand(
        `${stem("image")}_figure.png`,
        figurePng([drawnOver("pattern", pattern), drawnOver("image", image)]),
      ),
    ),
  );
}

export function saveTiff(panel: PanelName): void {
  withSubject(panel, ({ picture, step, stepUnit, title, about }) => {
    const pixelNm = stepUnit === "nm" ? step : 0;
    for (const { suffix, raster } of rastersOf(picture)) {
      const options = { dtype: "float32" as const, pixelNm, description: { title, ...about } };
      hand(`${stem(panel)}${suffix}.tiff`, encodeTiff(raster, options));
    }
  });
}

export function saveNpy(panel: PanelName): void {
  withSubject(panel, ({ picture, about }) => {
    if (!isField(picture)) {
      hand(`${stem(panel)}.npy`, rasterNpy(picture, about));
      return;
    }
    const { rows, cols, down, right } = picture;
    const values = new Float64Array(2 * rows * cols);
    values.set(down);
    values.set(right, rows * cols);
    hand(`${stem(panel)}.npy`, encodeNpy({ shape: [2, rows, cols], values }, about));
  });
}

/** The image as a table: row, column, value. */
export function saveCsv(panel: PanelName): void {
  withSubject(panel, ({ picture, unit, about }) => {
    for (const { suffix, raster } of rastersOf(picture)) {
      const at = (index: number): number => Math.floor(index / raster.cols);
      const rows = Float64Array.from(raster.values, (_, index) => at(index));
      const cols = Float64Array.from(raster.values, (_, index) => index % raster.cols);
      const name = unit ? `value (${unit})` : "value";
      const table = { row: rows, column: cols, [name]: raster.values };
      hand(`${stem(panel)}${suffix}.csv`, encodeCsv(table, linesOf(about)));
    }
  });
}

export function saveProfile(): void {
  const line = profileLine.value;
  if (!line) return;
  withSubject(line.panel, ({ picture, step, stepDown, stepUnit, unit, about: of }) => {
    // The panel shows the profile of the lengths.
    const length = isField(picture) ? [{ suffix: "_length", raster: scalarOf(picture) }] : [];
    for (const { suffix, raster } of [...length, ...rastersOf(picture)]) {
      const curve = profile(raster, line.from, line.to, line.width);
      const about = {
        ...linesOf(of),
        "from row, column": line.from.join(", "),
        "to row, column": line.to.join(", "),
        "width (px)": String(line.width),
      };
      const axis = { step: stepAlong(line, step, stepDown ?? step), unit: stepUnit };
      hand(`${stem(line.panel)}${suffix}_profile.csv`, profileCsv(curve, axis, unit, about));
    }
  });
}

export function sessionFile(): string {
  const shows = (["pattern", "image"] as const).map((panel) => {
    const found = subjectOf(panel);
    return [panel, found.ok ? found.value.about : { nothing: found.message }] as const;
  });
  const created = new Date().toISOString();
  return sessionText(currentSession(), serverVersion.value, created, Object.fromEntries(shows));
}

export function saveSession(): void {
  hand(`${stem("image")}_session.json`, sessionFile());
}

/** Opens a session that the user chose. */
export async function openSession(file: File): Promise<void> {
  const read = parseSession(await file.text(), currentSession());
  if (!read.ok) {
    complain(read.message);
    return;
  }
  if (!applySession(read.value))
    complain("The session's dataset is not here; its settings are used with this one.");
  announce("Session opened");
}

/** Pixels of each detector, as reports tell. */
export const pixelCount = (index: number): number => {
  const one = detectors.value[index];
  return one ? rasterize(one.region, detectorBounds.value).count : 0;
};

/** The command that makes the same image without the page. */
export function command(): string {
  const of = dataset.value;
  const request = of && requestFor(of);
  if (!request) return "";
  const { detectors: list, rotation: turn, descan: less } = request;
  const more = { out: "images", loading: loadingOptions.value };
  const [within] = list.map((region) => onDetector(region, of.grid));
  if (within && !isMoment(request.mode)) {
    const named = { name: selected.value?.name ?? "", region: within };
    const text = virtualImageCommand(of.path, [named], { mean: request.mode === "mean", ...more });
    // No file holds a series: the command makes the same image of the next one.
    return of.live ? text.replace("stem4d virtual-image", "live") : text;
  }
  if (of.live) return `${["sluice live", of.path, ...loadingOptions.value].join(" ")} --out live`;
  const moment = { rotation: turn, descan: less ?? "mean", within: within ?? null };
  return centerOfMassCommand(of.path, { ...moment, ...more });
}

export async function copyCommand(): Promise<void> {
  const text = command();
  if (text === "") complain("There is no image that a command could make yet.");
  else await copyLines(text);
}

/** Copies a command or a script, and shows it. */
export async function copyLines(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    note(`Copied: ${text}`);
  } catch {
    // Without permission (some iframes) it can still be read and copied by hand.
    note(text);
  }
}

/** Begins as the session that the server was started with. */
export function startSession(): void {
  let begun = false;
  onHello((hello) => {
    if (begun) return;
    begun = true;
    if (hello.session === null) return;
    const read = readSession(hello.session, currentSession());
    if (!read.ok) complain(`--session: ${read.message}`);
    else if (!applySession(read.value))
      complain("The session's dataset is not among those that were opened.");
  });
}
