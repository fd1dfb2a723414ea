// Decodes what a server sends; hostile bytes become a problem in words, never an exception.
// SPDX-License-Identifier: Apache-2.0
import type { WireArray } from "../../types";
import { join, Parts, unpack } from "./arrays";
import { asFields, type Fields, Malformed, text } from "./check";
import type { Decoded, Dialect, Failure, Words } from "./messages";

/** What a dialect says of a word that it does not have. */
export const unknownOp = (op: string): Malformed =>
  new Malformed(`op "${op.slice(0, 32)}" is unknown`);

function readFailure(from: Fields): Failure {
  const { id, slot, code } = from;
  return {
    op: "error",
    id: typeof id === "number" ? id : null,
    slot: typeof slot === "string" ? slot : null,
    // Without words it is a failure all the same, and who asked must be told.
    message: text(from, "message", "unknown error"),
    code: typeof code === "string" || typeof code === "number" ? String(code) : "",
  };
}

function parts(data: unknown): { fields: Fields; arrays: WireArray[] } {
  if (typeof data === "string")
    return { fields: asFields(JSON.parse(data), "message"), arrays: [] };
  if (data instanceof ArrayBuffer) return unpack(data);
  if (data instanceof Parts) return join(data);
  throw new Malformed("neither text nor bytes");
}

/** Decodes one message, text or binary. */
export function decode<W extends Words>(data: unknown, dialect: Dialect<W>): Decoded<W> {
  try {
    const { fields, arrays } = parts(data);
    const op = text(fields, "op");
    if (op === "error") return { ok: true, kind: "error", message: readFailure(fields) };
    return { ok: true, ...dialect.read(op, fields, arrays) };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : "not a message" };
  }
}
