// The help: what one does with the pointer, and all keys.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { Dialog } from "../shell/frame/controls";
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
    <Dialog title="Help" close={() => (dialog.value = null)}>
      <p>
        Drag a detector on the diffraction pattern by its body, or resize it by its edge; the image
        follows. Drag the probe on the image; the pattern follows.
      </p>
      <table class="keys">
        <tbody>
          {KEYS.map(([keys, what]) => (
            <tr key={keys}>
              <th scope="row">{keys}</th>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">
        Sluice {serverVersion.value}. From event to image: {median(times["image"] ?? [])}, to
        pattern: {median(times["pattern"] ?? [])} (medians). Requests sent: {sent}, replaced by
        newer ones: {replaced}, dropped by the server: {dropped}; reconnections: {reconnects};
        unreadable messages: {malformed}.
      </p>
    </Dialog>
  );
}
