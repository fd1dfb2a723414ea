// The colours of panels: what is read on them has a contrast of 4.5 at least (WCAG 2.1, 1.4.3).
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { contrast, styleOf, themeOf } from "../shell/frame/contrast";

describe.each([
  ["light", ":root"],
  ["dark", ':root[data-theme="dark"]'],
])("in the %s theme", (_, selector) => {
  it("words on a panel can be read", () => {
    const words = /\.empty {[^}]*color: (#\w{6})/.exec(styleOf("stem4d/panels.css"))?.[1];
    const ground = themeOf(selector).get("panel-background");
    expect(contrast(words!, ground!)).toBeGreaterThanOrEqual(4.5);
  });
});
