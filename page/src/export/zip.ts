// ZIP archives: picture sequences with a manifest.
// SPDX-License-Identifier: Apache-2.0
import { strToU8, zipSync } from "fflate";
import type { Zippable } from "fflate";
import type { Point } from "../types";
import type { Bytes } from "./outcome";

/** A file name that every system takes: no folders, no reserved characters or names. */
export function safeName(name: string, fallback = "file"): string {
  const plain = name
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]+/gu, "")
    .replace(/[<>:"/\\|?*]+/g, "_")
    .replace(/\s+/g, " ")
    .replace(/^[. ]+|[. ]+$/g, "");
  const short = Array.from(plain).slice(0, 100).join("").trimEnd();
  if (!short) return fallback;
  // __proto__ is no key that an object of files could have.
  return /^(con|prn|aux|nul|com\d|lpt\d|__proto__)(\.|$)/i.test(short) ? `_${short}` : short;
}

export interface ArchiveFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The names made safe, and told apart regardless of case: the second "a.png" is "a-2.png". */
export function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const safe = safeName(name);
    const dot = safe.lastIndexOf(".");
    const [stem, end] = dot > 0 ? [safe.slice(0, dot), safe.slice(dot)] : [safe, ""];
    let unique = safe;
    for (let n = 2; taken.has(unique.toLowerCase()); ++n) unique = `${stem}-${n}${end}`;
    taken.add(unique.toLowerCase());
    return unique;
  });
}

const compressed = /\.(png|zip|gz)$/i;

/** An archive of files without folders; what is compressed already is stored. */
export function encodeZip(files: readonly ArchiveFile[], modified = new Date()): Bytes {
  const names = distinctNames(files.map((f) => f.name));
  // ZIP counts years from 1980 to 2107.
  const year = modified.getFullYear();
  const mtime = year >= 1980 && year < 2100 ? modified : new Date(1980, 0, 1);
  const entries: Zippable = {};
  files.forEach(({ bytes }, i) => {
    const name = names[i]!;
    entries[name] = [bytes, { level: compressed.test(name) ? 0 : 6, mtime }];
  });
  return zipSync(entries);
}

/** A picture of a sequence and what it shows. */
export interface SequenceFrame {
  readonly png: Uint8Array;
  readonly label: string;
  readonly dataset: string;
  /** Scan point of the pattern, where it shows one. */
  readonly position?: Point;
  /** Anything else to keep: metadata, limits, statistics. */
  readonly about?: Readonly<Record<string, unknown>>;
}

export interface Sequence {
  readonly kind: "path" | "raster" | "frames";
  readonly title: string;
  /** ISO 8601. */
  readonly created: string;
  readonly framesPerSecond: number;
  readonly frames: readonly SequenceFrame[];
  /** What holds for all frames: display settings, detectors, calibration. */
  readonly about: Readonly<Record<string, unknown>>;
}

/** frame-0001.png … and manifest.json, which says what each shows. */
export function sequenceZip(sequence: Sequence): Bytes {
  const digits = Math.max(4, String(sequence.frames.length).length);
  const names = sequence.frames.map((_, i) => `frame-${String(i + 1).padStart(digits, "0")}.png`);
  const manifest = {
    schema: "sluice-sequence/1",
    kind: sequence.kind,
    title: sequence.title,
    created: sequence.created,
    frames_per_second: sequence.framesPerSecond,
    about: sequence.about,
    frames: sequence.frames.map(({ label, dataset, position, about }, i) => ({
      file: names[i],
      label,
      dataset,
      ...(position ? { row: position[0], col: position[1] } : {}),
      ...(about ? { about } : {}),
    })),
  };
  const text = strToU8(`${JSON.stringify(manifest, null, 2)}\n`);
  const pictures = sequence.frames.map(({ png }, i) => ({ name: names[i]!, bytes: png }));
  return encodeZip([...pictures, { name: "manifest.json", bytes: text }]);
}
