// What structure_set.mjs has.
// SPDX-License-Identifier: Apache-2.0
export interface Organ {
  name: string;
  type: string;
  planes: { z: number; corners: (readonly [number, number])[] }[];
}
export function writeStructures(path: string, structures: readonly Organ[]): string;
export function ellipsoid(
  name: string,
  type: string,
  middle: readonly [number, number, number],
  half: readonly [number, number, number],
  step: number,
  first: number,
): Organ;
