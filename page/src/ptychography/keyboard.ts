// The keys of the page of reconstructions.
// SPDX-License-Identifier: Apache-2.0
import { type Keys, listenToKeys } from "../shell/keyboard";
import { dismissNewest } from "../shell/notices";
import { helpOpen, logarithmic, setMode, setSlice, shownMode, shownSlice, sideColumn } from "./state";

export const KEYS: Keys = [
  ["Drag, wheel", "Move and zoom; the pictures of the object do it together"],
  ["Double click, 0", "All of the picture that has the focus"],
  ["M, Shift+M", "Next and previous mode of the probe"],
  ["Page Down, Page Up", "Next and previous slice of the object"],
  ["L", "R on a logarithmic scale, or not"],
  ["P", "Show or hide the side column"],
  ["?", "This help"],
];

const acts: Record<string, (event: KeyboardEvent) => void> = {
  m: ({ shiftKey }) => setMode(shownMode.peek() + (shiftKey ? -1 : 1)),
  pagedown: () => setSlice(shownSlice.peek() + 1),
  pageup: () => setSlice(shownSlice.peek() - 1),
  l: () => (logarithmic.value = !logarithmic.peek()),
  p: () => (sideColumn.value = !sideColumn.peek()),
  "?": () => (helpOpen.value = true),
  escape: dismissNewest,
};

export function startKeyboard(): void {
  listenToKeys(
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return false;
      const act = acts[event.key.toLowerCase()];
      act?.(event);
      return act !== undefined;
    },
    () => helpOpen.value,
  );
}
