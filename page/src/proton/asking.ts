// Asks for what is shown, whenever it is another than before.
// SPDX-License-Identifier: Apache-2.0
import { batch, computed, effect, signal } from "@preact/signals";
import { complain, note } from "../shell/notices";
import { ask, drop, isIdle, onHello } from "./live";
import type { Answer, ProfileAnswer, Request } from "./messages";
import { minus, type Slice } from "./rasters";
import { AXES, axesOf, axisWord } from "./space";
import {
  base,
  difference,
  greet,
  noDifference,
  over,
  place,
  planes,
  together,
  wholeDifference,
} from "./state";
import type { Axis, Place, PlaneKind, Volume } from "./types";

/** By the plane's key, of the base and of what lies over it. */
const slices = signal<Readonly<Record<string, Slice>>>({});

/** Values along an axis through a place, of some volumes. */
export interface Line {
  readonly through: Place;
  readonly volumes: readonly string[];
  readonly answer: ProfileAnswer;
}
export const lines = signal<Partial<Record<Axis, Line>>>({});
/** Counts greetings: after each all is asked anew. */
export const greetings = signal(0);
/** What was asked last in a slot. */
const asked = new Map<string, string>();

/** Asks once; nothing is asked for null. */
export function want(
  slot: string,
  body: Request | null,
  take: (answer: Answer) => void,
  fail: (why: string) => void = complain,
): void {
  const text = body === null ? "" : JSON.stringify(body);
  if ((asked.get(slot) ?? "") === text) return;
  asked.set(slot, text);
  if (body === null) {
    drop(slot);
    return;
  }
  ask(slot, body, {
    answered: take,
    failed: ({ message, code }) => {
      if (asked.get(slot) === text) asked.delete(slot);
      // The page says that already, over everything.
      if (code !== "lost") fail(message);
    },
  });
}

/** Where a plane is, along its normal. */
export const drawnAt = ({ normal }: PlaneKind, at: Place): number => (normal === null ? 0 : at[normal]);

function wantSlice(role: "base" | "over", plane: PlaneKind, volume: Volume | null): void {
  const here = base.value;
  const slot = `${role} ${plane.key}`;
  const at = drawnAt(plane, place.value);
  const body: Request | null = here &&
    volume && {
      op: "plane",
      volume: volume.id,
      onto: here.id,
      across: axisWord(plane.across),
      down: axisWord(plane.down, plane.up),
      at,
    };
  want(slot, body, (answer) => {
    if (answer.op !== "plane" || !body) return;
    const slice: Slice = { volume: body.volume, onto: body.onto, at, raster: answer.raster };
    slices.value = { ...slices.peek(), [slot]: slice };
  });
}

function wantLine(axis: Axis): void {
  const here = base.value;
  const of = together.value.map(({ id }) => id);
  const through = place.value;
  const there = here && axesOf(here).includes(axis);
  const body: Request | null = there
    ? { op: "profile", volumes: of, along: axisWord(axis), through }
    : null;
  want(`profile ${axis}`, body, (answer) => {
    if (answer.op !== "profile") return;
    lines.value = { ...lines.peek(), [axis]: { through, volumes: of, answer } };
  });
}

function wantDifference(): void {
  const [a, b] = [base.value, over.value];
  const body: Request | null =
    difference.value && a && b ? { op: "difference", volume: a.id, minus: b.id } : null;
  if (asked.get("difference") !== JSON.stringify(body)) {
    wholeDifference.value = null;
    noDifference.value = "";
  }
  want(
    "difference",
    body,
    (answer) => {
      if (answer.op === "difference") wholeDifference.value = answer;
    },
    (why) => {
      noDifference.value = why;
      // The answer would be the same.
      asked.set("difference", JSON.stringify(body));
    },
  );
}

/** What came for a plane, if it is of the volumes that are shown now. */
function sliceOf(role: "base" | "over", plane: PlaneKind): Slice | null {
  const found = slices.value[`${role} ${plane.key}`];
  const volume = role === "base" ? base.value : over.value;
  return found && found.volume === volume?.id && found.onto === base.value?.id ? found : null;
}

export const baseSlice = (plane: PlaneKind): Slice | null => sliceOf("base", plane);
export const overSlice = (plane: PlaneKind): Slice | null => sliceOf("over", plane);

/** By the plane's key: base less overlay, where both are of the same place. */
export const differences = computed(() =>
  Object.fromEntries(
    planes.value.map((plane) => {
      const [a, b] = [baseSlice(plane), overSlice(plane)];
      const both = difference.value && a && b && a.at === b.at;
      return [plane.key, both ? minus(a.raster, b.raster) : null] as const;
    }),
  ),
);

/** The value of a volume at the crosshair; null while it is not known, NaN where there is none. */
export function valueHere(volume: Volume): number | null {
  const line = lines.value[0];
  if (!line || line.through.some((v, axis) => v !== place.value[axis])) return null;
  const { positions, values } = line.answer;
  const row = values[line.volumes.indexOf(volume.id)];
  if (!row) return null;
  const x = place.value[0];
  let best = 0;
  positions.forEach((p, i) => {
    if (Math.abs(p - x) < Math.abs(positions[best]! - x)) best = i;
  });
  return row[best] ?? NaN;
}

/** Whether all that is shown has come. */
export const isSettled = (): boolean => isIdle() && greetings.peek() > 0;

onHello((hello) => {
  asked.clear();
  if (greet(hello)) {
    slices.value = {};
    lines.value = {};
  }
  hello.notes.forEach(note);
  greetings.value++;
});

/** Asks from now on whenever something of it changes. */
export function startAsking(): void {
  effect(() => {
    if (greetings.value === 0) return;
    batch(() => {
      for (const plane of planes.value) {
        wantSlice("base", plane, base.value);
        wantSlice("over", plane, over.value);
      }
      AXES.forEach(wantLine);
      wantDifference();
    });
  });
}
