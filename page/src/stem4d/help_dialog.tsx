// The help: what one does with the pointer, and all keys.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { Help } from "../shell/frame/help";
import { KEYS } from "./keyboard";
import { counters, serverVersion } from "./state/live";
import { dialog } from "./state/settings";
import { drawLatencies } from "./state/timing";

function median(list: readonly number[]): string {
  if (list.length === 0) return "–";
  const sorted = [...list].sort((a, b) => a - b);
  return `${(sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(0)} ms`;
}

export function HelpDialog(): ComponentChildren {
  const { sent, replaced, dropped, reconnects, malformed } = counters();
  const times = drawLatencies();
  return (
    <Help
      keys={KEYS}
      close={() => (dialog.value = null)}
      intro={
        "Drag a detector on the diffraction pattern by its body, or resize it by its edge; the " +
        "image follows. Drag the probe on the image; the pattern follows."
      }
    >
      Sluice {serverVersion.value}. From event to image: {median(times["image"] ?? [])}, to
      pattern: {median(times["pattern"] ?? [])} (medians). Requests sent: {sent}, replaced by
      newer ones: {replaced}, dropped by the server: {dropped}; reconnections: {reconnects};
      unreadable messages: {malformed}.
    </Help>
  );
}
