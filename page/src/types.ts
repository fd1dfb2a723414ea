// The words that all folders of the pages share.
// SPDX-License-Identifier: Apache-2.0

/** (row, column) of a pixel centre, 0-based; row grows downwards. */
export type Point = readonly [row: number, col: number];

/** What is drawn or sent: raw values, row by row. */
export interface Raster {
  readonly rows: number;
  readonly cols: number;
  readonly values: Float32Array | Float64Array | Uint8Array | Uint16Array | Uint32Array;
}

export type Scale = "linear" | "log" | "power";

/** How one panel shows its values. */
export interface DisplaySettings {
  scale: Scale;
  /** Exponent of the power scale. */
  power: number;
  /** Limits: percentiles of the values (0 to 100), or absolute values. */
  limits: {
    kind: "percentile" | "absolute";
    low: number;
    high: number;
    /** Where the logarithmic scale begins; the data's own if not given. */
    knee?: number;
  };
  map: string;
  invert: boolean;
  /** Limits symmetric about 0, for signed values. */
  symmetric: boolean;
  smooth: boolean;
  colorBar: boolean;
  scaleBar: boolean;
}

/** An array of a message. */
export interface WireArray {
  name: string;
  dtype: "uint8" | "uint16" | "uint32" | "float32" | "float64";
  shape: number[];
  values: Raster["values"];
}
