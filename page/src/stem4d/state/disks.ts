// The disks of the frame at the probe: what they are found with, and what stands.
// SPDX-License-Identifier: Apache-2.0
import { computed, signal } from "@preact/signals";
import { Recent } from "../../shell/recent";
import type { Point } from "../../types";
import { clamp } from "../geometry/measure";
import type { DiskPlan } from "../protocol/crystal";
import type { Answer } from "../protocol/messages";
import type { Dataset, DiskOptions } from "../types";
import { askFor } from "./asking";
import { dataset, usable } from "./datasets";
import { identity, keyOf, type Query } from "./keys";
import { keepFresh } from "./fresh";
import { type Bound, Question, visible, type Wish } from "./question";
import { shownPattern } from "./pattern";
import { patternSource, probe } from "./scan";
import { disksOpen } from "./settings";
import { drawn } from "./timing";

export const USUAL: DiskOptions = {
  least_snr: 3.5,
  least_score: 25,
  least_distance: 0,
  fit_radius: 0,
  template_radius: 0,
  template_edge: 1,
};

export const diskOptions = signal<DiskOptions>(USUAL);

export function setDiskOptions(change: Partial<DiskOptions>): void {
  diskOptions.value = { ...diskOptions.value, ...change };
}

export type DiskWords = Partial<DiskOptions>;

/** Those that are not the usual ones, as requests and commands have them. */
export function changedOptions(of: DiskOptions): DiskWords {
  const { template_edge: edge, ...others } = of;
  const changed: DiskWords = {};
  for (const name of ["least_snr", "least_score", "least_distance", "fit_radius", "template_radius"] as const)
    if (others[name] !== USUAL[name]) changed[name] = others[name];
  if (of.template_radius > 0) changed.template_edge = edge;
  return changed;
}

export type DisksRequest = Extract<Query, { op: "disks" }>;

/** Positions are in pixels of the full detector; errors are one standard deviation. */
export interface FoundDisk {
  row: number;
  col: number;
  rowError: number;
  colError: number;
  /** Of the errors of row and column. */
  covariance: number;
  intensity: number;
  intensityError: number;
  score: number;
}

export interface ShownDisks extends Bound<DisksRequest> {
  disks: readonly FoundDisk[];
  /** Why there are none. */
  reason: string;
  plan: DiskPlan;
}

/** For which options the plan of an answer was made. */
const plannedFor = ({ request }: ShownDisks): DiskWords => request.plan ?? request.disks;

const COLUMNS = 9;
const KEPT = 200;
const cache = new Recent<ShownDisks>(KEPT, () => 1);

export function disksOf({ arrays: [array] }: Answer): FoundDisk[] | null {
  if (array?.name !== "disks" || array.shape.length !== 2 || array.shape[1] !== COLUMNS) return null;
  const { values } = array;
  return Array.from({ length: array.shape[0] ?? 0 }, (_, i) => {
    const at = (column: number): number => values[i * COLUMNS + column] ?? NaN;
    return {
      row: at(0),
      col: at(1),
      intensity: at(2),
      rowError: Math.sqrt(at(4)),
      colError: Math.sqrt(at(5)),
      covariance: at(6),
      intensityError: at(7),
      score: at(8),
    };
  });
}

export function disksWish(of: Dataset): Wish<DisksRequest> | null {
  if (!usable(of)) return null;
  const [row, col] = probe.value;
  const [rows, cols] = of.scan;
  const request: DisksRequest = {
    op: "disks",
    dataset: of.id,
    row: clamp(row, 0, rows - 1),
    col: clamp(col, 0, cols - 1),
    disks: changedOptions(diskOptions.value),
  };
  return { key: keyOf(request), subject: JSON.stringify([identity(of), "disks"]), request };
}

type Done = (found: ShownDisks) => void;
type Failed = (why: string) => void;

function askIn(
  slot: string,
  wish: Wish<DisksRequest>,
  done: Done,
  failed: Failed,
  after?: number,
): void {
  const take = (answer: Answer, bound: Bound<DisksRequest>): boolean => {
    const disks = disksOf(answer);
    const { op, dataset: of, plan, reason } = answer;
    if (!disks || !plan || op !== "disks" || of !== wish.request.dataset) return false;
    const found: ShownDisks = { ...bound, disks, reason, plan };
    if (!answer.live || answer.live.final) cache.put(found.key, found);
    drawn("disks", bound.since);
    done(found);
    return true;
  };
  askFor(slot, wish, take, failed, after);
}

const same = (a: DiskWords, b: DiskWords): boolean => JSON.stringify(a) === JSON.stringify(b);
const sameTemplate = (a: DiskWords, b: DiskWords): boolean =>
  a.template_radius === b.template_radius && a.template_edge === b.template_edge;

/** For so many milliseconds options must rest before their own plan is made. */
const REST = 120;
let resting: ReturnType<typeof setTimeout> | undefined;

/** While options are dragged the plan at hand serves: its disks are drawn until the exact ones are there. */
function ask(wish: Wish<DisksRequest>, done: Done, failed: Failed): void {
  clearTimeout(resting);
  const now = shownDisks.peek();
  const wanted = wish.request.disks;
  const plan = now && now.subject === wish.subject ? plannedFor(now) : null;
  if (!plan || same(plan, wanted) || !sameTemplate(plan, wanted)) {
    askIn("disks", wish, done, failed);
    return;
  }
  const request = { ...wish.request, plan };
  // What is wrong with options is told when they rest.
  askIn("disks at once", { ...wish, key: keyOf(request), request }, done, () => undefined);
  resting = setTimeout(() => askIn("disks", wish, done, failed), REST);
}

export const disksQuestion = new Question<DisksRequest, ShownDisks>(
  computed(() => (disksOpen.value && dataset.value ? disksWish(dataset.value) : null)),
  { known: (key) => cache.get(key), more: () => false, ask },
);

keepFresh(disksQuestion, "disks", askIn);

/** What was found last, also while newer disks are on their way. */
export const shownDisks = computed<ShownDisks | null>(() => visible(disksQuestion.standing.value));

/** The disks of the very frame that the diffraction panel shows; null: it shows something else. */
export const disksOnPattern = computed<ShownDisks | null>(() => {
  const [found, pattern] = [shownDisks.value, shownPattern.value];
  if (!found || pattern?.request.op !== "frame") return null;
  const { row, col, dataset: of } = pattern.request;
  const { request } = found;
  return request.row === row && request.col === col && request.dataset === of ? found : null;
});

/** A place of the full detector in pixels of the arrays that are drawn. */
export function onArray(of: Dataset, row: number, col: number): Point {
  const { origin, bin } = of.grid;
  return [(row - origin[0]) / bin, (col - origin[1]) / bin];
}

const pointer = signal<Point | null>(null);

/** The cursor on the pattern, in pixels of its array; null: it is elsewhere. */
export function pointAt(at: Point | null): void {
  if (disksOpen.peek() || pointer.peek()) pointer.value = disksOpen.peek() ? at : null;
}

/** The disk under the cursor. */
export const pointedDisk = computed<FoundDisk | null>(() => {
  const [at, found, of] = [pointer.value, disksOnPattern.value, dataset.value];
  if (!at || !found || !of) return null;
  const away = (disk: FoundDisk): number => {
    const [row, col] = onArray(of, disk.row, disk.col);
    return Math.hypot(row - at[0], col - at[1]);
  };
  let best: FoundDisk | null = null;
  for (const disk of found.disks) if (!best || away(disk) < away(best)) best = disk;
  return best && away(best) <= found.plan.template.radius / of.grid.bin ? best : null;
});

/** Disks are of one frame, so that the panel shows the one at the probe. */
export function openDisks(on: boolean): void {
  disksOpen.value = on;
  if (on) patternSource.value = "probe";
}
