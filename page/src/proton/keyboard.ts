// The keys of the page of volumes.
// SPDX-License-Identifier: Apache-2.0
import { type Keys, listenToKeys } from "../shell/keyboard";
import { dismissNewest } from "../shell/notices";
import {
  activePlane,
  difference,
  filled,
  goToMaximum,
  helpOpen,
  lined,
  mayDiffer,
  outlined,
  panel,
  setDifference,
  sideColumn,
  step,
} from "./state";
import type { PlaneKind } from "./types";

export const KEYS: Keys = [
  ["Drag, click", "Move the crosshair; the other planes follow"],
  ["Wheel", "Next and previous slice; with Ctrl zoom"],
  ["Up, Right  Down, Left", "Next and previous slice of the plane under the pointer, or with the focus"],
  ["Page Up, Page Down", "Ten slices on and back"],
  ["Shift and arrows", "Move the crosshair by an element (of two axes: without Shift)"],
  ["M", "Crosshair to the highest dose"],
  ["C", "What lies over the base in colours, on or off"],
  ["I", "Isodoses on or off"],
  ["S", "Lines of structures on or off"],
  ["H", "Histograms of the dose in structures, or the profile"],
  ["D", "Difference of two volumes on or off"],
  ["+  −  0", "Zoom the plane that has the focus, show all of it"],
  ["Alt and drag", "Move the picture"],
  ["P", "Show or hide the side column"],
  ["?", "This help"],
];

const ways: Record<string, readonly [right: number, up: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

function arrow(plane: PlaneKind, way: readonly [number, number], inPlane: boolean): void {
  const [right, up] = way;
  if (!inPlane && plane.normal !== null) step(plane.normal, right + up);
  else {
    step(plane.across, right);
    step(plane.down, plane.up ? up : -up);
  }
}

const switches: Record<string, () => void> = {
  m: goToMaximum,
  c: () => (filled.value = !filled.peek()),
  i: () => (lined.value = !lined.peek()),
  s: () => (outlined.value = !outlined.peek()),
  h: () => (panel.value = panel.peek() === "profile" ? "histogram" : "profile"),
  d: () => {
    if (mayDiffer.peek()) setDifference(!difference.peek());
  },
  p: () => (sideColumn.value = !sideColumn.peek()),
  "?": () => (helpOpen.value = true),
  escape: dismissNewest,
};

function act(e: KeyboardEvent): boolean {
  if (e.ctrlKey || e.metaKey || e.altKey) return false;
  const plane = activePlane.peek();
  const way = ways[e.key];
  if (way && plane) {
    arrow(plane, way, e.shiftKey);
    return true;
  }
  const far = { PageUp: 10, PageDown: -10 }[e.key];
  const normal = plane?.normal ?? null;
  if (far !== undefined && normal !== null) {
    step(normal, far);
    return true;
  }
  const act = switches[e.key.toLowerCase()];
  act?.();
  return act !== undefined;
}

export function startKeyboard(): void {
  listenToKeys(act, () => helpOpen.value);
}
