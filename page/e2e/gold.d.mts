// What gold.mjs writes.
// SPDX-License-Identifier: Apache-2.0

/** Writes a scan of grains of gold, whose last point has no counts, and the crystal's CIF. */
export function writeGold(
  scan: string,
  cif: string,
  of?: { scan: [number, number]; grains: { at: [number, number]; angles: [number, number, number] }[] },
): void;
