// The datasets that the server offers, the one that is looked at, and how far loading is.
// SPDX-License-Identifier: Apache-2.0
import { batch, computed, signal } from "@preact/signals";
import { announce, complain, note } from "../../shell/notices";
import type { Progress } from "../protocol/messages";
import type { Dataset } from "../types";
import { onHello, onMessage, tell } from "./live";

export const datasets = signal<readonly Dataset[]>([]);
export const selectedId = signal<string | null>(null);
export const progress = signal<ReadonlyMap<string, Progress>>(new Map());
/** The server watches a folder: what is finished there appears by itself. */
export const watching = signal(false);
/** Options of the command line with which all datasets are loaded. */
export const loadingOptions = signal<readonly string[]>([]);
/** What could not be opened when the server started. */
export const notOpened = signal<readonly string[]>([]);

export const datasetOf = (id: string | null): Dataset | null =>
  datasets.value.find((one) => one.id === id) ?? null;

export const dataset = computed<Dataset | null>(() => datasetOf(selectedId.value));

/** Whether images and patterns of it can be asked for. */
export function usable(one: Dataset): boolean {
  return (one.step > 0 || one.state === "streaming") && one.scan[0] > 0 && one.detector[0] > 0;
}

const sameSize = (a: Dataset, b: Dataset): boolean =>
  a.scan.join() === b.scan.join() && a.detector.join() === b.detector.join();

/** One that waits for its turn can be shown soon, one with files missing when they come. */
export const usableSoon = ({ state }: Dataset): boolean =>
  state !== "failed" && state !== "incomplete" && state !== "awaited";

const playable = (one: Dataset): boolean =>
  usableSoon(one) || (one.state === "incomplete" && one.step > 0);

/** All datasets of the selected one's size, in the list's order, also what cannot be shown. */
export const alike = computed<readonly Dataset[]>(() => {
  const here = dataset.value;
  return here ? datasets.value.filter((one) => sameSize(one, here)) : [];
});

/** The frames of the 5-D set: those of them that can be shown, now or soon. */
export const series = computed<readonly Dataset[]>(() => alike.value.filter(playable));

/** Looks at a dataset; what left memory, or was cancelled, is loaded again. */
export function select(id: string): void {
  const wanted = datasets.value.find((one) => one.id === id);
  if (!wanted || id === selectedId.value) return;
  selectedId.value = id;
  if (wanted.state === "stopped" || wanted.state === "waiting") tell({ op: "load", dataset: id });
}

export const load = (id: string): void => tell({ op: "load", dataset: id });
export const cancel = (id: string): void => tell({ op: "cancel", dataset: id });

function replaceAll(list: readonly Dataset[]): void {
  batch(() => {
    datasets.value = list;
    if (list.some((one) => one.id === selectedId.value)) return;
    const first = list.filter((one) => one.live).at(-1) ?? list.find(usableSoon);
    selectedId.value = first?.id ?? list[0]?.id ?? null;
  });
}

function welcome(list: readonly Dataset[]): void {
  const known = new Set(datasets.value.map((one) => one.id));
  const fresh = list.filter((one) => !known.has(one.id));
  replaceAll(list);
  // Series come one after the other: which one is looked at tells enough.
  if (fresh.every((one) => one.live)) return;
  const names = fresh.filter((one) => !one.live).map((one) =>
    one.state === "incomplete" ? `${one.name} (incomplete)` : one.name,
  );
  const text = `New in the folder: ${names.join(", ")}.`;
  note(text);
  announce(text);
}

function renew(changed: Dataset): void {
  const before = datasets.value.find((one) => one.id === changed.id);
  if (!before) {
    welcome([...datasets.value, changed]);
    return;
  }
  if (changed.state !== "preview" && progress.value.has(changed.id)) {
    const left = new Map(progress.value);
    left.delete(changed.id);
    progress.value = left;
  }
  replaceAll(datasets.value.map((one) => (one.id === changed.id ? changed : one)));
  if (changed.id === selectedId.value && changed.state !== before.state)
    announce(`${changed.name}: ${STATE_TEXTS[changed.state]}`);
  warn(changed, before);
}

/** Tells what befell the files of a dataset that one can look at, as that they are gone. */
function warn({ name, message, ...changed }: Dataset, before: Dataset): void {
  const open = changed.state === "ready" || changed.state === "streaming";
  if (open && message !== "" && message !== before.message) complain(`${name}: ${message}.`);
}

/** A streamed image is complete: its progress goes. */
export function finished(id: string): void {
  const far = progress.peek().get(id);
  if (!far || far.slot === null) return;
  const left = new Map(progress.peek());
  left.delete(id);
  progress.value = left;
}

/** What the badge says. */
export const STATE_TEXTS: Record<Dataset["state"], string> = {
  live: "live",
  waiting: "waiting to be loaded",
  preview: "loading",
  ready: "in memory",
  streaming: "streamed from disk",
  stopped: "subset only",
  awaited: "waiting for its files",
  incomplete: "incomplete",
  failed: "not readable",
};

onHello((hello) => {
  replaceAll(hello.datasets);
  progress.value = new Map();
  watching.value = hello.watching;
  loadingOptions.value = hello.loading;
  notOpened.value = hello.notes;
});

onMessage((message) => {
  if (message.op === "datasets") welcome(message.datasets);
  if (message.op === "dataset") renew(message.dataset);
  // Those of disks and strain are told where they were asked for.
  if (message.op === "progress" && message.task === undefined)
    progress.value = new Map(progress.value).set(message.dataset, message);
});
