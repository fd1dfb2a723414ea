// Pacing: per slot one request in flight and the newest that waits; older ones are forgotten.
// SPDX-License-Identifier: Apache-2.0
import type { Failure, Words } from "./messages";

/** Who is told about the answers to a request; `answered` may come twice (coarse, then sharp). */
export interface Listener<W extends Words> {
  answered(answer: W["answer"]): void;
  progress?(progress: W["progress"]): void;
  failed?(failure: Failure): void;
  /** It may wait for as long as the connection holds: for something that need not happen. */
  patient?: boolean;
}

interface Entry<W extends Words> {
  id: number;
  body: W["request"];
  listener: Listener<W>;
  /** performance.now() when it was asked for. */
  since: number;
}

interface Slot<W extends Words> {
  inFlight: Entry<W> | null;
  /** Answered once; a sharper answer may still come. */
  open: Entry<W> | null;
  waiting: Entry<W> | null;
  sentAt: number;
}

export interface Counters {
  sent: number;
  /** Forgotten by the page because something newer was asked for. */
  replaced: number;
  /** Replaced by the server. */
  dropped: number;
  answers: number;
  /** Answers to what nobody waits for any more. */
  stale: number;
  malformed: number;
  timeouts: number;
  reconnects: number;
  /** Milliseconds from the request to its first answer; the newest 1000. */
  latencies: number[];
}

const KEPT_LATENCIES = 1000;

export function noCounters(): Counters {
  return {
    sent: 0,
    replaced: 0,
    dropped: 0,
    answers: 0,
    stale: 0,
    malformed: 0,
    timeouts: 0,
    reconnects: 0,
    latencies: [],
  };
}

/** The slots of one connection; `send` puts a message on the wire and says whether it could. */
export class Slots<W extends Words> {
  readonly counters: Counters = noCounters();
  private readonly slots = new Map<string, Slot<W>>();
  private lastId = 0;

  constructor(
    private readonly send: (message: object) => boolean,
    private readonly now: () => number,
    /** Milliseconds without any answer after which a request counts as lost. */
    private readonly patience: number,
  ) {}

  /** Asks in a slot; what waited there is forgotten. */
  ask(name: string, body: W["request"], listener: Listener<W>): void {
    const slot = this.slot(name);
    const entry: Entry<W> = { id: ++this.lastId, body, listener, since: this.now() };
    if (slot.waiting) this.counters.replaced++;
    slot.waiting = entry;
    this.pump(name, slot);
  }

  /** Forgets a slot: nothing of it is asked for again, and its answers are not heard. */
  drop(name: string): void {
    this.slots.delete(name);
  }

  answer(answer: W["answer"]): void {
    this.counters.answers++;
    this.counters.dropped = Math.max(this.counters.dropped, answer.dropped ?? 0);
    const slot = this.slots.get(answer.slot);
    const entry = [slot?.inFlight, slot?.open].find((one) => one?.id === answer.id);
    if (!slot || !entry) {
      this.counters.stale++;
      return;
    }
    if (entry === slot.inFlight) {
      slot.inFlight = null;
      slot.open = entry;
      this.counters.latencies.push(this.now() - entry.since);
      if (this.counters.latencies.length > KEPT_LATENCIES) this.counters.latencies.shift();
    }
    this.pump(answer.slot, slot);
    if (slot.open !== entry) {
      this.counters.stale++;
      return;
    }
    // The sharp answer is the last one.
    if ((answer.step ?? 1) <= 1) slot.open = null;
    entry.listener.answered(answer);
  }

  /** A slot's request is being worked on: its time starts anew. */
  progressed(progress: W["progress"]): void {
    const slot = progress.slot === null ? undefined : this.slots.get(progress.slot);
    if (!slot) return;
    slot.sentAt = this.now();
    const entry = slot.inFlight ?? slot.open;
    if (entry && (progress.id ?? entry.id) === entry.id) entry.listener.progress?.(progress);
  }

  /** Sends what is not answered. */
  tell(body: W["request"], slot = "tell"): void {
    this.send({ ...body, id: ++this.lastId, slot });
  }

  /** Hands a failure to who asked; false when no request of this page failed. */
  fail(failure: Failure): boolean {
    const slot = failure.slot === null ? undefined : this.slots.get(failure.slot);
    if (!slot || failure.slot === null) return false;
    const entry = [slot.inFlight, slot.open].find((one) => one?.id === failure.id);
    if (!entry) return false;
    if (entry === slot.inFlight) slot.inFlight = null;
    else slot.open = null;
    this.pump(failure.slot, slot);
    entry.listener.failed?.(failure);
    return entry.listener.failed !== undefined;
  }

  /** Gives up on requests after `patience`, and on sharper answers that never come. */
  expire(): void {
    for (const [name, slot] of this.slots) {
      const entry = slot.inFlight ?? slot.open;
      if (!entry || entry.listener.patient || this.now() - slot.sentAt < this.patience) continue;
      const code = slot.inFlight ? "timeout" : "unfinished";
      if (slot.inFlight) this.counters.timeouts++;
      slot.inFlight = null;
      slot.open = null;
      this.pump(name, slot);
      const message = `The server gave no answer for ${this.patience / 1000} s.`;
      entry.listener.failed?.({ op: "error", id: entry.id, slot: name, message, code });
    }
  }

  /** The connection is gone: nothing is answered any more, and who asked is told. Another server
   *  may mean other data by the same names, so no request outlives its connection. */
  abandon(message: string): void {
    const all = [...this.slots];
    this.slots.clear();
    for (const [slot, { inFlight, open, waiting }] of all)
      for (const entry of [inFlight, open, waiting])
        entry?.listener.failed?.({ op: "error", id: entry.id, slot, message, code: "lost" });
  }

  /** True when no request waits or is in flight, but for those that may wait for ever. */
  idle(): boolean {
    return [...this.slots.values()].every(
      (slot) => (!slot.inFlight || slot.inFlight.listener.patient) && !slot.waiting,
    );
  }

  busy(name: string): boolean {
    const slot = this.slots.get(name);
    return slot !== undefined && (slot.inFlight !== null || slot.waiting !== null);
  }

  private slot(name: string): Slot<W> {
    let slot = this.slots.get(name);
    if (!slot) {
      slot = { inFlight: null, open: null, waiting: null, sentAt: 0 };
      this.slots.set(name, slot);
    }
    return slot;
  }

  private pump(name: string, slot: Slot<W>): void {
    const entry = slot.waiting;
    if (!entry || slot.inFlight) return;
    // Before it is sent: the answer may come at once.
    slot.waiting = null;
    slot.inFlight = entry;
    slot.sentAt = this.now();
    if (this.send({ ...entry.body, id: entry.id, slot: name })) {
      this.counters.sent++;
      return;
    }
    this.slots.delete(name);
    const message = "There is no connection to the server.";
    entry.listener.failed?.({ op: "error", id: entry.id, slot: name, message, code: "lost" });
  }
}
