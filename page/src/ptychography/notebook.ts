// In a notebook: the kernel keeps the last picture, for whoever opens the notebook without it.
// SPDX-License-Identifier: Apache-2.0
import { effect } from "@preact/signals";
import type { Comm } from "../shell/protocol/comm";
import { drawnOf, limitsFor } from "./pictures";
import { figureOf } from "./picture";
import { PICTURES, saved } from "./state";

/** Milliseconds of rest before a picture, and pixels of a side: it lies in the notebook's file. */
const REST = 1500;
const SIDE = 384;

export function startNotebook(comm: Comm): void {
  let timer = 0;
  effect(() => {
    // All that the picture depends on.
    PICTURES.forEach((key) => void [drawnOf(key), limitsFor(key)]);
    clearTimeout(timer);
    if (!saved.value || !drawnOf("phase").picture || !drawnOf("probe").picture) return;
    timer = window.setTimeout(() => {
      const png = figureOf(SIDE, SIDE);
      if (png) comm.send({ op: "picture" }, [png.slice().buffer]);
    }, REST);
  });
}
