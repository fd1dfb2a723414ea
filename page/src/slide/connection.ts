// The connection to the server of slides: opens, reconnects, sends, and hands messages on.
// SPDX-License-Identifier: Apache-2.0
import type { Phase, Socket, Surroundings } from "../shell/protocol/connection";
import { decode, type Hello, type Message, PROTOCOL_VERSION } from "./messages";

export interface Events {
  phase(phase: Phase): void;
  hello(hello: Hello): void;
  message(message: Exclude<Message, Hello>): void;
  malformed(problem: string): void;
}

const FIRST_RETRY = 500;
const LONGEST_RETRY = 8000;

export class SlideConnection {
  private socket: Socket | null = null;
  private greeted = false;
  private failures = 0;
  private ended = false;

  constructor(
    private readonly around: Surroundings,
    private readonly events: Events,
  ) {}

  start(): void {
    this.events.phase({ kind: "connecting" });
    const socket = this.around.open();
    this.socket = socket;
    this.greeted = false;
    socket.onmessage = (event) => {
      if (socket === this.socket) this.receive(event.data);
    };
    socket.onclose = () => {
      if (socket === this.socket) void this.lost();
    };
  }

  /** False: there is no connection now. */
  send(message: object): boolean {
    if (!this.socket || !this.greeted) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Closes for good. */
  stop(): void {
    this.ended = true;
    this.socket?.close();
    this.socket = null;
  }

  private receive(data: unknown): void {
    const decoded = decode(data);
    if (!decoded.ok) this.events.malformed(decoded.problem);
    else if (decoded.message.op === "hello") this.greet(decoded.message);
    else this.events.message(decoded.message);
  }

  private greet(hello: Hello): void {
    if (hello.protocol !== PROTOCOL_VERSION) {
      const text =
        `This page speaks version ${PROTOCOL_VERSION} of the protocol, the server version ` +
        `${hello.protocol}. Reload the page.`;
      this.stop();
      this.events.phase({ kind: "mismatch", text });
      return;
    }
    this.failures = 0;
    this.greeted = true;
    this.events.phase({ kind: "open" });
    this.events.hello(hello);
  }

  private async lost(): Promise<void> {
    this.socket = null;
    if (this.ended) return;
    this.failures++;
    const wasGreeted = this.greeted;
    this.greeted = false;
    if (!wasGreeted && (await this.around.probe()) === "token") {
      const text = "The server refused this address: its token is wrong or from an earlier start.";
      this.events.phase({ kind: "refused", text });
      return;
    }
    const retryIn = Math.min(LONGEST_RETRY, FIRST_RETRY * 2 ** (this.failures - 1));
    this.events.phase({ kind: "lost", text: "The server does not answer.", retryIn });
    this.around.after(retryIn, () => {
      if (!this.ended && !this.socket) this.start();
    });
  }
}
