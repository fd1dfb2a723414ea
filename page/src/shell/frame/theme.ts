// Light or dark: what the user chose, and the browser remembers.
// SPDX-License-Identifier: Apache-2.0
import { signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

const PLACE = "sluice.theme";

function remembered(): Theme {
  try {
    const kept = localStorage.getItem(PLACE);
    return kept === "light" || kept === "dark" ? kept : "system";
  } catch {
    return "system";
  }
}

export const theme = signal<Theme>(remembered());

export function setTheme(next: Theme): void {
  theme.value = next;
  try {
    localStorage.setItem(PLACE, next);
  } catch {
    // Without storage it lasts as long as the page.
  }
}
