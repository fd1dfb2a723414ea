// Writes an RT structure set of DICOM: contours in axial planes.
// SPDX-License-Identifier: Apache-2.0
import { writeFileSync } from "node:fs";

const joined = (parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
const text = (value) => new TextEncoder().encode(value);
const short = (v) => [v & 255, v >> 8];
const long = (v) => [...short(v & 65535), ...short(v >>> 16)];

/** Explicit VR, little endian; a sequence is a list of lists of elements. */
function element([tag, vr, value]) {
  const head = [...short(tag >>> 16), ...short(tag & 65535), ...text(vr)];
  if (vr === "SQ") {
    const items = value.map((item) => {
      const bytes = joined(item.map(element));
      return [...short(0xfffe), ...short(0xe000), ...long(bytes.length), ...bytes];
    });
    const bytes = joined(items);
    return [...head, 0, 0, ...long(bytes.length), ...bytes];
  }
  const bytes = text(String(value));
  const even = bytes.length % 2 === 0 ? bytes : [...bytes, vr === "UI" ? 0 : 32];
  return [...head, ...short(even.length), ...even];
}

const contour = (corners, z) => [
  [0x30060042, "CS", "CLOSED_PLANAR"],
  [0x30060046, "IS", corners.length],
  [0x30060050, "DS", corners.map(([x, y]) => `${x.toFixed(3)}\\${y.toFixed(3)}\\${z}`).join("\\")],
];

export function writeStructures(path, structures) {
  const sop = "1.2.840.10008.5.1.4.1.1.481.3";
  const meta = joined([
    element([0x00020002, "UI", sop]),
    element([0x00020003, "UI", "1.2.6"]),
    element([0x00020010, "UI", "1.2.840.10008.1.2.1"]),
  ]);
  const own = [
    [0x00080016, "UI", sop],
    [0x00080018, "UI", "1.2.6"],
    [0x00080060, "CS", "RTSTRUCT"],
    [0x30060002, "SH", "test"],
    [0x30060020, "SQ", structures.map(({ name }, i) => [
      [0x30060022, "IS", i + 1],
      [0x30060024, "UI", "1.2.9"],
      [0x30060026, "LO", name],
    ])],
    [0x30060039, "SQ", structures.map(({ planes }, i) => [
      [0x30060040, "SQ", planes.map(({ z, corners }) => contour(corners, z))],
      [0x30060084, "IS", i + 1],
    ])],
    [0x30060080, "SQ", structures.map(({ type }, i) => [
      [0x30060082, "IS", i + 1],
      [0x30060084, "IS", i + 1],
      [0x300600a4, "CS", type],
    ])],
  ];
  const length = [...short(2), ...short(0), ...text("UL"), ...short(4), ...long(meta.length)];
  const file = joined([new Uint8Array(128), text("DICM"), length, meta, ...own.map(element)]);
  writeFileSync(path, file);
  return path;
}

/** A ball or an ellipsoid in planes `step` apart: corners on each plane's ellipse. */
export function ellipsoid(name, type, [x, y, z], [a, b, c], step, first) {
  const planes = [];
  for (let at = first + step * Math.ceil((z - c - first) / step); at <= z + c; at += step) {
    const scale = Math.sqrt(Math.max(0, 1 - ((at - z) / c) ** 2));
    if (scale < 0.05) continue;
    const corners = Array.from({ length: 48 }, (_, i) => {
      const angle = (2 * Math.PI * i) / 48;
      return [x + a * scale * Math.cos(angle), y + b * scale * Math.sin(angle)];
    });
    planes.push({ z: at, corners });
  }
  return { name, type, planes };
}
