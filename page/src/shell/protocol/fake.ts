// The server's end of a connection in memory, for the unit tests of the pages.
// SPDX-License-Identifier: Apache-2.0
import type { Phase, Socket, Surroundings } from "./connection";
import { type Failure, PROTOCOL_VERSION } from "./messages";

/** A request as it came. */
export interface Asked {
  op: string;
  id: number;
  slot: string;
}

/** One end of fake sockets, and the clock of the other; what it answers is the domain's. */
export abstract class FakePeer<A extends Asked> {
  readonly received: A[] = [];
  readonly sockets: Socket[] = [];
  protocol = PROTOCOL_VERSION;
  /** Answers at once; otherwise the test calls `answer`. */
  eager = true;
  probeResult: "token" | "gone" = "gone";
  time = 0;
  private timers: { at: number; call: () => void }[] = [];

  /** The domain's fields of a hello. */
  protected abstract hello(): object;
  /** Answers a request the way the server would. */
  abstract answer(asked: A, step?: number): void;

  /** Moves the clock, and calls what is due. */
  advance(milliseconds: number): void {
    const end = this.time + milliseconds;
    for (;;) {
      this.timers.sort((a, b) => a.at - b.at);
      const next = this.timers[0];
      if (!next || next.at > end) break;
      this.timers.shift();
      this.time = next.at;
      next.call();
    }
    this.time = end;
  }

  surroundings(): Surroundings {
    return {
      open: () => this.connect(),
      probe: () => Promise.resolve(this.probeResult),
      now: () => this.time,
      after: (milliseconds, call) => void this.timers.push({ at: this.time + milliseconds, call }),
    };
  }

  /** Sends bytes or text as they are, also wrong ones. */
  push(data: unknown): void {
    this.sockets.at(-1)?.onmessage?.({ data });
  }

  say(message: object): void {
    this.push(JSON.stringify(message));
  }

  greet(): void {
    this.say({ op: "hello", protocol: this.protocol, version: "0", ...this.hello() });
  }

  disconnect(code = 1006): void {
    this.sockets.at(-1)?.onclose?.({ code, reason: "" });
  }

  private connect(): Socket {
    const socket: Socket = {
      binaryType: "",
      onmessage: null,
      onclose: null,
      send: (data) => {
        const asked: A = JSON.parse(data);
        this.received.push(asked);
        if (this.eager) this.answer(asked);
      },
      close: () => undefined,
    };
    this.sockets.push(socket);
    return socket;
  }
}

/** Collects what a connection tells. */
export class Heard {
  readonly phases: Phase[] = [];
  readonly problems: string[] = [];
  readonly messages: { op: string }[] = [];
  hellos = 0;

  phase(phase: Phase): void {
    this.phases.push(phase);
  }

  hello(): void {
    this.hellos++;
  }

  message(message: { op: string }): void {
    this.messages.push(message);
  }

  error(failure: Failure): void {
    this.messages.push(failure);
  }

  malformed(problem: string): void {
    this.problems.push(problem);
  }
}
