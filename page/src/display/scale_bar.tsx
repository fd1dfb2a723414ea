// The scale bar of a panel.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { scaleBarLength } from "./nice";

/** A bar of nice length in the lower left corner; `cols` image columns are visible. */
export function ScaleBar(props: {
  cols: number;
  zoom: number;
  step: number;
  unit: string;
}): ComponentChildren {
  const { pixels, text } = scaleBarLength(props.cols, props.step, props.unit);
  const width = pixels * props.zoom;
  const short = width < 60; // than its text may be
  return (
    <svg
      class="scale-bar"
      width={width + 4}
      height={26}
      role="img"
      aria-label={`Scale bar ${text}`}
    >
      <text x={short ? 2 : width / 2 + 2} y={14} text-anchor={short ? "start" : "middle"}>
        {text}
      </text>
      <rect x={2} y={19} width={width} height={4} />
    </svg>
  );
}
