// The side column: which volumes, how they are shown, and where the crosshair is.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { MAPS } from "../display/colormaps";
import type { Limits } from "../display/limits";
import { Check, Choice, NumberField, Slider } from "../shell/frame/controls";
import { WINDOWS, windowOf } from "./looks";
import { axesOf, axisName, comparable, lengthUnit, moved, placeUnit, sameGrid } from "./space";
import {
  base,
  chooseBase,
  chooseOver,
  difference,
  filled,
  goTo,
  goToMaximum,
  limitsFor,
  mapFor,
  mayDiffer,
  opacity,
  over,
  place,
  setDifference,
  setLook,
  threshold,
  usualLimitsFor,
  volumes,
} from "./state";
import type { Volume } from "./types";

const MAP_OPTIONS = MAPS.filter(({ kind }) => kind !== "cyclic").map(
  ({ name, label }) => [name, label] as const,
);

/** Why some volumes cannot be laid over the base. */
function Strangers({ here }: { here: Volume }): ComponentChildren {
  const others = volumes.value.filter((one) => !comparable(here, one));
  if (others.length === 0) return null;
  const names = others.map(({ name }) => name).join(", ");
  return (
    <p class="hint">
      {`${names}: not laid over ${here.name}. It is not known that both lie in one space: ` +
        "they have other axes, no spacing, or axes that are turned."}
    </p>
  );
}

const unitText = ({ unit }: Volume): string => (unit === "" ? "an unknown unit" : unit);

export function VolumesSection(): ComponentChildren {
  const here = base.value;
  if (!here) return null;
  const others = volumes.value.filter((one) => one.id !== here.id && comparable(here, one));
  const top = over.value;
  return (
    <details class="section" open>
      <summary>Volumes</summary>
      <Choice
        label="Base"
        value={here.id}
        options={volumes.value.map(({ id, name }) => [id, name] as const)}
        choose={chooseBase}
      />
      {others.length > 0 && (
        <Choice
          label="Over it"
          value={top?.id ?? ""}
          options={[["", "nothing"], ...others.map(({ id, name }) => [id, name] as const)]}
          choose={chooseOver}
        />
      )}
      {top && !sameGrid(here, top) && (
        <p class="hint">
          {`${top.name} has another grid. It is resampled to the planes of ${here.name}: ` +
            `linear in ${lengthUnit(here)}, and nothing outside of it.`}
        </p>
      )}
      {top && mayDiffer.value && (
        <Check label="Show base − overlay (D)" checked={difference.value} set={setDifference} />
      )}
      {top && !mayDiffer.value && (
        <p class="hint">
          {`No difference: ${here.name} is in ${unitText(here)}, ${top.name} in ${unitText(top)}.`}
        </p>
      )}
      <Strangers here={here} />
    </details>
  );
}

function LimitFields({ of, limits }: { of: Volume; limits: Limits }): ComponentChildren {
  const set = (low: number, high: number): void => {
    if (high > low) setLook(of, { limits: { low, high } });
  };
  return (
    <div class="row values">
      <NumberField label="From" value={limits.low} set={(low) => set(low, limits.high)} />
      <NumberField label="To" value={limits.high} set={(high) => set(limits.low, high)} />
      <span class="unit">{of.unit}</span>
    </div>
  );
}

/** Level and width, as people who read CT call them. */
function WindowFields({ of, limits }: { of: Volume; limits: Limits }): ComponentChildren {
  const [level, width] = [(limits.low + limits.high) / 2, limits.high - limits.low];
  const set = (l: number, w: number): void => setLook(of, { limits: windowOf(l, w) });
  return (
    <>
      <div class="row places">
        <NumberField label="Level" value={level} set={(l) => set(l, width)} />
        <NumberField label="Width" value={width} min={1e-6} set={(w) => set(level, w)} />
        <span class="unit">HU</span>
      </div>
      <div class="row" role="group" aria-label="Windows">
        {WINDOWS.map(([name, l, w]) => (
          <button key={name} type="button" title={`Level ${l}, width ${w}`} onClick={() => set(l, w)}>
            {name}
          </button>
        ))}
      </div>
    </>
  );
}

function Colours({ of }: { of: Volume }): ComponentChildren {
  const limits = limitsFor(of);
  const usual = usualLimitsFor(of);
  return (
    <>
      {of.kind === "ct" ? <WindowFields of={of} limits={limits} /> : <LimitFields of={of} limits={limits} />}
      <div class="row">
        <Choice
          label="Colours"
          value={mapFor(of)}
          options={MAP_OPTIONS}
          choose={(map) => setLook(of, { map })}
        />
        {(limits.low !== usual.low || limits.high !== usual.high) && (
          <button type="button" title="As it was" onClick={() => setLook(of, { limits: null })}>
            Reset
          </button>
        )}
      </div>
    </>
  );
}

export function BaseSection(): ComponentChildren {
  const here = base.value;
  if (!here || difference.value) return null;
  return (
    <details class="section" open>
      <summary>{`Base: ${here.name}`}</summary>
      <Colours of={here} />
    </details>
  );
}

export function OverSection(): ComponentChildren {
  const top = over.value;
  if (!top || difference.value) return null;
  return (
    <details class="section" open>
      <summary>{`Over it: ${top.name}`}</summary>
      <Check label="In colours (C)" checked={filled.value} set={(on) => (filled.value = on)} />
      <Slider
        label="Opacity"
        value={opacity.value}
        min={0}
        max={1}
        step={0.05}
        text={`${Math.round(100 * opacity.value)} %`}
        set={(v) => (opacity.value = v)}
      />
      {top.kind !== "ct" && (
        <Slider
          label="Drawn from"
          value={threshold.value}
          min={0}
          max={100}
          step={1}
          text={`${threshold.value} %`}
          set={(v) => (threshold.value = v)}
        />
      )}
      <Colours of={top} />
    </details>
  );
}

export function CrosshairSection(): ComponentChildren {
  const here = base.value;
  if (!here) return null;
  return (
    <details class="section" open>
      <summary>Crosshair</summary>
      <div class="row places">
        {axesOf(here).map((axis) => (
          <NumberField
            key={axis}
            label={axisName(here, axis)}
            value={place.value[axis]}
            step={here.spacing[axis]!}
            set={(v) => goTo(moved(place.value, axis, v))}
          />
        ))}
        <span class="unit">{placeUnit(here)}</span>
      </div>
      <div class="row">
        <button type="button" title="Where the dose is highest (M)" onClick={goToMaximum}>
          To the maximum
        </button>
      </div>
    </details>
  );
}
