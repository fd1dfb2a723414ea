// Asks for lines of structures on the planes that are seen, and for histograms where they are shown.
// SPDX-License-Identifier: Apache-2.0
import { batch, effect, signal } from "@preact/signals";
import { baseSlice, drawnAt, greetings, want } from "./asking";
import { onHello } from "./live";
import type { HistogramAnswer, OutlinesAnswer, Request } from "./messages";
import { axisWord } from "./space";
import { base, place, planes, structures } from "./state";
import { chosen, dosed, drawn, pixelLines, type PixelLine, showsHistograms } from "./structures";
import type { PlaneKind, Structure } from "./types";

interface Outlines {
  readonly onto: string;
  readonly at: number;
  readonly of: readonly Structure[];
  readonly answer: OutlinesAnswer;
}
/** By the plane's key. */
const outlines = signal<Readonly<Record<string, Outlines>>>({});

interface Histogram {
  readonly volume: string;
  readonly answer: HistogramAnswer;
}
/** By the structure's id. */
const histograms = signal<Readonly<Record<string, Histogram>>>({});
/** Why there is no histogram of a structure, by its id. */
export const noHistogram = signal<Readonly<Record<string, string>>>({});

function wantOutlines(plane: PlaneKind): void {
  const here = base.value;
  const of = drawn.value;
  const at = drawnAt(plane, place.value);
  const body: Request | null =
    here && of.length > 0
      ? {
          op: "outlines",
          structures: of.map(({ id }) => id),
          onto: here.id,
          across: axisWord(plane.across),
          down: axisWord(plane.down),
          at,
        }
      : null;
  want(`outlines ${plane.key}`, body, (answer) => {
    if (answer.op !== "outlines" || !here) return;
    outlines.value = { ...outlines.peek(), [plane.key]: { onto: here.id, at, of, answer } };
  });
}

function wantHistogram({ id }: Structure): void {
  const of = dosed.value;
  const body: Request | null =
    of && showsHistograms.value && chosen.value.some((one) => one.id === id)
      ? { op: "histogram", volume: of.id, structure: id, to: of.most! }
      : null;
  want(
    `histogram ${id}`,
    body,
    (answer) => {
      if (answer.op !== "histogram" || !of) return;
      histograms.value = { ...histograms.peek(), [id]: { volume: of.id, answer } };
      noHistogram.value = { ...noHistogram.peek(), [id]: "" };
    },
    (why) => {
      histograms.value = Object.fromEntries(
        Object.entries(histograms.peek()).filter(([other]) => other !== id),
      );
      noHistogram.value = { ...noHistogram.peek(), [id]: why };
    },
  );
}

/** The lines that belong to the plane that is drawn, which may not be the newest. */
export function linesOf(plane: PlaneKind): PixelLine[] {
  const found = outlines.value[plane.key];
  const here = base.value;
  if (!found || !here || found.onto !== here.id || found.at !== baseSlice(plane)?.at) return [];
  const shown = new Set(drawn.value.map(({ id }) => id));
  return pixelLines(found.answer, found.of, here, plane).filter(({ structure }) =>
    shown.has(structure.id),
  );
}

/** The histogram of a structure, once it has come. */
export function histogramOf(id: string): HistogramAnswer | null {
  const found = histograms.value[id];
  return found && found.volume === dosed.value?.id ? found.answer : null;
}

/** Asks from now on whenever something of it changes. */
export function startAskingStructures(): void {
  onHello(() => {
    outlines.value = {};
    histograms.value = {};
    noHistogram.value = {};
  });
  effect(() => {
    if (greetings.value === 0) return;
    batch(() => {
      planes.value.forEach(wantOutlines);
      structures.value.forEach(wantHistogram);
    });
  });
}
