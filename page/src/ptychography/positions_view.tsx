// Where the probe was, over the object, and how the places moved.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { ImageView } from "../display/image_view";
import type { PaintOver } from "../display/painting";
import type { DisplaySettings, Raster } from "../types";
import { usualLook } from "./looks";
import { limitsFor, phaseRaster } from "./pictures";
import { drawnStretch, job, object, objectView, positions, underPositions } from "./state";
import { movesText } from "./texts";
import type { Positions } from "./types";
import { movesOf } from "./waves";

const SETTINGS: DisplaySettings = { ...usualLook("amplitude"), colorBar: false };
const STARTED = "#ffb000";
const MOVED = "#4fd2e6";

/** Draws places as dots, and their moves as lines `stretch` times as long. */
export function painterOf(of: Positions, half: number, stretch: number, raster: Raster): PaintOver {
  return (context, { x, y, width, height }) => {
    const [across, down] = [width / raster.cols, height / raster.rows];
    // A pixel's middle is at half of it.
    const at = (row: number, col: number): [number, number] => [
      x + (col + half + 0.5) * across,
      y + (row + half + 0.5) * down,
    ];
    const dot = Math.min(Math.max(1.2 * devicePixelRatio, across), 3 * devicePixelRatio);
    context.save();
    context.strokeStyle = MOVED;
    context.lineWidth = devicePixelRatio;
    context.beginPath();
    of.started.forEach(([row, col], i) => {
      const [rows, cols] = of.moved[i]!;
      if (rows === 0 && cols === 0) return;
      context.moveTo(...at(row, col));
      context.lineTo(...at(row + stretch * rows, col + stretch * cols));
    });
    context.stroke();
    context.fillStyle = STARTED;
    for (const [row, col] of of.started) {
      const [px, py] = at(row, col);
      context.fillRect(px - dot / 2, py - dot / 2, dot, dot);
    }
    context.restore();
  };
}

/** Nothing under the dots, of the object's size. */
const emptyLike = ({ rows, cols }: Raster): Raster => ({
  rows,
  cols,
  values: new Float32Array(rows * cols),
});

export function PositionsView(): ComponentChildren {
  const here = job.value;
  const found = positions.value;
  const phase = phaseRaster.value;
  const size = object.value ? `${object.value.wave.rows} ${object.value.wave.cols}` : "";
  const blank = useMemo(() => (phase ? emptyLike(phase) : null), [size]);
  const raster = underPositions.value ? phase : blank;
  const half = Math.floor((here?.window ?? 0) / 2);
  const stretch = drawnStretch.value;
  const paintOver = useMemo(
    () => (found && blank ? painterOf(found, half, stretch, blank) : undefined),
    [found, blank, half, stretch],
  );
  const moves = found && movesOf(found);
  const moving = moves && moves.most > 0 && stretch !== 1;
  const drawn = !found ? "not here yet" : moving ? `moves × ${stretch}` : "";
  return (
    <section class="plane positions">
      <div class="row">
        <h2 title={found && here ? movesText(found, here.pixelNm) : ""}>
          Positions <small>{drawn}</small>
        </h2>
      </div>
      <ImageView
        picture={raster}
        settings={SETTINGS}
        limits={limitsFor("phase")}
        label="Positions over the object's phase"
        unit="rad"
        step={here?.pixelNm ?? 0}
        stepUnit="nm"
        view={objectView}
        paintOver={paintOver}
        backgroundPan
      />
    </section>
  );
}
