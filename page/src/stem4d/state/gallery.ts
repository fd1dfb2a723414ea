// The images of all detectors; those that did not change are not asked for again.
// SPDX-License-Identifier: Apache-2.0
import { computed, effect, signal, untracked } from "@preact/signals";
import type { Raster } from "../../types";
import type { Answer } from "../protocol/messages";
import type { Detector } from "../types";
import { askFor, imagesOf } from "./asking";
import { dataset, usable } from "./datasets";
import { detectors, selectedKey } from "./detectors";
import { isMoment, mode, shown, type ImageRequest } from "./images";
import { identity, keyOf, moreToCome } from "./keys";
import { drop, isBusy, mostDetectors, onMessage } from "./live";
import type { Bound } from "./question";
import { drawn } from "./timing";

interface Entry {
  /** Of the request for this detector alone. */
  key: string;
  /** Of the dataset and the kind of image. */
  subject: string;
  raster: Raster;
  /** A sharper one is still to come. */
  coarse: boolean;
  /** Of a scan that comes: when it was asked for; null: it is final. */
  tick: number | null;
}

/** By the detector's key: what came, each with what it answers. */
const entries = signal<ReadonlyMap<string, Entry>>(new Map());
export const galleryOpen = signal(true);
/** Why images are missing; the key is of what was asked for. */
const failure = signal<{ key: string; why: string } | null>(null);

function sums(list: readonly Detector[]): ImageRequest | null {
  const here = dataset.value;
  if (!here || !usable(here) || list.length === 0) return null;
  const kind = mode.value === "mean" ? "mean" : "sum";
  const regions = list.map((one) => one.region);
  return { op: "image", dataset: here.id, mode: kind, detectors: regions, rotation: "none" };
}

const keyFor = (detector: Detector): string => {
  const request = sums([detector]);
  return request ? keyOf(request) : "";
};

const subjectNow = computed(() => {
  const here = dataset.value;
  return here && usable(here) ? `${identity(here)} ${mode.value === "mean"}` : "";
});

export interface Thumb {
  raster: Raster;
  /** Of the detector as it is; else as it was a moment ago. */
  current: boolean;
}

/** What may be shown of a detector: its image, or while it is dragged its last one. */
export const gallery = computed<ReadonlyMap<string, Thumb>>(() => {
  const found = new Map<string, Thumb>();
  for (const one of detectors.value) {
    const entry = entries.value.get(one.key);
    if (entry && subjectNow.value !== "" && entry.subject === subjectNow.value)
      found.set(one.key, { raster: entry.raster, current: entry.key === keyFor(one) });
  }
  return found;
});

/** Counts while the scan that is looked at comes: images of before are asked for again. */
const tick = signal(0);
const TICK = 400;
let ticked = 0;
onMessage((message) => {
  const idle = galleryOpen.peek() && !isBusy("gallery") && !document.hidden;
  const mine = message.op === "coming" && message.dataset === dataset.peek()?.id;
  if (!mine || !idle || performance.now() - ticked < TICK) return;
  ticked = performance.now();
  tick.value++;
});

/** Detectors whose image is missing; the selected one's comes with the image panel. */
const missing = computed<readonly Detector[]>(() => {
  if (!galleryOpen.value) return [];
  const served = isMoment(mode.value) ? null : selectedKey.value;
  const others = detectors.value.filter((one) => one.key !== served);
  const entryOf = (one: Detector): Entry | undefined => {
    const entry = entries.value.get(one.key);
    const old = entry?.tick !== null && entry?.tick !== tick.value;
    return entry?.key === keyFor(one) && !old ? entry : undefined;
  };
  // First those of which nothing is there, then those that get sharper.
  return [
    ...others.filter((one) => !entryOf(one)),
    ...others.filter((one) => entryOf(one)?.coarse),
  ];
});

/** The server takes so many detectors at once; the others are asked for when these are there. */
const next = computed(() => missing.value.slice(0, mostDetectors.value));
const nextKey = computed(() => {
  const keys = next.value.map(keyFor);
  return keys.length > 0 ? [...keys, tick.value].join("\n") : "";
});

/** Why images are missing, or "". */
export const galleryTrouble = computed(() =>
  failure.value?.key === nextKey.value && nextKey.value !== "" ? failure.value.why : "",
);

const attempt = signal(0);

/** Asks again for what could not be had. */
export function retryGallery(): void {
  attempt.value++;
}

effect(() => {
  const wanted = nextKey.value;
  void attempt.value;
  failure.value = null;
  if (wanted === "") return;
  untracked(() => {
    const list = next.value;
    const request = sums(list);
    const keys = list.map(keyFor);
    const asked = tick.value;
    if (!request) return;
    const wish = { key: wanted, subject: subjectNow.value, request };
    const failed = (why: string): void => void (failure.value = { key: wanted, why });
    const take = (answer: Answer, { subject, step, since, live }: Bound<ImageRequest>): boolean => {
      const images = imagesOf(request, answer);
      if (!images) return false;
      const coarse = moreToCome(request.dataset, step);
      const now = new Map(entries.value);
      list.forEach((one, index) => {
        const [raster, key] = [images[index], keys[index]];
        const stands = gallery.value.get(one.key)?.current ? entries.value.get(one.key) : undefined;
        // What comes late must not displace the image of the detector as it is now, nor a sharper
        // one: it would be asked for again, and so on for ever.
        if (stands && (stands.key !== key || (coarse && !stands.coarse))) return;
        if (raster && key) now.set(one.key, { key, subject, raster, coarse, tick: live ? asked : null });
      });
      entries.value = now;
      drawn("gallery", since);
      return true;
    };
    askFor("gallery", wish, take, failed);
  });
});

// What the image panel shows is the selected detector's image, and that of all with its region.
effect(() => {
  const now = shown.value;
  // To select another one of the same region brings no new image.
  void selectedKey.value;
  const image = now?.images[0];
  if (!now || !image || isMoment(now.request.mode)) return;
  untracked(() => {
    const alike = detectors.value.filter((each) => keyFor(each) === now.key);
    if (alike.every((one) => entries.value.get(one.key)?.raster === image)) return;
    const coarse = moreToCome(now.request.dataset, now.step);
    const tickNow = now.live ? tick.value : null;
    const entry = { key: now.key, subject: subjectNow.value, raster: image, coarse, tick: tickNow };
    entries.value = new Map([...entries.value, ...alike.map(({ key }) => [key, entry] as const)]);
  });
});

effect(() => {
  const keys = new Set(detectors.value.map((one) => one.key));
  untracked(() => {
    const left = [...entries.value].filter(([key]) => keys.has(key));
    if (left.length !== entries.value.size) entries.value = new Map(left);
  });
  if (!galleryOpen.value) drop("gallery");
});
