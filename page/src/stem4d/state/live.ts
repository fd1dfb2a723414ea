// The page's one connection, as signals.
// SPDX-License-Identifier: Apache-2.0
import { batch, signal } from "@preact/signals";
import { Connection, type Phase, type Surroundings } from "../../shell/protocol/connection";
import type { Hello, Request, ServerMessage } from "../protocol/messages";
import type { Counters, Listener } from "../../shell/protocol/slots";
import { noCounters } from "../../shell/protocol/slots";
import { complain } from "../../shell/notices";

export const phase = signal<Phase>({ kind: "connecting" });

/** So many detectors the server takes in one request. */
export const mostDetectors = signal(16);

type Unasked = Exclude<ServerMessage, Hello>;
const greeted: ((hello: Hello) => void)[] = [];
const heard: ((message: Unasked) => void)[] = [];
let connection: Connection | null = null;

/** Calls back on every hello; also those after a reconnection. */
export const onHello = (call: (hello: Hello) => void): void => void greeted.push(call);
/** Calls back on what the server says without being asked. */
export const onMessage = (call: (message: Unasked) => void): void => void heard.push(call);

/** Connects; a connection that was there before is closed. */
export function connect(around: Surroundings): void {
  connection?.stop();
  connection = new Connection(around, {
    phase: (now) => (phase.value = now),
    hello: (hello) =>
      batch(() => {
        mostDetectors.value = Math.max(1, hello.maxDetectors);
        greeted.forEach((call) => call(hello));
      }),
    message: (message) => {
      if (message.op === "error") complain(message.message);
      batch(() => heard.forEach((call) => call(message)));
    },
    malformed: (problem) => complain(`The server sent what this page cannot read: ${problem}.`),
  });
  connection.start();
}

export function ask(slot: string, body: Request, listener: Listener): void {
  connection?.ask(slot, body, listener);
}

export function tell(body: Request): void {
  connection?.tell(body);
}

export function drop(slot: string): void {
  connection?.drop(slot);
}

export const isBusy = (slot: string): boolean => connection?.busy(slot) ?? false;
export const isIdle = (): boolean => connection?.idle() ?? true;
export const counters = (): Counters => connection?.counters ?? noCounters();
