// The keys of the page of the doctor.
// SPDX-License-Identifier: Apache-2.0
import { type Keys, listenToKeys } from "../shell/keyboard";
import { dismissNewest } from "../shell/notices";
import { examine, stop } from "./asking";
import { helpOpen } from "./state";

export const KEYS: Keys = [
  ["Q", "Measure quickly: some seconds"],
  ["F", "Measure fully: half a minute"],
  ["S", "Stop measuring"],
  ["?", "This help"],
];

const acts: Record<string, () => void> = {
  q: () => examine(true),
  f: () => examine(false),
  s: stop,
  "?": () => (helpOpen.value = true),
  escape: dismissNewest,
};

export function startKeyboard(): void {
  listenToKeys(
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return false;
      const act = acts[event.key.toLowerCase()];
      act?.();
      return act !== undefined;
    },
    () => helpOpen.value,
  );
}
