// The images of all detectors; those that did not change are not asked for again.
// SPDX-License-Identifier: Apache-2.0
import { computed, effect, signal, untracked } from "@preact/signals";
import type { Detector, Raster } from "../../types";
import { dataset, finished, usable } from "./datasets";
import { detectors, selectedKey } from "./detectors";
import { imagesOf, isMoment, keyOf, mode, shown, type ImageRequest } from "./images";
import { ask, drop } from "./live";
import { drawn, since } from "./timing";

interface Entry {
  key: string;
  raster: Raster;
}

/** By the detector's key. */
export const gallery = signal<ReadonlyMap<string, Entry>>(new Map());
export const galleryOpen = signal(true);

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

/** Detectors whose image is missing; the selected one's comes with the image panel. */
const missing = computed<readonly Detector[]>(() =>
  galleryOpen.value
    ? detectors.value.filter((one) => {
        const served = one.key === selectedKey.value && !isMoment(mode.value);
        return !served && gallery.value.get(one.key)?.key !== keyFor(one);
      })
    : [],
);
const missingKey = computed(() => missing.value.map(keyFor).join("\n"));

effect(() => {
  if (missingKey.value === "") return;
  untracked(() => {
    const list = missing.value;
    const request = sums(list);
    const keys = list.map(keyFor);
    const from = since();
    if (!request) return;
    ask("gallery", request, {
      answered: (answer) => {
        if (answer.step === 1) finished(answer.dataset);
        const images = imagesOf(answer);
        const next = new Map(gallery.value);
        list.forEach((one, index) => {
          const raster = images[index];
          if (raster) next.set(one.key, { key: keys[index] ?? "", raster });
        });
        gallery.value = next;
        drawn("gallery", from);
      },
    });
  });
});

// Another dataset's images must not stand for one that has none.
effect(() => {
  if (sums(detectors.value) === null) gallery.value = new Map();
});

// What the image panel shows is the selected detector's image.
effect(() => {
  const now = shown.value;
  const image = now?.images[0];
  if (!now || !image || isMoment(now.mode)) return;
  untracked(() => {
    const one = detectors.value.find((each) => keyFor(each) === now.key);
    if (!one || gallery.value.get(one.key)?.raster === image) return;
    gallery.value = new Map(gallery.value).set(one.key, { key: now.key, raster: image });
  });
});

effect(() => {
  const keys = new Set(detectors.value.map((one) => one.key));
  untracked(() => {
    const left = [...gallery.value].filter(([key]) => keys.has(key));
    if (left.length !== gallery.value.size) gallery.value = new Map(left);
  });
  if (!galleryOpen.value) drop("gallery");
});
