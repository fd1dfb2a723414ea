// The words of the page of volumes.
// SPDX-License-Identifier: Apache-2.0

/** Of space: x, y, z. */
export type Axis = 0 | 1 | 2;
/** mm; numbers of elements where a volume does not tell its spacing. x first. */
export type Place = readonly [x: number, y: number, z: number];

/** How sure it is where a volume lies: in mm, mirrored or oblique in them, or not at all. */
export type Lies = "mm" | "turned" | "unknown";

/** A volume as the server describes it (docs/protocol.md). */
export interface Volume {
  id: string;
  name: string;
  path: string;
  kind: "ct" | "dose" | "other";
  /** Of the values; empty: unknown. */
  unit: string;
  /** What the file says it is. */
  content: string;
  /** The second axis is the depth of a beam. */
  depth: boolean;
  lies: Lies;
  /** Its spacing is known; else 1 and numbers of elements stand for mm. */
  spaced: boolean;
  /** Two or three of each, x first. */
  sides: readonly number[];
  spacing: readonly number[];
  origin: readonly number[];
  /** Of the finite values; null: there are none. */
  least: number | null;
  most: number | null;
  mostAt: readonly number[];
  notFinite: number;
  notes: readonly string[];
}

/** An organ or a target, as the server describes it. */
export interface Structure {
  id: string;
  name: string;
  /** As in PTV, ORGAN, EXTERNAL; empty: not told. */
  type: string;
  /** cm3; null: not known. */
  volume: number | null;
  /** It is not drawn; empty: it is. */
  why: string;
}

/** A plane as it is drawn: which axes go to the right and down, and which one it is stepped along. */
export interface PlaneKind {
  readonly key: "axial" | "coronal" | "sagittal" | "flat";
  readonly title: string;
  readonly across: Axis;
  readonly down: Axis;
  /** The highest place of `down` is at the top. */
  readonly up: boolean;
  /** null: a volume of two axes has no other planes. */
  readonly normal: Axis | null;
}
