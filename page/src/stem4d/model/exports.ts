// What saved files must hold: the answer to what the labels said when they were saved, or no file.
// SPDX-License-Identifier: Apache-2.0
import { unzipSync } from "fflate";
import { toRgba } from "../../display/renderer_2d";
import { decodeNpy, npyAbout } from "../../export/npy";
import { encodePng } from "../../export/png";
import type { DisplaySettings } from "../../types";
import { expected, type Label, Violation } from "./checks";
import { type Content, question, type World } from "./world";

export interface SavedFile {
  name: string;
  content: Uint8Array | string;
}

function must(holds: boolean, what: string, more: unknown = ""): asserts holds {
  if (!holds) throw new Violation(`${what} ${more === "" ? "" : JSON.stringify(more)}`);
}

export const bytesOf = (content: Uint8Array | string): Uint8Array =>
  typeof content === "string" ? new TextEncoder().encode(content) : content;

export function field(of: unknown, name: string): unknown {
  return typeof of === "object" && of !== null ? Object.entries(of).find(([k]) => k === name)?.[1] : null;
}

/** Whether what a file says it answers is what the label says. */
export function checkAbout(about: unknown, label: Label): void {
  const asked = field(about, "request");
  must(typeof asked === "object" && asked !== null, "a file that does not say what it answers");
  must(question({ ...asked }) === question(label.asked), "a file of another question", [
    asked,
    label.asked,
  ]);
  must(field(about, "dataset") === label.path, "a file of another dataset", about);
}

function contentOf(values: readonly number[], label: Label): Content {
  const text = values.join();
  for (const step of [1, 2])
    for (const content of label.contents)
      if (expected(content, label, step).flat().join() === text) return content;
  throw new Violation(`a saved file does not answer its label ${JSON.stringify(label.asked)}`);
}

export function checkNpy(file: SavedFile, label: Label): void {
  const bytes = bytesOf(file.content);
  const read = decodeNpy(bytes);
  must(read.ok, "an NPY file that cannot be read");
  contentOf([...read.value.values], label);
  checkAbout(npyAbout(bytes), label);
}

/** The last column, of values, of a table with lines that say where it is from. */
export function checkCsv(file: SavedFile, label: Label): number[] {
  const lines = String(file.content).trimEnd().split("\n");
  const about = lines.filter((line) => line.startsWith("# "));
  const asked = about.find((line) => line.startsWith("# request: "))?.slice(11) ?? "{}";
  const path = about.find((line) => line.startsWith("# dataset: "))?.slice(11);
  checkAbout({ request: JSON.parse(asked), dataset: path }, label);
  return lines.slice(about.length + 1).map((line) => Number(line.split(",").at(-1)));
}

/** The strip of an uncompressed float32 TIFF of ours, and its description. */
export function readTiff(bytes: Uint8Array): { values: number[]; about: unknown } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tags = new Map<number, [count: number, value: number]>();
  for (let i = 0; i < view.getUint16(8, true); ++i) {
    const at = 10 + 12 * i;
    tags.set(view.getUint16(at, true), [view.getUint32(at + 4, true), view.getUint32(at + 8, true)]);
  }
  const [at, count] = [tags.get(273)![1], tags.get(279)![1] / 4];
  const [length, from] = tags.get(270)!;
  const text = new TextDecoder().decode(bytes.subarray(from, from + length - 1));
  const values = Array.from({ length: count }, (_, i) => view.getFloat32(at + 4 * i, true));
  return { values, about: JSON.parse(text) };
}

export function checkValues(parts: readonly (readonly number[])[], label: Label): void {
  contentOf(parts.flat(), label);
}

/** The texts of a PNG by their keywords. */
export function pngTexts(bytes: Uint8Array): Map<string, string> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = new Map<string, string>();
  for (let at = 8; at + 12 <= bytes.length; ) {
    const size = view.getUint32(at);
    const type = new TextDecoder("latin1").decode(bytes.subarray(at + 4, at + 8));
    const data = bytes.subarray(at + 8, at + 8 + size);
    if (type === "tEXt" || type === "iTXt") {
      const end = data.indexOf(0);
      const key = new TextDecoder().decode(data.subarray(0, end));
      found.set(key, new TextDecoder().decode(data.subarray(end + (type === "tEXt" ? 1 : 5))));
    }
    at += 12 + size;
  }
  return found;
}

/** The pixels are those of the label's answer in these colours. */
export function checkPng(bytes: Uint8Array, label: Label, how: DisplaySettings): void {
  const texts = pngTexts(bytes);
  checkAbout(JSON.parse(texts.get("Sluice-Request") ?? "null"), label);
  const [rows, cols] = label.size;
  const all = Object.fromEntries(texts);
  const fits = label.contents.some((content) =>
    [1, 2].some((step) => {
      const [first = [], second] = expected(content, label, step);
      const [down, right] = [Float64Array.from(first), Float64Array.from(second ?? [])];
      const picture = second ? { rows, cols, down, right } : { rows, cols, values: down };
      const again = encodePng({ width: cols, height: rows, rgba: toRgba(picture, how) }, all);
      return again.length === bytes.length && again.every((v, i) => v === bytes[i]);
    }),
  );
  must(fits, "a saved picture does not show the answer to its label", label.asked);
}

/** A series that is being saved: what each frame was to be when it began. */
export interface Sequence {
  labels: Label[];
  /** Paths of the frames that are not loaded. */
  leftOut: string[];
  how: DisplaySettings;
  boot: number;
}

export function checkZip(file: SavedFile, sequence: Sequence, world: World): void {
  const files = unzipSync(bytesOf(file.content));
  const manifest: {
    about: { left_out: { path: string }[] };
    frames: { file: string; about: unknown }[];
  } = JSON.parse(new TextDecoder().decode(files["manifest.json"]));
  const leftOut = manifest.about.left_out.map(({ path }) => path);
  must(leftOut.join() === sequence.leftOut.join(), "a series that does not name what it lacks");
  must(manifest.frames.length === sequence.labels.length, "a series of another length");
  manifest.frames.forEach(({ file: name, about }, i) => {
    const label = sequence.labels[i]!;
    // It may have been read again since.
    const contents = world.contentOf(sequence.boot, label.id, 1);
    checkAbout(field(about, "answers"), label);
    checkPng(files[name]!, { ...label, contents }, sequence.how);
  });
}
