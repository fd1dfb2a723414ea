// What the side column says when something cannot be had.
// SPDX-License-Identifier: Apache-2.0
import { render } from "preact";
import { afterEach, beforeEach, expect, it } from "vitest";
import { notices } from "../shell/notices";
import { IsodoseSection } from "./isodose_section";
import { VolumesSection } from "./sections";
import * as state from "./state";
import { ct, volume } from "./test_volumes";
import type { Volume } from "./types";

const page = document.createElement("div");
const greet = (...volumes: Volume[]): boolean =>
  state.greet({ op: "hello", protocol: 1, version: "", volumes, structures: [], notes: [] });
beforeEach(() => {
  greet();
  notices.value = [];
});
afterEach(() => render(null, page));

it("says why there is no difference, whatever the two are", () => {
  for (const other of [ct(), volume({ id: "v2", unit: "" }), volume({ id: "v2", kind: "other", unit: "%" })]) {
    greet(volume(), other);
    render(<VolumesSection />, page);
    expect(page.textContent).toContain("No difference: dose.mha is in Gy");
  }
  greet(volume(), volume({ id: "v2", kind: "other", least: -1 }));
  render(<VolumesSection />, page);
  expect(page.textContent).toContain("Show base − overlay");
});

it("says how many levels there may be, and keeps those that are", () => {
  greet(volume());
  render(<IsodoseSection />, page);
  const before = state.levels.value;
  const field = page.querySelector<HTMLInputElement>('input[type="text"]')!;
  field.value = "9,8,7,6,5,4,3,2,1";
  field.dispatchEvent(new Event("change", { bubbles: true }));
  expect(state.levels.value).toBe(before);
  expect(field.value).toBe(before.join(", "));
  expect(notices.value.map(({ text }) => text).join()).toContain("up to 8 numbers");
});
