// The theme's colours: everything that is read has a contrast of 4.5 at least (WCAG 2.1, 1.4.3).
// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { cwd } from "node:process";
import { describe, expect, it } from "vitest";

const style = ["app.css", "panels.css"]
  .map((name) => readFileSync(`${cwd()}/src/app/${name}`, "utf8"))
  .join("\n");

/** The variables of a rule, by name. */
function themeOf(selector: string): Map<string, string> {
  const at = style.indexOf(`${selector} {`);
  const rule = style.slice(at, style.indexOf("}", at));
  return new Map([...rule.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, n, c]) => [n!, c!]));
}

function luminance(color: string): number {
  const part = (at: number): number => {
    const v = parseInt(color.slice(at, at + 2), 16) / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}

export function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high! + 0.05) / (low! + 0.05);
}

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

  it("words on a panel can be read", () => {
    const words = /\.empty {[^}]*color: (#\w{6})/.exec(style)?.[1];
    expect(contrast(words!, theme.get("panel-background")!)).toBeGreaterThanOrEqual(4.5);
  });
});

it("knows black from white", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});

it("a selection is marked where the system chooses the colours", () => {
  const forced = style.slice(style.indexOf("@media (forced-colors: active)"));
  expect(forced).toMatch(/aria-pressed="true"[^}]*background: Highlight/);
});
