// Where things of some widths lie in rows, as words do.
// SPDX-License-Identifier: Apache-2.0

export interface Flow {
  readonly places: readonly { readonly x: number; readonly row: number }[];
  readonly rows: number;
  /** From the beginning of the rows to the end of the longest one. */
  readonly width: number;
}

/** A new row begins where one is wider than `room`; a thing that is wider alone has a row. */
export function flow(widths: readonly number[], room: number, gap: number): Flow {
  let [x, row, width] = [0, 0, 0];
  const places = widths.map((wide) => {
    if (x > 0 && x + wide > room) [x, row] = [0, row + 1];
    const place = { x, row };
    x += wide + gap;
    width = Math.max(width, x - gap);
    return place;
  });
  return { places, rows: widths.length > 0 ? row + 1 : 0, width };
}
