// Decodes what the server sends; hostile bytes become a problem in words, never an exception.
// SPDX-License-Identifier: Apache-2.0
import type { WireArray } from "../../types";
import { asFields, asList, type Fields, Malformed, number, text, texts, whole } from "../../shell/protocol/check";
import { readDataset, readDatasets } from "./dataset";
import type { Answer, Decoded, Failure, Progress, ServerMessage, UsedRotation } from "./messages";

const LONGEST_HEADER = 1 << 22;
const ITEM = { uint8: 1, uint16: 2, uint32: 4, float32: 4, float64: 8 } as const;
const ANSWERS: readonly Answer["op"][] = [
  "image",
  "frame",
  "region",
  "pattern",
  "load",
  "cancel",
  "pong",
];

function isDtype(name: string): name is keyof typeof ITEM {
  return Object.hasOwn(ITEM, name);
}

function view(
  dtype: keyof typeof ITEM,
  buffer: ArrayBuffer,
  at: number,
  count: number,
): WireArray["values"] {
  switch (dtype) {
    case "uint8":
      return new Uint8Array(buffer, at, count);
    case "uint16":
      return new Uint16Array(buffer, at, count);
    case "uint32":
      return new Uint32Array(buffer, at, count);
    case "float32":
      return new Float32Array(buffer, at, count);
    case "float64":
      return new Float64Array(buffer, at, count);
  }
}

function readArray(value: unknown, buffer: ArrayBuffer, payload: number): WireArray {
  const from = asFields(value, "array");
  const dtype = text(from, "dtype");
  if (!isDtype(dtype)) throw new Malformed(`dtype "${dtype.slice(0, 32)}" is unknown`);
  const shape = asList(from.shape, "shape", 4).map((extent) =>
    whole({ extent }, "extent", 0, 1 << 28),
  );
  const count = shape.reduce((product, extent) => product * extent, 1);
  const offset = whole(from, "offset", 0, buffer.byteLength);
  if (offset % 8 !== 0) throw new Malformed("an array's offset is no multiple of 8");
  if (payload + offset + count * ITEM[dtype] > buffer.byteLength) {
    throw new Malformed("an array ends after its message");
  }
  const values = view(dtype, buffer, payload + offset, count);
  return { name: text(from, "name", ""), dtype, shape, values };
}

function readRotation(value: unknown): UsedRotation | null {
  if (value === null || typeof value !== "object") return null;
  const from = asFields(value, "rotation");
  return {
    degrees: number(from, "degrees", 0),
    transpose: from.transpose === true,
    quality: number(from, "quality", 0),
    error: typeof from.error === "number" ? from.error : null,
    determined: from.determined !== false,
    sign_known: from.sign_known !== false,
  };
}

/** At most ten texts; what is no text is left out. */
function readNotes(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, 10).flatMap((one: unknown) => (typeof one === "string" ? [one] : []));
}

function readAnswer(op: Answer["op"], from: Fields, arrays: WireArray[]): Answer {
  return {
    op,
    id: number(from, "id"),
    slot: text(from, "slot", ""),
    dataset: text(from, "dataset", ""),
    step: whole(from, "step", 0, 1 << 24, 1),
    ms: number(from, "ms", 0),
    dropped: number(from, "dropped", 0),
    rotation: readRotation(from.rotation),
    notes: readNotes(from.notes),
    frames: number(from, "frames", 0),
    arrays,
  };
}

function readFailure(from: Fields): Failure {
  const code = from.code;
  return {
    op: "error",
    id: typeof from.id === "number" ? from.id : null,
    slot: typeof from.slot === "string" ? from.slot : null,
    message: text(from, "message"),
    code: typeof code === "string" || typeof code === "number" ? String(code) : "",
  };
}

function readProgress(from: Fields): Progress {
  return {
    op: "progress",
    dataset: text(from, "dataset"),
    slot: typeof from.slot === "string" ? from.slot : null,
    done: number(from, "done"),
    total: number(from, "total"),
    rate: number(from, "rate", 0),
    left: typeof from.left === "number" ? from.left : null,
  };
}

function readMessage(from: Fields, arrays: WireArray[]): ServerMessage {
  const op = text(from, "op");
  const answer = ANSWERS.find((one) => one === op);
  if (answer) return readAnswer(answer, from, arrays);
  switch (op) {
    case "hello":
      return {
        op,
        protocol: number(from, "protocol"),
        version: text(from, "version", ""),
        maxDetectors: number(from, "max_detectors", 64),
        datasets: readDatasets(from.datasets),
        watching: from.watching === true,
        session: from.session ?? null,
        loading: texts(from, "loading"),
        notes: texts(from, "notes"),
      };
    case "datasets":
      return { op, datasets: readDatasets(from.datasets) };
    case "dataset":
      // The fields may stand beside "op" or in an object of their own.
      return { op, dataset: readDataset(typeof from.dataset === "object" ? from.dataset : from) };
    case "progress":
      return readProgress(from);
    case "error":
      return readFailure(from);
    default:
      throw new Malformed(`op "${op.slice(0, 32)}" is unknown`);
  }
}

function guarded(read: () => ServerMessage): Decoded {
  try {
    return { ok: true, message: read() };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : "not a message" };
  }
}

/** Decodes a text message. */
export function decodeText(message: string): Decoded {
  return guarded(() => readMessage(asFields(JSON.parse(message), "message"), []));
}

/** The header and the arrays of a binary message; throws a Malformed. The arrays are views of
 *  `buffer`, nothing is copied. */
export function unpack(buffer: ArrayBuffer): { fields: Fields; arrays: WireArray[] } {
  if (buffer.byteLength < 8) throw new Malformed("the message is shorter than 8 bytes");
  const length = new DataView(buffer).getUint32(0, true);
  if (length > LONGEST_HEADER || length > buffer.byteLength - 4) {
    throw new Malformed("the header ends after its message");
  }
  if ((length + 4) % 8 !== 0) throw new Malformed("the header is not padded to 8 bytes");
  const header = new TextDecoder("utf-8", { fatal: true }).decode(
    new Uint8Array(buffer, 4, length),
  );
  const fields = asFields(JSON.parse(header), "header");
  const arrays = asList(fields.arrays ?? [], "arrays", 64).map((one) =>
    readArray(one, buffer, length + 4),
  );
  return { fields, arrays };
}

/** Decodes a binary message. */
export function decodeBinary(buffer: ArrayBuffer): Decoded {
  return guarded(() => {
    const { fields, arrays } = unpack(buffer);
    return readMessage(fields, arrays);
  });
}

/** Decodes one message of either kind. */
export function decode(data: unknown): Decoded {
  if (typeof data === "string") return decodeText(data);
  if (data instanceof ArrayBuffer) return decodeBinary(data);
  return { ok: false, problem: "neither text nor bytes" };
}

/** The first array of an answer as rasters [n][row][col] or [row][col]; none when it has another
 *  shape. */
export function rasters(answer: Answer): {
  rows: number;
  cols: number;
  values: WireArray["values"];
}[] {
  const array = answer.arrays[0];
  if (!array || array.shape.length < 2 || array.shape.length > 3) return [];
  const [cols = 0, rows = 0, count = 1] = [...array.shape].reverse();
  const area = rows * cols;
  return Array.from({ length: area > 0 ? count : 0 }, (_, index) => ({
    rows,
    cols,
    values: array.values.subarray(index * area, (index + 1) * area),
  }));
}
