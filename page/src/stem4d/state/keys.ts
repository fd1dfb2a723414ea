// Keys of requests: equal for equal answers, and different as soon as the data may differ.
// SPDX-License-Identifier: Apache-2.0
import { signal } from "@preact/signals";
import type { Request } from "../protocol/messages";
import type { Dataset } from "../types";
import { datasets } from "./datasets";
import { onHello } from "./live";

/** Requests whose answers are arrays. */
export type Query = Extract<
  Request,
  { op: "image" | "frame" | "region" | "pattern" | "disks" | "strain" | "orientation" | "match" }
>;

/** Greetings so far: a server that was started anew may mean other files by the same names. */
const greetings = signal(0);
onHello(() => greetings.value++);

/** The data of a dataset as it was read: another one after it is read again. */
export function identity(of: Dataset): string {
  return `${greetings.value} ${of.id} ${of.read}`;
}

const WHOLE: ReadonlySet<Query["op"]> = new Set(["frame", "disks", "strain", "orientation", "match"]);

/** How complete answers about a dataset are, as part of a key. */
function extent(of: Dataset, query: Query): readonly unknown[] {
  // What is not in memory is read from the files, also a single frame.
  const fromFiles = of.state !== "ready" && of.changed;
  const comes = of.state === "live";
  // These are of all scan points from the start.
  if (WHOLE.has(query.op)) return [fromFiles, comes];
  return [of.step, of.state === "streaming", fromFiles, comes];
}

export function keyOf(query: Query): string {
  const of = datasets.value.find((one) => one.id === query.dataset);
  return JSON.stringify([query, of ? [identity(of), ...extent(of, query)] : null]);
}

/** Whether a sharper answer follows by itself, or when it is asked for again. */
export function moreToCome(id: string, step: number): boolean {
  const of = datasets.value.find((one) => one.id === id);
  return step > 1 && of?.state === "streaming";
}
