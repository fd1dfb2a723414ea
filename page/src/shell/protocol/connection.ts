// The connection to the server: opens, reconnects, and hands messages to whom they concern.
// SPDX-License-Identifier: Apache-2.0
import { decode } from "./decode";
import { type Dialect, type Failure, PROTOCOL_VERSION, type Words } from "./messages";
import { type Counters, type Listener, Slots } from "./slots";

/** A way to the server. Of a WebSocket it is what is used; a notebook's comm has the same face. */
export interface Socket {
  binaryType: string;
  /** Texts, ArrayBuffers and Parts. */
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  send(data: string): void;
  close(): void;
}

/** How the connection is; `text` is for the user, and `advice` where the way has its own. */
export type Phase =
  | { kind: "connecting" }
  | { kind: "open" }
  | { kind: "lost"; text: string; retryIn: number; advice?: string }
  | { kind: "refused"; text: string; advice?: string }
  | { kind: "mismatch"; text: string };

/** What is said of a way that is down. */
export interface WayTexts {
  readonly gone: string;
  readonly refused: string;
  readonly advice: string;
}

export interface Surroundings {
  open(): Socket;
  /** Why no socket opens: "token" (403), or "gone" (nobody answers). */
  probe(): Promise<"token" | "gone">;
  now(): number;
  after(milliseconds: number, call: () => void): void;
  /** Where it is no WebSocket. */
  readonly texts?: WayTexts;
}

/** What comes without being asked. */
export type Unasked<W extends Words> = W["news"] | W["progress"];

export interface Events<W extends Words> {
  phase(phase: Phase): void;
  hello(hello: W["hello"]): void;
  message(message: Unasked<W>): void;
  /** Errors that nobody listens to. */
  error(failure: Failure): void;
  malformed(problem: string): void;
}

const FIRST_RETRY = 500;
const LONGEST_RETRY = 8000;
const REFUSED_TEXT =
  "The server refused this address: its token is wrong or from an earlier start.";
const CLOSE_TEXTS: Record<number, string> = {
  1007: "The server closed the connection: it could not read a request.",
  1008: "The server closed the connection: too many requests were wrong.",
  1009: "The server closed the connection: a request was too long.",
};

/** One page's connection; what is asked while it is down fails at once. */
export class Connection<W extends Words> {
  private readonly slots: Slots<W>;
  private socket: Socket | null = null;
  private greeted = false;
  private failures = 0;
  private ended = false;

  constructor(
    private readonly around: Surroundings,
    private readonly dialect: Dialect<W>,
    private readonly events: Events<W>,
  ) {
    this.slots = new Slots((message) => this.put(message), around.now, dialect.patience);
    this.around.after(1000, () => this.tick());
  }

  get counters(): Counters {
    return this.slots.counters;
  }

  /** Asks in a slot: at most one request is in flight there, and only the newest waits. */
  ask(slot: string, body: W["request"], listener: Listener<W>): void {
    this.slots.ask(slot, body, listener);
  }

  /** Sends a request, as to load or to cancel, whose answer nobody waits for. */
  tell(body: W["request"], slot?: string): void {
    this.slots.tell(body, slot);
  }

  /** Forgets a slot and what was asked in it. */
  drop(slot: string): void {
    this.slots.drop(slot);
  }

  idle(): boolean {
    return this.slots.idle();
  }

  busy(slot: string): boolean {
    return this.slots.busy(slot);
  }

  start(): void {
    this.events.phase({ kind: "connecting" });
    const socket = this.around.open();
    this.socket = socket;
    this.greeted = false;
    socket.binaryType = "arraybuffer";
    socket.onmessage = (event) => {
      if (socket === this.socket) this.receive(event.data);
    };
    socket.onclose = (event) => {
      if (socket === this.socket) void this.lost(event.code);
    };
  }

  /** Closes for good. */
  stop(): void {
    this.ended = true;
    this.socket?.close();
    this.socket = null;
  }

  private put(message: object): boolean {
    if (!this.socket || !this.greeted) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  private receive(data: unknown): void {
    const decoded = decode(data, this.dialect);
    if (!decoded.ok) {
      this.slots.counters.malformed++;
      this.events.malformed(decoded.problem);
      return;
    }
    switch (decoded.kind) {
      case "hello":
        this.greet(decoded.message);
        return;
      case "progress":
        this.slots.progressed(decoded.message);
        this.events.message(decoded.message);
        return;
      case "news":
        this.events.message(decoded.message);
        return;
      case "error":
        if (!this.slots.fail(decoded.message)) this.events.error(decoded.message);
        return;
      case "answer":
        this.slots.answer(decoded.message);
    }
  }

  private greet(hello: W["hello"]): void {
    if (hello.protocol !== PROTOCOL_VERSION) {
      const text =
        `This page speaks version ${PROTOCOL_VERSION} of the protocol, the server version ` +
        `${hello.protocol}. Reload the page.`;
      this.stop();
      this.events.phase({ kind: "mismatch", text });
      return;
    }
    if (this.failures > 0) this.slots.counters.reconnects++;
    this.failures = 0;
    this.greeted = true;
    this.events.phase({ kind: "open" });
    this.events.hello(hello);
  }

  private async lost(code: number): Promise<void> {
    this.socket = null;
    if (this.ended) return;
    this.failures++;
    const wasGreeted = this.greeted;
    this.greeted = false;
    this.slots.abandon("The connection to the server was lost.");
    const { texts } = this.around;
    const advice = texts && { advice: texts.advice };
    if (!wasGreeted && (await this.around.probe()) === "token") {
      this.events.phase({ kind: "refused", text: texts?.refused ?? REFUSED_TEXT, ...advice });
      return;
    }
    const retryIn = Math.min(LONGEST_RETRY, FIRST_RETRY * 2 ** (this.failures - 1));
    const text = CLOSE_TEXTS[code] ?? texts?.gone ?? "The server does not answer.";
    this.events.phase({ kind: "lost", text, retryIn, ...advice });
    this.around.after(retryIn, () => {
      if (!this.ended && !this.socket) this.start();
    });
  }

  private tick(): void {
    if (this.ended) return;
    this.slots.expire();
    this.around.after(1000, () => this.tick());
  }
}
