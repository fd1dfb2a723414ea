// The keys of the whole page, and what they do.
// SPDX-License-Identifier: Apache-2.0
import { type Keys, listenToKeys } from "../shell/keyboard";
import { dismissNewest } from "../shell/notices";
import type { PresetName } from "./geometry/presets";
import { choosePreset, moveSelected, resizeSelected } from "./state/detectors";
import { series } from "./state/datasets";
import { nextCandidate } from "./state/match";
import { path, walking } from "./state/path";
import { playing, stepFrame } from "./state/playback";
import { nudgeProbe } from "./state/scan";
import { dialog, views } from "./state/settings";
import { during } from "./state/timing";

export const KEYS: Keys = [
  ["← ↑ → ↓", "move the probe by one scan point"],
  ["Shift + arrows", "move the probe by ten"],
  ["Alt + arrows", "move the selected detector by one pixel (Shift: ten)"],
  ["+  −", "on the diffraction panel: selected detector larger or smaller; elsewhere: zoom"],
  ["1  2  3  4", "BF, ABF, ADF, HAADF"],
  ["M", "draw the next best match of orientations over the pattern"],
  ["[  ]", "previous and next frame or dataset"],
  ["Space", "play or pause frames, or the path where there is one frame only"],
  ["F", "fit the images into their panels"],
  ["0", "fit the panel with the focus"],
  ["Ctrl + wheel, wheel", "zoom at the cursor"],
  ["Alt + drag, middle button", "pan"],
  ["Shift while dragging", "keep the proportions"],
  ["Esc", "close the message, menu or dialog"],
  ["?", "this help"],
];

const ARROWS: Record<string, readonly [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};
const PRESETS: Record<string, PresetName> = { "1": "BF", "2": "ABF", "3": "ADF", "4": "HAADF" };

/** Plays or pauses what there is to play. */
export function togglePlay(): void {
  if (series.value.length > 1) playing.value = !playing.value;
  else if (path.value.length > 0) walking.value = !walking.value;
}

export function fitAll(): void {
  for (const view of Object.values(views)) view.value = null;
}

function onArrow(event: KeyboardEvent): boolean {
  const way = ARROWS[event.key];
  if (!way) return false;
  const by = event.shiftKey ? 10 : 1;
  during(() => {
    if (event.altKey) moveSelected(way[0] * by, way[1] * by);
    else nudgeProbe(way[0] * by, way[1] * by);
  });
  return true;
}

function onLetter(key: string): boolean {
  const preset = PRESETS[key];
  if (preset) during(() => choosePreset(preset));
  else if (key === "[") stepFrame(-1);
  else if (key === "]") stepFrame(1);
  else if (key === " ") togglePlay();
  else if (key === "m" || key === "M") return during(nextCandidate);
  else if (key === "f" || key === "F") fitAll();
  else if (key === "?") dialog.value = "help";
  else if (key === "Escape") dismissNewest();
  else return false;
  return true;
}

/** Does what a key means; true when it means something. */
export function handleKey(event: KeyboardEvent, onPattern = false): boolean {
  if (event.ctrlKey || event.metaKey) return false;
  if (onArrow(event)) return true;
  if (event.altKey) return false;
  if (onPattern && (event.key === "+" || event.key === "=" || event.key === "-")) {
    during(() => resizeSelected(event.key === "-" ? -1 : 1));
    return true;
  }
  return onLetter(event.key);
}

export function startKeyboard(): void {
  listenToKeys(handleKey, () => dialog.value !== null);
}
