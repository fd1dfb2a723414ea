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

test("reads structures, their lines and histograms", () => {
  const greeting = JSON.parse(hello()) as Fields;
  const structure = { id: "s1", name: "a", type: "PTV", volume_cm3: null, why: "" };
  const decoded = decode(JSON.stringify({ ...greeting, structures: [structure] }));
  if (!decoded.ok || decoded.kind !== "hello") throw new Error("no hello");
  expect(decoded.message.structures).toEqual([{ id: "s1", name: "a", type: "PTV", volume: null, why: "" }]);
  expect(problem(JSON.stringify({ ...greeting, structures: [{ name: "a" }] }))).not.toBe("");

  const doubles = (name: string, shape: number[], ...values: number[]) => ({
    ...{ name, dtype: "float64" as const, shape, values: Float64Array.from(values) },
  });
  const lines = (...counts: number[]) =>
    encodeBinary({ op: "outlines", id: 1, slot: "s" }, [
      doubles("lines", [counts.length, 2], ...counts.flatMap((n) => [0, n])),
      doubles("points", [2, 2], 1, 2, 3, 4),
    ]);
  const outlines = decode(lines(2));
  if (!outlines.ok || outlines.kind !== "answer" || outlines.message.op !== "outlines") throw new Error("none");
  expect(outlines.message.lines).toEqual([{ structure: 0, points: 2 }]);
  expect(problem(lines(2, 1))).toContain("other points");
  const numbers = { volume_cm3: 2, inside_cm3: 1, least: 0, mean: 1, most: 2, d98: 0, d95: 0, d50: 1, d2: 2 };
  const histogram = (parts: number) =>
    encodeBinary({ op: "histogram", id: 1, slot: "s", ...numbers }, [
      doubles("doses", [2], 0, 2),
      doubles("parts", [parts], ...Array<number>(parts).fill(1)),
    ]);
  const some = decode(histogram(2));
  if (!some.ok || some.kind !== "answer") throw new Error("none");
  expect(some.message).toMatchObject({ volume: 2, inside: 1, d2: 2 });
  expect(problem(histogram(3))).toContain("other doses");
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
