// Icons as outlines in the colour of the text; what they mean stands in the button's label.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";

const PATHS = {
  fullScreen: "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4",
  fit: "M2 5V2h3M11 2h3v3M14 11v3h-3M5 14H2v-3M5 5h6v6H5z",
  profile: "M2 13l3-5 3 3 3-8 3 6",
  display: "M8 2a6 6 0 1 0 0 12A6 6 0 1 0 8 2zM8 2v12M8 4l4 1M8 8h6M8 12l4-1",
  close: "M4 4l8 8M12 4l-8 8",
  previous: "M12 3L6 8l6 5zM4 3v10",
  next: "M4 3l6 5-6 5zM12 3v10",
  play: "M4 3l9 5-9 5z",
  pause: "M5 3v10M11 3v10",
  help: "M5 6a3 3 0 1 1 4 2.8c-.7.3-1 .8-1 1.7M8 12.8v.4",
} as const;

export function Icon({ name }: { name: keyof typeof PATHS }): ComponentChildren {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
