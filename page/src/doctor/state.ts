// What the page of the doctor shows, as signals.
// SPDX-License-Identifier: Apache-2.0
import { computed, signal } from "@preact/signals";
import { phase } from "../shell/live";
import type { Report, Running } from "./types";

export const report = signal<Report | null>(null);
/** null: nothing is measured. */
export const running = signal<Running | null>(null);
export const helpOpen = signal(false);

/** Why nothing can be measured now; empty: it can. */
export const refusal = computed(() => {
  if (phase.value.kind !== "open")
    return "The program that measures is gone. Start `sluice doctor --view` again.";
  return running.value ? "The machine is being measured; two at a time disturb each other." : "";
});
