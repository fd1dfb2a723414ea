// The Fourier transform of the virtual image; a click on a spot tells its spacing.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { fftSteps } from "../analysis/fft_axes";
import { spacing, type Spot } from "../analysis/spot";
import { lengthText } from "../analysis/units";
import { ImageView } from "../display/image_view";
import { Check } from "../shell/frame/controls";
import { handleKey } from "./keyboard";
import { ProfileOverlay } from "./overlays";
import { PanelFrame } from "./panel_frame";
import { PanelHistogram } from "./panel_histogram";
import { panelWords } from "./remarks";
import { imageQuestion } from "./state/images";
import { type Hold, holdProfile } from "./shape_drag";
import { scanStep } from "./state/calibration";
import { dataset } from "./state/datasets";
import { fftWindow, pickSpot, spot, transform } from "./state/fft";
import { profileLine } from "./state/profile";
import { settings, views } from "./state/settings";

/** "d = 0.235 nm, 31.2°", or in scan steps when their size is unknown. */
function spotText(of: Spot, step: number): string {
  if (!Number.isFinite(of.period)) return "The middle is frequency 0.";
  const d = spacing(of, step);
  const length = d === null ? `${of.period.toPrecision(4)} scan steps` : lengthText(d);
  return `d = ${length} at ${of.angle.toFixed(1).replace("-", "−")}°`;
}

function SpotOverlay({ of, zoom }: { of: Spot; zoom: number }): ComponentChildren {
  const [row, col] = of.at;
  return (
    <g class="spot">
      <circle class="halo" cx={col} cy={row} r={9 / zoom} />
      <circle class="line" cx={col} cy={row} r={9 / zoom} />
    </g>
  );
}

export function FftPanel(): ComponentChildren {
  const now = transform.value;
  const hold = useRef<Hold | null>(null);
  const found = spot.value;
  const line = profileLine.value;
  const [down, right] = now ? fftSteps(now, scanStep.value) : [0, 0];
  return (
    <PanelFrame
      panel="fft"
      title="FFT"
      picture={now}
      controls={
        <Check
          label="Hann window"
          checked={fftWindow.value}
          set={(on) => (fftWindow.value = on)}
          title="Fades the image's edges, which else make a cross"
        />
      }
      remark={found ? spotText(found, scanStep.value) : "Click a spot for its spacing"}
      words={panelWords(imageQuestion.standing.value, imageQuestion.late.value, dataset.value)}
      again={() => imageQuestion.retry()}
    >
      <ImageView
        picture={now}
        settings={settings.fft.value}
        view={views.fft}
        label="Fourier transform of the virtual image"
        unit=""
        step={right}
        stepDown={down}
        stepUnit="1/nm"
        origin={now ? [now.rows / 2, now.cols / 2] : undefined}
        marker={found?.at}
        onPointerDown={(pointer) => {
          hold.current = now ? holdProfile("fft", pointer, [now.rows, now.cols]) : null;
          if (!hold.current) pickSpot(pointer.point);
          return hold.current !== null;
        }}
        onPointerMove={(pointer) => hold.current?.move(pointer)}
        onPointerUp={() => (hold.current = null)}
        backgroundPan
        onKeyDown={(event) => handleKey(event)}
      >
        {(zoom: number) => (
          <>
            {found && <SpotOverlay of={found} zoom={zoom} />}
            {line?.panel === "fft" && <ProfileOverlay line={line} zoom={zoom} />}
          </>
        )}
      </ImageView>
      <PanelHistogram panel="fft" picture={now} />
    </PanelFrame>
  );
}
