// How well a text is read on a ground: what the tests of colours need of the theme.
// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { cwd } from "node:process";

/** A style of the page as text; its path is relative to src. */
export const styleOf = (path: string): string => readFileSync(`${cwd()}/src/${path}`, "utf8");

/** The variables of a rule of the theme, by name. */
export function themeOf(selector: string): Map<string, string> {
  const style = styleOf("shell/frame/theme.css");
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

/** From 1 to 21 (WCAG 2.1). */
export function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high! + 0.05) / (low! + 0.05);
}
