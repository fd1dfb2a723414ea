// How long things take from the pointer's event until they are drawn, per slot.
// SPDX-License-Identifier: Apache-2.0
import { batch } from "@preact/signals";

const KEPT = 2000;
const latencies = new Map<string, number[]>();
const counts = new Map<string, number>();
let eventTime: number | null = null;

/** Does what an event asks for; requests made meanwhile count from this moment. */
export function during<T>(work: () => T): T {
  const outer = eventTime;
  eventTime ??= performance.now();
  try {
    return batch(work);
  } finally {
    eventTime = outer;
  }
}

/** performance.now() of the event being handled, or of now. */
export function since(): number {
  return eventTime ?? performance.now();
}

/** What was asked for at `from` has been drawn. */
export function drawn(slot: string, from: number): void {
  const list = latencies.get(slot) ?? [];
  list.push(performance.now() - from);
  if (list.length > KEPT) list.shift();
  latencies.set(slot, list);
  counts.set(slot, (counts.get(slot) ?? 0) + 1);
}

/** Milliseconds from event to drawn, oldest first, per slot. */
export function drawLatencies(): Record<string, number[]> {
  return Object.fromEntries([...latencies].map(([slot, list]) => [slot, [...list]]));
}

/** Images drawn so far, per slot. */
export function drawCounts(): Record<string, number> {
  return Object.fromEntries(counts);
}

export function forgetTimes(): void {
  latencies.clear();
  counts.clear();
}
