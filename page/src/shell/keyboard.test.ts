// Which keys a page takes, and which stay with its elements.
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { takesKey } from "./keyboard";

describe("keys", () => {
  it("stay with the control that uses them", () => {
    document.body.innerHTML =
      '<input id="number" type="number"><input id="check" type="checkbox"><select id="list">' +
      '</select><button id="push"></button><div id="panel" tabindex="0"></div>' +
      '<dialog><button id="inside"></button></dialog>';
    const takes = (id: string, key: string): boolean => takesKey(document.getElementById(id), key);
    expect(takes("number", "ArrowUp")).toBe(true);
    expect(takes("check", " ")).toBe(true);
    expect(takes("check", "[")).toBe(false);
    expect(takes("list", "ArrowDown")).toBe(true);
    expect(takes("push", " ")).toBe(true);
    expect(takes("push", "ArrowUp")).toBe(false);
    expect(takes("panel", " ")).toBe(false);
    expect(takes("inside", "?")).toBe(true);
    expect(takesKey(null, " ")).toBe(false);
  });
});
