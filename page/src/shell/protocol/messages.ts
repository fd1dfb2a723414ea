// What every page and its server say to each other, of whatever they speak (docs/protocol.md).
// SPDX-License-Identifier: Apache-2.0
import type { WireArray } from "../../types";
import type { Fields } from "./check";

/** The version of docs/protocol.md that the pages speak. */
export const PROTOCOL_VERSION = 1;

export interface Greeting {
  op: "hello";
  protocol: number;
  /** Of Sluice. */
  version: string;
}

/** An answer to a request. */
export interface Reply {
  id: number;
  slot: string;
  /** k above 1: of every k-th item, and a sharper answer may follow. */
  step?: number;
  /** Requests of this client that the server has replaced so far. */
  dropped?: number;
}

export interface Progress {
  op: "progress";
  /** Of the request; a server may name its slot alone. */
  id?: number;
  /** null: of nothing that was asked for. */
  slot: string | null;
  done: number;
  total: number;
}

export interface Failure {
  op: "error";
  id: number | null;
  slot: string | null;
  message: string;
  /** A word for programs; empty where the server gives none. */
  code: string;
}

/** The words of one domain: the types of its requests and of what its server says. */
export interface Words {
  /** Without its id and slot, which the connection adds. */
  request: object;
  hello: Greeting;
  answer: Reply;
  progress: Progress;
  /** What is said without being asked. */
  news: { op: string };
}

/** A message that was read, by what the connection does with it. */
export type Message<W extends Words> =
  | { kind: "hello"; message: W["hello"] }
  | { kind: "answer"; message: W["answer"] }
  | { kind: "progress"; message: W["progress"] }
  | { kind: "news"; message: W["news"] }
  | { kind: "error"; message: Failure };

/** A message, or why it is none. */
export type Decoded<W extends Words> =
  | ({ ok: true } & Message<W>)
  | { ok: false; problem: string };

/** What a domain adds to the protocol. */
export interface Dialect<W extends Words> {
  /** Milliseconds without any answer after which a request counts as lost. */
  readonly patience: number;
  /** Reads a message that is no error; throws a Malformed. */
  read(op: string, from: Fields, arrays: WireArray[]): Message<W>;
}
