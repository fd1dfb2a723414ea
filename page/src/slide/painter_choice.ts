// Which painter this browser gets: WebGL2 where it is no software, or what `?renderer=` asks for.
// SPDX-License-Identifier: Apache-2.0
import { chosenKind } from "../display/renderer";
import { type Painter, Painter2d } from "./painter";
import { glPainter } from "./painter_gl";

let broken = false;

/** A painter with a canvas of its own; `lost` is called when it can paint no more. */
export function choosePainter(lost: () => void): Painter {
  const kind = broken ? "2d" : chosenKind(location.search);
  const fallBack = (): void => {
    broken = true;
    lost();
  };
  const better = kind === "2d" ? null : glPainter(fallBack, kind === "webgl2");
  return better ?? new Painter2d(document.createElement("canvas"));
}
