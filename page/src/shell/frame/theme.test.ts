// The theme's colours: everything that is read has a contrast of 4.5 at least (WCAG 2.1, 1.4.3).
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { contrast, styleOf, themeOf } from "./contrast";

const READ: readonly (readonly [text: string, on: readonly string[]])[] = [
  ["text", ["background", "surface", "raised", "on"]],
  ["muted", ["surface", "raised", "background", "on"]],
  ["accent", ["surface", "raised"]],
  ["accent-text", ["accent"]],
  ["good", ["surface", "raised"]],
  ["warn", ["surface", "raised"]],
  ["bad", ["surface", "raised"]],
];

describe.each([
  ["light", ":root"],
  ["dark", ':root[data-theme="dark"]'],
])("in the %s theme", (_, selector) => {
  const theme = themeOf(selector);
  it.each(READ.flatMap(([text, on]) => on.map((ground) => [text, ground] as const)))(
    "%s can be read on %s",
    (text, ground) => {
      const [a, b] = [theme.get(text), theme.get(ground)];
      expect(a && b, `${text} and ${ground} are colours`).toBeTruthy();
      expect(contrast(a!, b!)).toBeGreaterThanOrEqual(4.5);
    },
  );
});

it("knows black from white", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});

it("a selection is marked where the system chooses the colours", () => {
  const style = styleOf("shell/frame/dialogs.css");
  const forced = style.slice(style.indexOf("@media (forced-colors: active)"));
  expect(forced).toMatch(/aria-pressed="true"[^}]*background: Highlight/);
});
