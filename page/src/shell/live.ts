// The page's one connection, as signals, in the dialect that its domain speaks.
// SPDX-License-Identifier: Apache-2.0
import { batch, signal } from "@preact/signals";
import { complain } from "./notices";
import { Connection, type Phase, type Surroundings, type Unasked } from "./protocol/connection";
import type { Dialect, Words } from "./protocol/messages";
import { type Counters, type Listener, noCounters } from "./protocol/slots";

export const phase = signal<Phase>({ kind: "connecting" });
/** Of Sluice, as the server says. */
export const serverVersion = signal("");

/** The line to a server that speaks a dialect; there is none until `connect`. */
export function live<W extends Words>(dialect: Dialect<W>) {
  const greeted: ((hello: W["hello"]) => void)[] = [];
  const heard: ((message: Unasked<W>) => void)[] = [];
  let connection: Connection<W> | null = null;

  return {
    /** Calls back on every hello; also those after a reconnection. */
    onHello: (call: (hello: W["hello"]) => void): void => void greeted.push(call),
    /** Calls back on what the server says without being asked. */
    onMessage: (call: (message: Unasked<W>) => void): void => void heard.push(call),
    /** Connects; a connection that was there before is closed. */
    connect(around: Surroundings): void {
      connection?.stop();
      connection = new Connection(around, dialect, {
        phase: (now) => (phase.value = now),
        hello: (hello) =>
          batch(() => {
            serverVersion.value = hello.version;
            greeted.forEach((call) => call(hello));
          }),
        message: (message) => batch(() => heard.forEach((call) => call(message))),
        error: ({ message }) => complain(message),
        malformed: (problem) =>
          complain(`The server sent what this page cannot read: ${problem}.`),
      });
      connection.start();
    },
    /** Closes the connection and tries no other one. */
    disconnect: (): void => connection?.stop(),
    ask(slot: string, body: W["request"], listener: Listener<W>): void {
      connection?.ask(slot, body, listener);
    },
    tell(body: W["request"], slot?: string): void {
      connection?.tell(body, slot);
    },
    drop(slot: string): void {
      connection?.drop(slot);
    },
    isBusy: (slot: string): boolean => connection?.busy(slot) ?? false,
    isIdle: (): boolean => connection?.idle() ?? true,
    counters: (): Counters => connection?.counters ?? noCounters(),
  };
}
