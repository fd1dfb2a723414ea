// The orientation panel: colours along z, x and y beside how sure they are, or phases and reasons.
// SPDX-License-Identifier: Apache-2.0
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { ImageView } from "../display/image_view";
import type { PaintOver } from "../display/painting";
import type { View } from "../display/view";
import { Choice } from "../shell/frame/controls";
import { Icon } from "../shell/frame/icons";
import type { DisplaySettings, Raster } from "../types";
import { categoryPicture, colourOf, PHASE_COLOURS, REASON_COLOURS, rgbaOf } from "./orientation_colours";
import { matchText, orientationPointText } from "./orientation_words";
import { handleKey } from "./keyboard";
import { LinkedCursor, ProbeOverlay } from "./overlays";
import { Words } from "./panel_frame";
import { panelWords } from "./remarks";
import { scanStep } from "./state/calibration";
import { linkedCursor } from "./state/compare";
import { dataset } from "./state/datasets";
import { candidateIndex, matchQuestion, nextCandidate, shownMatch } from "./state/match";
import {
  cancelOrientations,
  orientationQuestion,
  type RgbPicture,
  type ShownOrientation,
  shownOrientation,
} from "./state/orientation";
import { moveProbe, probe } from "./state/scan";
import { strainPoint } from "./state/strain_point";
import { during } from "./state/timing";

const PLAIN: DisplaySettings = {
  scale: "linear",
  power: 0.5,
  limits: { kind: "absolute", low: 0, high: 1 },
  map: "dusk",
  invert: false,
  symmetric: false,
  smooth: false,
  colorBar: false,
  scaleBar: true,
};
const BAR: DisplaySettings = { ...PLAIN, colorBar: true };
const ERRORS: DisplaySettings = { ...BAR, limits: { kind: "percentile", low: 0, high: 99 } };

type Shows = "colours" | "reasons";
const shows = signal<Shows>("colours");
const view = signal<View | null>(null);

function surfaceOf(picture: RgbPicture): HTMLCanvasElement {
  const surface = document.createElement("canvas");
  surface.width = picture.cols;
  surface.height = picture.rows;
  const image = new ImageData(rgbaOf(picture), picture.cols, picture.rows);
  surface.getContext("2d")?.putImageData(image, 0, 0);
  return surface;
}

/** Paints a picture in place of the values below it. */
function usePicture(picture: RgbPicture | null): PaintOver | undefined {
  return useMemo(() => {
    if (!picture) return undefined;
    const surface = surfaceOf(picture);
    return (context, { x, y, width, height }) => {
      context.imageSmoothingEnabled = false;
      context.drawImage(surface, x, y, width, height);
    };
  }, [picture]);
}

function Cell(props: {
  title: string;
  values: Raster;
  picture?: RgbPicture | null;
  settings: DisplaySettings;
  unit?: string;
}): ComponentChildren {
  const { title, values, picture = null, settings, unit = "" } = props;
  const cursor = linkedCursor.value;
  const paintOver = usePicture(picture);
  return (
    <figure>
      <figcaption>
        <b>{title}</b>
      </figcaption>
      <div class="cell">
        <ImageView
          picture={values}
          settings={settings}
          view={view}
          label={`Map of ${title}. Arrow keys move the probe.`}
          unit={unit}
          step={scanStep.value}
          stepUnit="nm"
          marker={cursor ?? probe.value}
          readout={false}
          cursor="crosshair"
          paintOver={paintOver}
          onHover={(pointer) => (linkedCursor.value = pointer?.point ?? null)}
          onPointerDown={(pointer) => {
            during(() => moveProbe(pointer.point));
            return true;
          }}
          onPointerMove={(pointer) =>
            during(() => {
              linkedCursor.value = pointer.point;
              moveProbe(pointer.point);
            })
          }
          onKeyDown={(event) => handleKey(event)}
        >
          {(zoom: number) => (
            <>
              <ProbeOverlay at={probe.value} zoom={zoom} />
              {cursor && <LinkedCursor at={cursor} zoom={zoom} />}
            </>
          )}
        </ImageView>
      </div>
    </figure>
  );
}

/** The triangle of a phase: which colour is which direction. */
function Triangle({ picture, name }: { picture: RgbPicture; name: string }): ComponentChildren {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const image = new ImageData(rgbaOf(picture), picture.cols, picture.rows);
    canvas.current?.getContext("2d")?.putImageData(image, 0, 0);
  }, [picture]);
  return (
    <canvas
      ref={canvas}
      class="triangle"
      role="img"
      aria-label={`Colours of directions of ${name}`}
      width={picture.cols}
      height={picture.rows}
    />
  );
}

/** What colours of kinds stand for: those that occur. */
function Kinds(props: {
  label: string;
  values: Raster;
  names: readonly string[];
  colours: readonly string[];
}): ComponentChildren {
  const { label, values, names, colours } = props;
  const counts = useMemo(() => {
    const all = new Map<number, number>();
    for (const code of values.values) all.set(code, (all.get(code) ?? 0) + 1);
    return all;
  }, [values]);
  return (
    <ul class="kinds" aria-label={label}>
      {names.map((name, code) =>
        counts.has(code) ? (
          <li key={name}>
            <svg width="12" height="12" aria-hidden="true">
              <rect width="12" height="12" fill={colourOf(code, colours)} />
            </svg>
            {name}: {counts.get(code)}
          </li>
        ) : null,
      )}
    </ul>
  );
}

function Colours({ of }: { of: ShownOrientation }): ComponentChildren {
  return (
    <div class="maps">
      <div class="grid">
        {of.colors.map((picture, i) => (
          <Cell
            key={i}
            title={`orientation along ${of.words.directions[i] ?? ""}`}
            values={of.reason}
            picture={picture}
            settings={PLAIN}
          />
        ))}
        <Cell title="probability" values={of.probability} settings={BAR} />
      </div>
      <div class="legends">
        {of.legends.map((picture, i) => (
          <Triangle key={i} picture={picture} name={of.words.phases[i]?.name ?? ""} />
        ))}
        <p>Black: not indexed.</p>
      </div>
    </div>
  );
}

function Reasons({ of }: { of: ShownOrientation }): ComponentChildren {
  const phases = useMemo(() => categoryPicture(of.phase, PHASE_COLOURS), [of]);
  const reasons = useMemo(() => categoryPicture(of.reason, REASON_COLOURS), [of]);
  const names = ["not indexed", ...of.words.phases.map((one) => one.name)];
  return (
    <div class="maps">
      <div class="grid">
        <Cell title="phase" values={of.phase} picture={phases} settings={PLAIN} />
        <Cell title="reason" values={of.reason} picture={reasons} settings={PLAIN} />
        <Cell title="probability" values={of.probability} settings={BAR} />
        <Cell title="error" values={of.error} settings={ERRORS} unit="°" />
      </div>
      <div class="legends">
        <Kinds label="Phases" values={of.phase} names={names} colours={PHASE_COLOURS} />
        <Kinds label="Reasons" values={of.reason} names={of.words.reasons} colours={REASON_COLOURS} />
      </div>
    </div>
  );
}

/** What is drawn over the diffraction pattern, and the way to what else it may be. */
function Match(): ComponentChildren {
  const match = shownMatch.value;
  const standing = matchQuestion.standing.value;
  if (standing.kind === "failed") return <p class="strain-point">{standing.why}</p>;
  if (!match) return <p class="strain-point">Matching the pattern at the probe…</p>;
  const several = match.words.candidates.length > 1;
  const { row, col } = match.request;
  return (
    <div class="match-line">
      <p class="strain-point" role="status">
        {`Pattern at row ${row}, column ${col} · ${matchText(match, candidateIndex.value)}`}
      </p>
      {several && (
        <button
          type="button"
          title="Draw the next best match over the pattern (key M)"
          onClick={() => during(nextCandidate)}
        >
          Next match
        </button>
      )}
    </div>
  );
}

const SHOWS: readonly (readonly [Shows, string])[] = [
  ["colours", "colours along z, x, y"],
  ["reasons", "phases and reasons"],
];

export function OrientationPanel(): ComponentChildren {
  const now = shownOrientation.value;
  const standing = orientationQuestion.standing.value;
  const words = panelWords(standing, orientationQuestion.late.value, dataset.value);
  return (
    <section class="compare strain orientation" aria-label="Orientations">
      <header>
        <h2>Orientations</h2>
        <Choice
          label="What the maps of orientations show"
          bare
          value={shows.value}
          options={SHOWS}
          choose={(next) => (shows.value = next)}
        />
        <span class="gap" />
        <button
          type="button"
          title="Fit the maps into their panels"
          aria-label="Fit"
          onClick={() => (view.value = null)}
        >
          <Icon name="fit" />
        </button>
        <button
          type="button"
          title="Close"
          aria-label="Close"
          onClick={() => during(cancelOrientations)}
        >
          <Icon name="close" />
        </button>
      </header>
      {now && (shows.value === "colours" ? <Colours of={now} /> : <Reasons of={now} />)}
      <p class="strain-point" role="status">
        {now ? orientationPointText(now, strainPoint.value) : ""}
      </p>
      {now && <Match />}
      <Words words={words} again={() => orientationQuestion.retry()} />
    </section>
  );
}
