// The modes of the probe, small and side by side; one of them is shown large.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { limitsOf } from "../display/limits";
import { painter } from "../display/renderer";
import { usualLook } from "./looks";
import { job, modes, setMode, shownMode, status } from "./state";
import { modeText } from "./texts";
import type { Wave } from "./types";
import { fieldOf } from "./waves";

const SIDE = 72;

function Thumbnail({ wave }: { wave: Wave | undefined }): ComponentChildren {
  const canvas = useRef<HTMLCanvasElement>(null);
  const field = useMemo(() => (wave ? fieldOf(wave) : null), [wave]);
  useLayoutEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context || !field) return;
    const settings = usualLook("probe");
    const place = { x: 0, y: 0, width: SIDE, height: SIDE };
    context.clearRect(0, 0, SIDE, SIDE);
    painter().paint(context, field, settings, limitsOf(field, settings), place);
  }, [field]);
  useLayoutEffect(
    () => () => {
      const context = canvas.current?.getContext("2d");
      if (context) painter().release(context);
    },
    [],
  );
  return <canvas ref={canvas} width={SIDE} height={SIDE} aria-hidden="true" />;
}

export function ModesSection(): ComponentChildren {
  const count = job.value?.modes ?? 1;
  if (count < 2) return null;
  const powers = status.value?.powers ?? [];
  return (
    <details class="section" open>
      <summary>Modes of the probe</summary>
      <div class="modes" role="group" aria-label="Modes">
        {Array.from({ length: count }, (_, k) => (
          <button
            key={k}
            type="button"
            aria-pressed={k === shownMode.value}
            title={`Show mode ${k + 1} (M: the next one)`}
            onClick={() => setMode(k)}
          >
            <Thumbnail wave={modes.value[k]} />
            <span>{modeText(k, powers[k])}</span>
          </button>
        ))}
      </div>
    </details>
  );
}
