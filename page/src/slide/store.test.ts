// Tests of asking for tiles: few at a time, the wanted first, nothing that left the view.
// SPDX-License-Identifier: Apache-2.0
import { beforeEach, expect, test } from "vitest";
import type { Failure } from "../shell/protocol/messages";
import { Slots } from "../shell/protocol/slots";
import type { WireArray } from "../types";
import type { SlideWords } from "./messages";
import { keyOf, TileStore, type Wanted } from "./store";

interface Sent {
  op: string;
  id: number;
  slot: string;
  col?: number;
}

let sent: Sent[];
let up: boolean;
let changes: number;
let slots: Slots<SlideWords>;
let store: TileStore;

const isSent = (message: object): message is Sent => "op" in message && "slot" in message;
const wanted = (col: number, slide = "s1"): Wanted => ({
  slide,
  plane: { C: 0 },
  cell: { zoom: 0, row: 0, col },
});
const columns = (count: number, from = 0): Wanted[] =>
  Array.from({ length: count }, (_, i) => wanted(from + i));
const pixels = (bytes: number): WireArray => ({
  name: "pixels",
  dtype: "uint8",
  shape: [1, bytes, 1],
  values: new Uint8Array(bytes),
});
const tiles = (): Sent[] => sent.filter(({ op }) => op === "tile");
const answer = ({ id, slot }: Sent, bytes = 100): void =>
  slots.answer({ op: "tile", id, slot, pixels: pixels(bytes), damage: [] });
const failure = (id: number, slot: string, message: string): Failure => ({
  op: "error",
  id,
  slot,
  message,
  code: "",
});

beforeEach(() => {
  sent = [];
  up = true;
  changes = 0;
  const send = (message: object): boolean => {
    if (up && isSent(message)) sent.push(message);
    return up;
  };
  slots = new Slots(send, () => 0, Infinity);
  store = new TileStore(
    slots,
    () => ++changes,
    () => 512,
    1000,
  );
});

test("asks for eight at a time, the first of the list first", () => {
  store.want(columns(20));
  expect(tiles().map(({ col }) => col)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(new Set(tiles().map(({ slot }) => slot)).size).toBe(8);
  answer(tiles()[3]!);
  expect(tiles().at(-1)).toMatchObject({ col: 8, slot: tiles()[3]!.slot });
  expect(store.find(keyOf(wanted(3)))).toMatchObject({ rows: 1, cols: 100 });
  expect(changes).toBe(1);
});

test("stops what left the view and hears no answer to it", () => {
  store.want(columns(8));
  const old = tiles()[0]!;
  store.want(columns(8, 7));
  expect(sent.filter(({ op }) => op === "stop").map(({ slot }) => slot)).toEqual(
    tiles()
      .slice(0, 7)
      .map(({ slot }) => slot),
  );
  answer(old);
  expect(store.find(keyOf(wanted(0)))).toBeUndefined();
  expect(store.counters.stopped).toBe(7);
});

test("does not ask twice, neither for what flies nor for what is there", () => {
  store.want(columns(2));
  store.want(columns(2));
  expect(tiles()).toHaveLength(2);
  tiles().forEach((one) => answer(one));
  store.want(columns(2));
  expect(tiles()).toHaveLength(2);
  expect(store.missing()).toBe(0);
});

test("asks anew after a reconnection, also for what failed", () => {
  store.want(columns(2));
  const [first] = tiles();
  expect(slots.fail(failure(first!.id, first!.slot, "broken"))).toBe(true);
  expect(store.find(keyOf(wanted(0)))?.error).toBe("broken");
  expect(slots.fail(failure(999, first!.slot, "x"))).toBe(false);
  slots.abandon("The connection was lost.");
  sent = [];
  store.resume();
  expect(tiles().map(({ col }) => col)).toEqual([0, 1]);
});

test("takes no other answer for a tile", () => {
  store.want(columns(1));
  const [{ id, slot }] = tiles() as [Sent];
  slots.answer({ op: "pong", id, slot });
  expect(store.find(keyOf(wanted(0)))?.error).toContain("something else");
});

test("asks when there is a connection again", () => {
  up = false;
  store.want(columns(3));
  expect(store.counters.asked).toBe(0);
  up = true;
  store.resume();
  expect(tiles()).toHaveLength(3);
});

test("forgets the least recently wanted, and never what is wanted", () => {
  store.want(columns(4));
  tiles().forEach((one) => answer(one, 300));
  expect(columns(4).filter((one) => store.find(keyOf(one)))).toHaveLength(4);
  store.want([wanted(0), wanted(9)]);
  answer(tiles().at(-1)!, 300);
  const kept = [0, 1, 2, 3, 9].filter((col) => store.find(keyOf(wanted(col))));
  expect(kept).toEqual([0, 3, 9]);
});

test("keys tell slides, planes and cells apart", () => {
  const other = { ...wanted(1), plane: { C: 0, Z: 1 } };
  expect(new Set([wanted(1), wanted(2), wanted(1, "s2"), other].map(keyOf)).size).toBe(4);
  expect(keyOf({ ...wanted(1), plane: { Z: 1, C: 0 } })).toBe(keyOf(other));
});

test("tells how far the slowest read is", () => {
  store.want(columns(2));
  const [a, b] = tiles();
  slots.progressed({ op: "progress", id: a!.id, slot: a!.slot, done: 5, total: 10 });
  slots.progressed({ op: "progress", id: b!.id, slot: b!.slot, done: 2, total: 10 });
  slots.progressed({ op: "progress", id: 12345, slot: b!.slot, done: 0, total: 10 });
  expect(store.slowest()).toEqual({ done: 2, total: 10 });
});
