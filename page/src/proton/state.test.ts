// What is shown at the beginning, how it changes, and that a link shows it again.
// SPDX-License-Identifier: Apache-2.0
import { beforeEach, expect, it } from "vitest";
import { applyFields, fieldsOf } from "./address";
import { parseHash, hashText } from "../shell/hash";
import { columnsOf } from "./profiles";
import * as state from "./state";
import { ct, run, volume } from "./test_volumes";
import type { Volume } from "./types";

const greet = (...volumes: Volume[]): boolean =>
  state.greet({ op: "hello", protocol: 1, version: "", volumes, structures: [], notes: [] });

beforeEach(() => {
  greet();
  state.threshold.value = 10;
});

it("lays the second volume over the first, with the crosshair where the dose is highest", () => {
  expect(greet(ct(), volume())).toBe(true);
  expect(state.base.value?.name).toBe("ct.mha");
  expect(state.over.value?.name).toBe("dose.mha");
  expect(state.subject.value?.name).toBe("dose.mha");
  expect(state.place.value).toEqual([5, 4, 9]);
  expect(state.filled.value).toBe(true);
  expect(state.reference.value).toBe(50);
  expect(state.mayDiffer.value).toBe(false);
});

it("begins with the dose of a run alone, along the depth", () => {
  greet(run(), run({ id: "v2", name: "let.npy", unit: "keV/um" }));
  expect(state.over.value).toBeNull();
  expect(state.profileAxis.value).toBe(1);
  expect(state.place.value).toEqual([0.25, 7.5, 0]);
  expect(state.together.value).toHaveLength(2);
});

it("shows of a second dose the lines alone, and lets it be subtracted", () => {
  greet(volume(), volume({ id: "v2", name: "other.mha" }));
  expect(state.filled.value).toBe(false);
  expect(state.difference.value).toBe(false);
  state.setDifference(true);
  expect(state.difference.value).toBe(true);
  state.chooseOver("");
  expect(state.difference.value).toBe(false);
});

it("does not lay over each other what lies in no common space", () => {
  greet(ct(), volume({ lies: "turned" }));
  expect(state.over.value).toBeNull();
  state.chooseOver("v1");
  expect(state.over.value).toBeNull();
});

it("swaps base and overlay, and steps stay inside", () => {
  greet(ct(), volume());
  state.chooseBase("v1");
  expect([state.base.value?.id, state.over.value?.id]).toEqual(["v1", "v2"]);
  state.step(2, 99);
  expect(state.place.value[2]).toBe(9);
  state.step(2, -1);
  expect(state.place.value[2]).toBe(6);
});

it("forgets a typed reference when it is of another volume", () => {
  const let2 = volume({ id: "v3", name: "let.mha", unit: "keV/um", most: 9 });
  greet(ct(), volume(), let2);
  state.typedReference.value = 42;
  state.chooseOver("v1");
  expect(state.typedReference.value).toBe(42);
  // Of the base alone: swapped under a CT the dose stays the subject.
  state.chooseBase("v1");
  expect([state.subject.value?.id, state.reference.value]).toEqual(["v1", 42]);
  state.chooseBase("v3");
  expect(state.subject.value?.id).toBe("v3");
  expect(state.reference.value).toBe(9);
  greet(volume(), volume({ id: "v2" }), volume({ id: "v3", lies: "turned" }));
  state.typedReference.value = 42;
  state.chooseBase("v3");
  expect([state.over.value, state.typedReference.value]).toEqual([null, null]);
});

it("colours a dose that gets over a CT by a change of the base", () => {
  greet(volume(), volume({ id: "v3" }), ct());
  expect(state.filled.value).toBe(false);
  state.chooseBase("v2");
  expect([state.over.value?.id, state.filled.value]).toEqual(["v3", true]);
});

it("draws isodoses of the dose below a CT, and all of the CT", () => {
  greet(volume(), ct());
  expect([state.over.value?.id, state.subject.value?.id]).toEqual(["v2", "v1"]);
  expect([state.reference.value, state.drawnFrom.value]).toEqual([50, 0]);
  greet(ct(), ct({ id: "v3" }));
  expect(state.subject.value).toBeNull();
});

it("draws an overlay from a part of its largest value on, whatever its sign", () => {
  greet(ct(), volume({ kind: "other", least: -80, most: 20 }));
  expect(state.drawnFrom.value).toBe(8);
  state.typedReference.value = 10;
  expect(state.drawnFrom.value).toBe(1);
  expect(state.limitsFor(state.over.value!)).toEqual({ low: -80, high: 80 });
});

it("stays as it is when the same server comes back", () => {
  greet(ct(), volume());
  state.goTo([0, 0, 3]);
  expect(greet(ct(), volume())).toBe(false);
  expect(state.place.value).toEqual([0, 0, 3]);
  expect(greet(volume())).toBe(true);
});

it("is shown again by its address", () => {
  greet(ct(), volume());
  state.chooseBase("v1");
  state.goTo([1, 2, 3]);
  state.threshold.value = 25;
  state.levels.value = [80, 20];
  state.typedReference.value = 42;
  state.setLook(volume(), { limits: { low: 1, high: 9 }, map: "hot" });
  const link = hashText(fieldsOf());
  greet();
  state.levels.value = [50];
  state.threshold.value = 10;
  greet(ct(), volume());
  applyFields(parseHash(link));
  expect(hashText(fieldsOf())).toBe(link);
  expect(state.base.value?.id).toBe("v1");
  expect(state.limitsFor(volume())).toEqual({ low: 1, high: 9 });
  state.levels.value = [];
  const none = parseHash(hashText(fieldsOf()));
  state.levels.value = [50];
  applyFields(none);
  expect(state.levels.value).toEqual([]);
  const before = hashText(fieldsOf());
  applyFields({ base: "v9", at: "1,2", opacity: "7", levels: "x", reference: "-1", along: "8" });
  expect(hashText({ ...fieldsOf(), reference: "42" })).toBe(before);
});

it("has a column for every volume of a profile", () => {
  const answer = {
    op: "profile" as const,
    id: 1,
    slot: "s",
    positions: Float64Array.of(0, 1),
    values: [Float32Array.of(1, 2), Float32Array.of(3, 4)],
  };
  const line = { through: [0, 0, 0] as const, volumes: ["v1", "v2"], answer };
  expect(Object.keys(columnsOf(line, [volume(), ct()], "depth", "mm"))).toEqual([
    "depth (mm)",
    "dose.mha (Gy)",
    "ct.mha (HU)",
  ]);
  const twins = [volume(), volume({ id: "v2" })];
  expect(Object.keys(columnsOf(line, twins, "x", "mm"))).toHaveLength(3);
});
