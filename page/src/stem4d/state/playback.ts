// 5-D: which frame is shown, playing through them, and fetching the neighbours ahead.
// SPDX-License-Identifier: Apache-2.0
import { computed, effect, signal, untracked } from "@preact/signals";
import type { Dataset } from "../types";
import { select, selectedId, series, usable } from "./datasets";
import { askImage, askPattern, cached, cachedPattern } from "./asking";
import { imageQuestion, imageWish, pending } from "./images";
import { isBusy } from "./live";
import { patternWish } from "./pattern";
import { during } from "./timing";

export const playing = signal(false);
export const loop = signal(true);
export const bounce = signal(false);
export const reverse = signal(false);
/** Frames per second, 1 to 30. */
export const fps = signal(5);

export const frameIndex = computed(() =>
  series.value.findIndex((one) => one.id === selectedId.value),
);

/** Shows a frame of the series. */
export function goTo(index: number): void {
  const wanted = series.value[index];
  if (wanted) during(() => select(wanted.id));
}

/** The frame after `index`, or null where playing ends. */
export function following(
  index: number,
  count: number,
  how: { loop: boolean; bounce: boolean; reverse: boolean },
): { index: number; reverse: boolean } | null {
  if (count < 2) return null;
  const next = index + (how.reverse ? -1 : 1);
  if (next >= 0 && next < count) return { index: next, reverse: how.reverse };
  if (how.bounce && (how.loop || !how.reverse)) {
    return { index: index + (how.reverse ? 1 : -1), reverse: !how.reverse };
  }
  if (!how.loop) return null;
  return { index: how.reverse ? count - 1 : 0, reverse: how.reverse };
}

export function stepFrame(by: number): void {
  const count = series.value.length;
  if (count > 1) goTo((frameIndex.value + by + count) % count);
}

function advance(): void {
  // A frame that has not come yet is not skipped: playing waits for it.
  if (pending.value) return;
  const how = { loop: loop.value, bounce: bounce.value, reverse: reverse.value };
  const next = following(frameIndex.value, series.value.length, how);
  if (!next) {
    playing.value = false;
    return;
  }
  reverse.value = next.reverse;
  goTo(next.index);
}

effect(() => {
  if (!playing.value) return undefined;
  const timer = setInterval(advance, 1000 / fps.value);
  return () => clearInterval(timer);
});

effect(() => {
  if (series.value.length < 2) playing.value = false;
});

const AHEAD = 2;

/** The frames that are likely to be looked at next. */
export function neighbours(list: readonly Dataset[], index: number, back: boolean): Dataset[] {
  const order = [1, 2, -1].map((by) => (back ? -by : by));
  const found = order.map((by) => list[(index + by + list.length) % list.length]);
  const fresh = found.filter((one, at) => one && one !== list[index] && found.indexOf(one) === at);
  return fresh.filter((one) => one !== undefined);
}

function fetchAhead(of: Dataset, slot: string): void {
  const image = imageWish(of);
  if (image && !cached(image.key) && !isBusy(`image-${slot}`))
    askImage(`image-${slot}`, image, ignore, ignore);
  const pattern = patternWish(of);
  if (pattern && !cachedPattern(pattern.key) && !isBusy(`pattern-${slot}`))
    askPattern(`pattern-${slot}`, pattern, ignore, ignore);
}

// A neighbour that cannot be had says so when it is looked at.
const ignore = (): void => undefined;

// Only when the panel has what it wants: fetching ahead must not slow a drag.
effect(() => {
  const settled = imageQuestion.standing.value.kind === "answered";
  if (!settled || series.value.length < 2) return;
  untracked(() => {
    const near = neighbours(series.value, frameIndex.value, reverse.value).filter((of) => usable(of) && of.state !== "live");
    near.slice(0, AHEAD + 1).forEach((of, at) => fetchAhead(of, String(at)));
  });
});
