// The keys of the page of slides.
// SPDX-License-Identifier: Apache-2.0
import { type Keys, listenToKeys } from "../shell/keyboard";
import { dismissNewest } from "../shell/notices";
import { fit, helpOpen, pan, sideColumn, size, step, zoom, zoomTo } from "./state";

export const KEYS: Keys = [
  ["Arrows", "Move by an eighth of the window; with Shift by all of it"],
  ["+  −", "Zoom in and out"],
  ["0", "Show the whole slide"],
  ["1", "Full resolution: one pixel of the slide is one of the screen"],
  ["Page Up, Page Down", "Next and previous slice (Z)"],
  [". ,", "Next and previous time"],
  ["Wheel, pinch", "Zoom about the pointer"],
  ["Double click", "Zoom in there; with Shift out"],
  ["P", "Show or hide the side column"],
  ["?", "This help"],
];

const ways: Record<string, readonly [x: number, y: number]> = {
  ArrowLeft: [1, 0],
  ArrowRight: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** A limit of a histogram keeps all keys. */
const onLimit = ({ target }: Event): boolean =>
  target instanceof HTMLElement && target.matches("[role=slider]");

function act(e: KeyboardEvent): boolean {
  if (e.ctrlKey || e.metaKey || e.altKey || onLimit(e)) return false;
  const way = ways[e.key];
  if (way) {
    const far = e.shiftKey ? 1 : 1 / 8;
    const { width, height } = size.peek();
    pan({ x: way[0] * width * far, y: way[1] * height * far });
    return true;
  }
  switch (e.key) {
    case "+":
    case "=":
      zoom(1.5);
      return true;
    case "-":
    case "_":
      zoom(1 / 1.5);
      return true;
    case "0":
      fit();
      return true;
    case "1":
      zoomTo(1);
      return true;
    case "PageUp":
      return step("Z", 1);
    case "PageDown":
      return step("Z", -1);
    case ".":
      return step("T", 1);
    case ",":
      return step("T", -1);
    case "p":
    case "P":
      sideColumn.value = !sideColumn.peek();
      return true;
    case "?":
      helpOpen.value = true;
      return true;
    case "Escape":
      dismissNewest();
      return true;
    default:
      return false;
  }
}

export function startKeyboard(): void {
  listenToKeys(act, () => helpOpen.value);
}
