// The strain panel: four maps and their errors, with one cursor, one zoom and honest colours.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { ImageView } from "../display/image_view";
import { apart, type Limits, limitsOf } from "../display/limits";
import { Choice } from "../shell/frame/controls";
import { Icon } from "../shell/frame/icons";
import type { DisplaySettings, Raster } from "../types";
import { strainPointText, strainUnit, strainValueText } from "./disk_words";
import { handleKey } from "./keyboard";
import { LinkedCursor, ProbeOverlay } from "./overlays";
import { Words } from "./panel_frame";
import { panelWords } from "./remarks";
import { scanStep } from "./state/calibration";
import { linkedCursor } from "./state/compare";
import { dataset } from "./state/datasets";
import { moveProbe, probe } from "./state/scan";
import { cancelStrain, type ShownStrain, shownStrain, strainQuestion } from "./state/strain";
import { strainPoint, type StrainShows, strainShows, strainView } from "./state/strain_point";
import { during } from "./state/timing";

const MAPS: DisplaySettings = {
  scale: "linear",
  power: 0.5,
  limits: { kind: "percentile", low: 1, high: 99 },
  map: "balance",
  invert: false,
  symmetric: true,
  smooth: false,
  colorBar: true,
  scaleBar: true,
};
const ERRORS: DisplaySettings = {
  ...MAPS,
  map: "dusk",
  symmetric: false,
  limits: { kind: "percentile", low: 0, high: 99 },
};

/** Maps in one unit have the same colours, so that they can be compared. */
export function commonLimits(of: ShownStrain, which: "maps" | "errors"): Limits[] {
  const how = which === "maps" ? MAPS : ERRORS;
  const own = of[which].map((map) => limitsOf(map, how));
  return own.map((_, i) => {
    const alike = own.filter((__, k) => of.words.maps[k]?.unit === of.words.maps[i]?.unit);
    const high = Math.max(...alike.map((one) => one.high));
    return which === "maps" ? apart(-high, high) : apart(0, high);
  });
}

function Cell(props: {
  of: ShownStrain;
  map: number;
  error: boolean;
  limits: Limits;
}): ComponentChildren {
  const { of, map, error, limits } = props;
  const { name = "" } = of.words.maps[map] ?? {};
  const picture: Raster | undefined = (error ? of.errors : of.maps)[map];
  const cursor = linkedCursor.value;
  const title = error ? `error of ${name}` : name;
  if (!picture) return null;
  return (
    <figure>
      <figcaption>
        <b>{title}</b> {!error && <span>{strainValueText(of, map, strainPoint.value)}</span>}
      </figcaption>
      <div class="cell">
        <ImageView
          picture={picture}
          settings={error ? ERRORS : MAPS}
          limits={limits}
          view={strainView}
          label={`Map of ${title}. Arrow keys move the probe.`}
          unit={strainUnit(of, map)}
          step={scanStep.value}
          stepUnit="nm"
          marker={cursor ?? probe.value}
          readout={false}
          cursor="crosshair"
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

const SHOWS: readonly (readonly [StrainShows, string])[] = [
  ["maps", "strain"],
  ["errors", "errors"],
  ["both", "strain and errors"],
];

function Maps({ of }: { of: ShownStrain }): ComponentChildren {
  const shows = strainShows.value;
  const sets = (["maps", "errors"] as const).filter((set) => shows === set || shows === "both");
  return (
    <div class={shows === "both" ? "grid both" : "grid"}>
      {sets.map((set) => {
        const limits = commonLimits(of, set);
        return limits.map((one, map) => (
          <Cell key={`${set}${map}`} of={of} map={map} error={set === "errors"} limits={one} />
        ));
      })}
    </div>
  );
}

export function StrainPanel(): ComponentChildren {
  const now = shownStrain.value;
  const standing = strainQuestion.standing.value;
  const words = panelWords(standing, strainQuestion.late.value, dataset.value);
  return (
    <section class="compare strain" aria-label="Strain">
      <header>
        <h2>Strain</h2>
        <Choice
          label="What the maps show"
          bare
          value={strainShows.value}
          options={SHOWS}
          choose={(next) => (strainShows.value = next)}
        />
        <span class="gap" />
        <button
          type="button"
          title="Fit the maps into their panels"
          aria-label="Fit"
          onClick={() => (strainView.value = null)}
        >
          <Icon name="fit" />
        </button>
        <button type="button" title="Close" aria-label="Close" onClick={() => during(cancelStrain)}>
          <Icon name="close" />
        </button>
      </header>
      {now && <Maps of={now} />}
      <p class="strain-point" role="status">
        {now ? strainPointText(now, strainPoint.value) : ""}
      </p>
      <Words words={words} again={() => strainQuestion.retry()} />
    </section>
  );
}
