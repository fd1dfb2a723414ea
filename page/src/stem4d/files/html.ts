// HTML text that cannot be broken by what stands in it.
// SPDX-License-Identifier: Apache-2.0

/** Text that is markup already. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = string | number | Html | readonly Html[];

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** For element text and quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (c) => entities[c]!).replaceAll("\0", "");

const partText = (part: Part): string => {
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map((p) => p.text).join("");
  return escapeHtml(String(part));
};

/** Markup with its parts escaped, except those that are Html. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const text = strings.map((s, i) => s + (i < parts.length ? partText(parts[i]!) : ""));
  return new Html(text.join(""));
}

export const nothing = new Html("");
