// A shape or profile line that is dragged: what was held when the pointer went down.
// SPDX-License-Identifier: Apache-2.0
import type { ImagePointer } from "../display/image_view";
import type { Point } from "../types";
import { drag } from "./geometry/drag";
import { cursorOf, type Grab, grabAmong } from "./geometry/grab";
import type { Bounds } from "./geometry/measure";
import type { Shape } from "./types";
import {
  movedProfile,
  profileLine,
  type ProfileLine,
  profilePartAt,
  type ProfilePart,
} from "./state/profile";
import type { PanelName } from "./state/settings";
import { during } from "./state/timing";

/** CSS pixels around an edge that still hold it. */
export const reach = (pointer: ImagePointer): number => (pointer.touch ? 16 : 7) / pointer.zoom;

/** What a pointer does until it goes up. */
export interface Hold {
  move(pointer: ImagePointer): void;
}

/** Takes hold of one of several shapes; `change` is called with the shape as it becomes. */
export function holdShape(
  shapes: readonly Shape[],
  selected: number,
  pointer: ImagePointer,
  bounds: Bounds,
  change: (index: number, shape: Shape) => void,
): { index: number; hold: Hold } | null {
  const found = grabAmong(shapes, selected, pointer.point, reach(pointer));
  const start = found && shapes[found.index];
  if (!start) return null;
  const { index, grab } = found;
  return {
    index,
    hold: {
      move: ({ point, shift }) =>
        during(() => change(index, drag(start, grab, point, { aspect: shift, bounds }))),
    },
  };
}

/** The cursor over one of several shapes; empty where there is none. */
export function shapeCursor(
  shapes: readonly Shape[],
  selected: number,
  pointer: ImagePointer,
): { cursor: string; grab: Grab } | null {
  const found = grabAmong(shapes, selected, pointer.point, reach(pointer));
  const shape = found && shapes[found.index];
  return shape ? { cursor: cursorOf(shape, found.grab), grab: found.grab } : null;
}

function partOf(panel: PanelName, pointer: ImagePointer): ProfilePart | null {
  const line = profileLine.value;
  return line?.panel === panel ? profilePartAt(line, pointer.point, reach(pointer)) : null;
}

/** Takes hold of the profile line of a panel. */
export function holdProfile(panel: PanelName, pointer: ImagePointer, bounds: Bounds): Hold | null {
  const start: ProfileLine | null = profileLine.value;
  const part = partOf(panel, pointer);
  if (!start || !part) return null;
  const from: Point = pointer.point;
  return {
    move: ({ point }) => {
      profileLine.value = movedProfile(start, part, from, point, bounds);
    },
  };
}

export const profileCursor = (panel: PanelName, pointer: ImagePointer): string =>
  partOf(panel, pointer) ? "move" : "";
