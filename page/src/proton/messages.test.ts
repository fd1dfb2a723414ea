// Tests of what the page takes from the server, and what it does not.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import type { Fields } from "../shell/protocol/check";
import { decode as decodeOf } from "../shell/protocol/decode";
import { encodeBinary } from "../shell/protocol/encode";
import { dialect } from "./messages";
import { volume } from "./test_volumes";

const decode = (data: unknown) => decodeOf(data, dialect);
const problem = (data: unknown): string => {
  const decoded = decode(data);
  return decoded.ok ? "" : decoded.problem;
};
const { mostAt, notFinite, ...same } = volume();
const told: Fields = { ...same, most_at: mostAt, not_finite: notFinite };
const hello = (changes: Fields = {}): string =>
  JSON.stringify({
    op: "hello",
    protocol: 1,
    version: "1",
    volumes: [{ ...told, ...changes }],
    notes: ["n"],
  });

test("reads a hello", () => {
  const decoded = decode(hello());
  if (!decoded.ok || decoded.kind !== "hello") throw new Error("no hello");
  expect(decoded.message.volumes).toEqual([volume()]);
  expect(problem(hello({ least: null, most: null }))).toBe("");
});

test("does not take volumes that have no shape", () => {
  for (const wrong of [
    { sides: [6, 5] },
    { sides: [6] },
    { sides: [0, 5, 4] },
    { spacing: [0, 1, 1] },
    { spacing: [2, 2] },
    { lies: "straight" },
    { kind: 7 },
    { most: "50" },
    { origin: [0, 0, null] },
  ])
    expect(problem(hello(wrong)), JSON.stringify(wrong)).not.toBe("");
});

test("reads planes and profiles", () => {
  const plane = decode(
    encodeBinary({ op: "plane", id: 1, slot: "s" }, [
      { name: "values", dtype: "float32", shape: [1, 2], values: Float32Array.of(1, NaN) },
    ]),
  );
  if (!plane.ok || plane.kind !== "answer" || plane.message.op !== "plane") throw new Error("none");
  expect(plane.message.raster).toMatchObject({ rows: 1, cols: 2 });
  const arrays = (count: number) => [
    { name: "positions", dtype: "float64" as const, shape: [2], values: Float64Array.of(0, 0.1) },
    {
      name: "values",
      dtype: "float32" as const,
      shape: [2, count],
      values: new Float32Array(2 * count).map((_, i) => i),
    },
  ];
  const line = decode(encodeBinary({ op: "profile", id: 1, slot: "s" }, arrays(2)));
  if (!line.ok || line.kind !== "answer" || line.message.op !== "profile") throw new Error("none");
  expect([...line.message.positions]).toEqual([0, 0.1]);
  expect(line.message.values.map((v) => [...v])).toEqual([
    [0, 1],
    [2, 3],
  ]);
  expect(problem(encodeBinary({ op: "profile", id: 1, slot: "s" }, arrays(3)))).toContain("positions");
  expect(problem(encodeBinary({ op: "plane", id: 1, slot: "s" }, []))).toContain("two axes");
});

test("reads differences, also of volumes that have nothing in common", () => {
  const of = (more: Fields) => decode(JSON.stringify({ op: "difference", id: 1, slot: "s", ...more }));
  const some = of({
    points: 5,
    mean: 0.1,
    mean_size: 0.2,
    least: -1,
    least_at: [1, 2, 3],
    most: 2,
    most_at: [4, 5, 6],
  });
  if (!some.ok || some.kind !== "answer") throw new Error("none");
  expect(some.message).toMatchObject({ meanSize: 0.2, leastAt: [1, 2, 3], most: 2 });
  expect(of({ points: 0 }).ok).toBe(true);
  expect(of({ points: 3 }).ok).toBe(false);
  expect(of({}).ok).toBe(false);
});
