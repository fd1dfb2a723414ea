// What the page of volumes shows, as signals, and how it changes.
// SPDX-License-Identifier: Apache-2.0
import { batch, computed, signal } from "@preact/signals";
import type { Limits } from "../display/limits";
import type { DifferenceAnswer, Hello } from "./messages";
import { largest, type Look, plainLook, USUAL_LEVELS, usualLimits, usualMap } from "./looks";
import {
  brightest,
  centre,
  comparable,
  middle,
  moved,
  nearest,
  planesOf,
  snapped,
  subtractable,
} from "./space";
import type { Axis, Place, PlaneKind, Structure, Volume } from "./types";

export const volumes = signal<readonly Volume[]>([]);
export const structures = signal<readonly Structure[]>([]);
/** Structures that are not drawn, by id. */
export const hidden = signal<ReadonlySet<string>>(new Set());
export const outlined = signal(true);
/** What is plotted beside the planes. */
export const panel = signal<"profile" | "histogram">("profile");
const baseId = signal("");
/** Empty: nothing lies over the base. */
const overId = signal("");
/** Of the crosshair: always the middle of an element of the base. */
export const place = signal<Place>([0, 0, 0]);
const wantsDifference = signal(false);
/** By the id of the volume. */
export const looks = signal<Readonly<Record<string, Look>>>({});
export const filled = signal(true);
/** 0 to 1. */
export const opacity = signal(0.5);
/** In % of the reference: below it nothing is drawn over the base. */
export const threshold = signal(10);
export const lined = signal(true);
/** Isodoses in % of the reference, highest first. */
export const levels = signal<readonly number[]>(USUAL_LEVELS);
/** What 100 % are; null: the highest value. */
export const typedReference = signal<number | null>(null);
/** Along which the profile is drawn. */
export const profileAxis = signal<Axis>(0);
/** The plane that keys step. */
export const active = signal<PlaneKind["key"]>("axial");
export const sideColumn = signal(true);
export const helpOpen = signal(false);
/** Of the whole volumes, once it is known. */
export const wholeDifference = signal<DifferenceAnswer | null>(null);
/** Why it is not known; empty: it is, or it is being computed. */
export const noDifference = signal("");

const find = (id: string): Volume | null => volumes.value.find((one) => one.id === id) ?? null;

export const base = computed(() => find(baseId.value) ?? volumes.value[0] ?? null);
export const over = computed(() => {
  const found = find(overId.value);
  return found && base.value && found.id !== base.value.id && comparable(base.value, found)
    ? found
    : null;
});
export const planes = computed(() => (base.value ? planesOf(base.value) : []));
export const activePlane = computed(
  () => planes.value.find(({ key }) => key === active.value) ?? planes.value[0] ?? null,
);
export const mayDiffer = computed(
  () => base.value !== null && over.value !== null && subtractable(base.value, over.value),
);
export const difference = computed(() => mayDiffer.value && wantsDifference.value);
/** Whose isodoses are drawn: what lies over the base, or the base; a CT has none. */
export const subject = computed(
  () => [over.value, base.value].find((one) => one && one.kind !== "ct") ?? null,
);
/** What 100 % are, in the subject's unit. */
export const reference = computed(() => typedReference.value ?? subject.value?.most ?? 0);
/** Of what lies over the base, without signs: smaller values are not drawn. 0: all are. */
export const drawnFrom = computed(() => {
  const top = over.value;
  if (!top || top.kind === "ct") return 0;
  const own = top.id === subject.value?.id ? typedReference.value : null;
  return (threshold.value / 100) * (own ?? largest(top));
});
/** Volumes that lie where the base lies, the base first. */
export const together = computed(() => {
  const here = base.value;
  if (!here) return [];
  return [here, ...volumes.value.filter((one) => one.id !== here.id && comparable(here, one))];
});

/** As it is shown here until other limits are chosen. */
export const usualLimitsFor = (volume: Volume): Limits =>
  usualLimits(volume, volume.id === over.value?.id);
export const limitsFor = (volume: Volume): Limits =>
  looks.value[volume.id]?.limits ?? usualLimitsFor(volume);
export const mapFor = (volume: Volume): string =>
  looks.value[volume.id]?.map ?? usualMap(volume, volume.id === over.value?.id);

export function setLook(volume: Volume, change: Partial<Look>): void {
  const before = looks.value[volume.id] ?? plainLook;
  looks.value = { ...looks.value, [volume.id]: { ...before, ...change } };
}

/** Moves the crosshair to the element nearest to a place. */
export function goTo(to: Place): void {
  if (base.value) place.value = snapped(base.value, to);
}

/** Moves it by elements along an axis. */
export function step(axis: Axis, by: number): void {
  const here = base.value;
  if (!here || axis >= here.sides.length) return;
  goTo(moved(place.value, axis, middle(here, axis, nearest(here, axis, place.value[axis]) + by)));
}

/** To the highest value of what isodoses are drawn of. */
export function goToMaximum(): void {
  const of = subject.value ?? base.value;
  if (of) goTo(of.most === null ? centre(of) : brightest(of));
}

/** Lays volumes over each other. A reference that was typed is in the unit of one volume. */
function choose(change: () => void): void {
  batch(() => {
    const before = subject.value?.id;
    change();
    if (subject.value?.id !== before) typedReference.value = null;
    // Two colour maps on each other tell nothing: of a second dose the lines are enough.
    filled.value = base.value?.kind === "ct" || over.value?.kind !== base.value?.kind;
  });
}

export function chooseBase(id: string): void {
  choose(() => {
    const before = base.value;
    baseId.value = id;
    if (overId.value === id) overId.value = before?.id ?? "";
    goTo(place.value);
  });
}

export const chooseOver = (id: string): void => choose(() => (overId.value = id));

export const setDifference = (on: boolean): void => void (wantsDifference.value = on);

/** The first volume, the second over it, and the crosshair where the dose is highest. */
function begin(): void {
  const [first] = volumes.value;
  baseId.value = first?.id ?? "";
  const second = first && volumes.value.slice(1).find((one) => comparable(first, one));
  // What else a run wrote is there to be chosen.
  chooseOver(second && !first.depth ? second.id : "");
  wantsDifference.value = false;
  typedReference.value = null;
  looks.value = {};
  hidden.value = new Set();
  panel.value = "profile";
  active.value = planes.value[0]?.key ?? "axial";
  profileAxis.value = first?.depth ? 1 : 0;
  if (subject.value) goToMaximum();
  else if (first) place.value = centre(first);
}

/** After a reconnection to the same volumes everything stays; true: these are others. */
export function greet(hello: Hello): boolean {
  const told = JSON.stringify([hello.volumes, hello.structures]);
  const same = told === JSON.stringify([volumes.value, structures.value]);
  volumes.value = hello.volumes;
  structures.value = hello.structures;
  if (!same) begin();
  return !same;
}
