// Volumes for the page of volumes: MetaImage files whose values tell where they are.
// SPDX-License-Identifier: Apache-2.0
import { writeFileSync } from "node:fs";

export interface Image {
  /** x first. */
  sides: readonly [number, number, number];
  spacing: readonly [number, number, number];
  origin: readonly [number, number, number];
  /** At a place in mm. */
  value: (x: number, y: number, z: number) => number;
  comment: string;
  /** A line more of the header. */
  more?: string;
}

/** The values as the file has them: float32, x fastest. */
export function valuesOf({ sides, spacing, origin, value }: Image): Float32Array {
  const [nx, ny, nz] = sides;
  const values = new Float32Array(nx * ny * nz);
  const at = (axis: 0 | 1 | 2, i: number): number => origin[axis] + i * spacing[axis];
  for (let z = 0, e = 0; z < nz; ++z)
    for (let y = 0; y < ny; ++y)
      for (let x = 0; x < nx; ++x, ++e) values[e] = value(at(0, x), at(1, y), at(2, z));
  return values;
}

/** Writes an .mha file and returns its path. */
export function writeMetaImage(path: string, image: Image): string {
  const header = [
    "ObjectType = Image",
    "NDims = 3",
    "BinaryData = True",
    "BinaryDataByteOrderMSB = False",
    ...(image.more ? [image.more] : []),
    `Offset = ${image.origin.join(" ")}`,
    `ElementSpacing = ${image.spacing.join(" ")}`,
    `DimSize = ${image.sides.join(" ")}`,
    `Comment = ${image.comment}`,
    "ElementType = MET_FLOAT",
    "ElementDataFile = LOCAL",
    "",
  ].join("\n");
  const text = new TextEncoder().encode(header);
  const values = new Uint8Array(valuesOf(image).buffer);
  const bytes = new Uint8Array(text.length + values.length);
  bytes.set(text);
  bytes.set(values, text.length);
  writeFileSync(path, bytes);
  return path;
}
