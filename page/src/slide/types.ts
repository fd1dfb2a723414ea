// The words of the page of slides.
// SPDX-License-Identifier: Apache-2.0
import type { WireArray } from "../types";

/** [x, y, width, height] in pixels of the full resolution, in the file's coordinates. */
export type Rect = readonly [x: number, y: number, width: number, height: number];

export interface Channel {
  /** The index along C. */
  at: number;
  name: string;
  /** "RRGGBB", or empty. */
  color: string;
  /** The display window that the file asks for, 0 to 1 of the range; both 0: none. */
  low: number;
  high: number;
  /** "uint8", "uint16" and so on; empty where no tile has the channel. */
  sample: string;
  samples: number;
}

/** A dimension besides X, Y, C and the scenes, with more than one index. */
export interface Dimension {
  letter: string;
  first: number;
  count: number;
}

export interface Scene {
  scene: number;
  name: string;
  bounds: Rect;
}

export interface Attachment {
  name: string;
  type: string;
  bytes: number;
}

/** A slide as the server describes it (docs/protocol.md). */
export interface Slide {
  id: string;
  name: string;
  path: string;
  bounds: Rect;
  /** How often it can be halved, and one more. */
  zooms: number;
  /** Whether the file has coarser levels. */
  pyramid: boolean;
  /** Size of a pixel in µm along x and y; 0: unknown. */
  pixel: readonly [x: number, y: number];
  /** µm between two slices, seconds between two times; 0: unknown. */
  zStep: number;
  tStep: number;
  dimensions: Dimension[];
  channels: Channel[];
  scenes: Scene[];
  attachments: Attachment[];
  notes: string[];
  /** What `sluice info --json` prints. */
  info: Readonly<Record<string, unknown>>;
}

/** A square of the grid of a zoom: `side` pixels of 2^zoom by 2^zoom each. */
export interface Cell {
  readonly zoom: number;
  readonly row: number;
  readonly col: number;
}

/** A damaged part of a tile. */
export interface Damage {
  rect: Rect;
  message: string;
}

/** What came for a cell of a channel. */
export interface Tile {
  readonly cell: Cell;
  readonly rows: number;
  readonly cols: number;
  /** 1, 3 (R, G, B) or 4 (with opacity, which is not shown). */
  readonly samples: number;
  /** [row][col][sample]; empty where the slide has nothing there. */
  readonly values: WireArray["values"];
  readonly damage: readonly Damage[];
  /** Why nothing could be read; else empty. */
  readonly error: string;
}
