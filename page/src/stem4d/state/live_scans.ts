// Scans that are being measured: their streams, how they come, and which one is looked at.
// SPDX-License-Identifier: Apache-2.0
import { computed, effect, signal, untracked } from "@preact/signals";
import { announce, note } from "../../shell/notices";
import type { Coming, LiveSource } from "../protocol/messages";
import type { Dataset } from "../types";
import { dataset, datasets, selectedId } from "./datasets";
import { onHello, onMessage } from "./live";

/** What the server listens to. */
export const sources = signal<readonly LiveSource[]>([]);
/** How each scan comes, by its dataset. */
const comings = signal<ReadonlyMap<string, Coming>>(new Map());

/** How the selected scan comes; null: it is complete, or of files. */
export const coming = computed<Coming | null>(() => {
  const here = dataset.value;
  return here?.live?.running ? (comings.value.get(here.id) ?? null) : null;
});

const isLive = (one: Dataset): boolean => one.live !== null;
export const newestOf = (list: readonly Dataset[]): Dataset | null => list.filter(isLive).at(-1) ?? null;
const newestId = computed(() => newestOf(datasets.value)?.id ?? null);

/** Each series that begins is looked at. Who chooses an older one stays with it. */
export const following = signal(true);

export function follow(on: boolean): void {
  following.value = on;
  const newest = newestId.peek();
  if (on && newest !== null) selectedId.value = newest;
}

let newestSeen: string | null = null;
effect(() => {
  const [here, newest] = [selectedId.value, newestId.value];
  untracked(() => {
    if (newest === null) return;
    if (newest !== newestSeen) {
      newestSeen = newest;
      if (following.value) selectedId.value = newest;
    } else {
      following.value = here === newest;
    }
  });
});

/** Tells which series left memory. */
function tellDropped(before: readonly Dataset[], now: readonly Dataset[]): void {
  const here = new Set(now.map((one) => one.id));
  const gone = before.filter((one) => isLive(one) && !here.has(one.id)).map((one) => one.name);
  if (gone.length === 0) return;
  const text = `${gone.join(", ")} left memory to make room for newer series (--memory-limit).`;
  note(text);
  announce(text);
}

onHello((hello) => {
  sources.value = hello.live;
  comings.value = new Map();
  newestSeen = null;
});

let known: readonly Dataset[] = [];
onHello((hello) => (known = hello.datasets));

onMessage((message) => {
  if (message.op === "live") sources.value = message.live;
  if (message.op === "coming") comings.value = new Map(comings.value).set(message.dataset, message);
  if (message.op === "datasets") {
    tellDropped(known, message.datasets);
    known = message.datasets;
  }
});
