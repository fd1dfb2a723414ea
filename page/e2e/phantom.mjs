// A body with lungs and a spine, and a dose in it, as MetaImage files for the manual's picture.
// SPDX-License-Identifier: Apache-2.0
import { appendFileSync, writeFileSync } from "node:fs";

/** `value` gets a place in mm. */
function write(path, { sides, spacing, origin, comment }, value) {
  const lines = [
    "ObjectType = Image",
    "NDims = 3",
    "BinaryData = True",
    "BinaryDataByteOrderMSB = False",
    `Offset = ${origin.join(" ")}`,
    `ElementSpacing = ${spacing.join(" ")}`,
    `DimSize = ${sides.join(" ")}`,
    `Comment = ${comment}`,
    "ElementType = MET_FLOAT",
    "ElementDataFile = LOCAL\n",
  ];
  const values = new Float32Array(sides[0] * sides[1] * sides[2]);
  const at = (axis, i) => origin[axis] + i * spacing[axis];
  for (let z = 0, e = 0; z < sides[2]; ++z)
    for (let y = 0; y < sides[1]; ++y)
      for (let x = 0; x < sides[0]; ++x, ++e) values[e] = value(at(0, x), at(1, y), at(2, z), e);
  const header = new TextEncoder().encode(lines.join("\n"));
  writeFileSync(path, header);
  appendFileSync(path, new Uint8Array(values.buffer));
}

const inside = (...parts) => Math.hypot(...parts) < 1;

/** HU of the body, with noise that is the same each time. */
function tissue(x, y, z, e) {
  if (!inside(x / 130, y / 95)) return -1000;
  if (inside(x / 16, (y - 62) / 14)) return 700;
  for (const side of [-1, 1])
    if (inside((x - 60 * side) / 38, (y + 5) / 55, (z - 20) / 70)) return -750;
  return 30 + 20 * Math.sin(e * 12.9898) * Math.cos(e * 78.233);
}

/** Gy of a beam from the front that ends at the spine. */
function dose(x, y, z) {
  const depth = y + 110;
  const peak = Math.exp(-0.5 * ((depth - 110) / 14) ** 2) + 0.45 / (1 + Math.exp((depth - 110) / 3));
  return 2 * peak * Math.exp(-((x - 15) ** 2 + (z + 8) ** 2) / 400);
}

export function writePhantom(ct, plan) {
  const body = { sides: [256, 200, 60], spacing: [1.2, 1.2, 3], origin: [-153, -120, -90] };
  const beam = { sides: [72, 70, 50], spacing: [2.5, 2.5, 2.5], origin: [-90, -110, -60] };
  write(ct, { ...body, comment: "CT, HU" }, tissue);
  write(plan, { ...beam, comment: "dose, Gy" }, dose);
}
