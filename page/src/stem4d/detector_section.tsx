// The side column's list of detectors: presets, shapes, names, sizes, saved ones.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { Check, Choice, Menu, MenuItem, NumberField } from "../shell/frame/controls";
import { Icon } from "../shell/frame/icons";
import { complain } from "../shell/notices";
import { convertShape, presets, presetShape, type ShapeKind } from "./geometry/presets";
import { describeShape } from "./geometry/text";
import type { Detector, Shape } from "./types";
import { disk } from "./state/calibration";
import { dataset } from "./state/datasets";
import {
  addDetector,
  addShape,
  choosePreset,
  detectorBounds,
  detectors,
  editDetector,
  removeDetector,
  selected,
  selectedKey,
} from "./state/detectors";
import { forget, save, saved } from "./state/saved";
import { showDisk } from "./state/settings";
import { during } from "./state/timing";

const SHAPES: readonly (readonly [ShapeKind, string])[] = [
  ["point", "Point"],
  ["disk", "Disk"],
  ["annulus", "Annulus"],
  ["square", "Square"],
  ["rectangle", "Rectangle"],
  ["polygon", "Polygon"],
];

/** Adds something, or says that there is no room for it. */
function adding(add: () => boolean): void {
  if (!during(add)) complain("There are 16 detectors already; remove one first.");
}

function Presets(): ComponentChildren {
  return (
    <div class="presets" role="group" aria-label="Presets">
      {presets
        .filter(({ name }) => name !== "point")
        .map(({ name, title }, index) => {
          const there = presetShape(name, disk.value, detectorBounds.value) !== null;
          return (
            <button
              key={name}
              type="button"
              title={there ? `${title} (${index + 1})` : "The detector does not reach so far"}
              disabled={!there}
              aria-pressed={selected.value?.name === name}
              onClick={() => adding(() => choosePreset(name))}
            >
              {name}
            </button>
          );
        })}
    </div>
  );
}

function Row({ one }: { one: Detector }): ComponentChildren {
  const on = one.key === selectedKey.value;
  return (
    <li class={on ? "on" : ""}>
      <button
        type="button"
        class="pick"
        aria-pressed={on}
        title={describeShape(one.region)}
        onClick={() => during(() => (selectedKey.value = one.key))}
      >
        <span class="swatch" style={{ background: one.color }} />
        <span>{one.name}</span>
        <small>{one.region.shape}</small>
      </button>
      <button
        type="button"
        class="quiet"
        aria-label={`Remove ${one.name}`}
        title="Remove"
        disabled={detectors.value.length < 2}
        onClick={() => during(() => removeDetector(one.key))}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}

function RectangleFields(props: {
  shape: Extract<Shape, { shape: "rectangle" }>;
  change: (shape: Shape) => void;
}): ComponentChildren {
  const { shape, change } = props;
  const { from, to } = shape;
  const field = (label: string, value: number, set: (value: number) => Shape) => (
    <NumberField label={label} value={value} decimals={2} set={(next) => change(set(next))} />
  );
  return (
    <div class="numbers">
      {field("Top", from[0], (v) => ({ ...shape, from: [v, from[1]] }))}
      {field("Left", from[1], (v) => ({ ...shape, from: [from[0], v] }))}
      {field("Bottom", to[0], (v) => ({ ...shape, to: [v, to[1]] }))}
      {field("Right", to[1], (v) => ({ ...shape, to: [to[0], v] }))}
    </div>
  );
}

const OUTER = { disk: "Radius", square: "Half side", annulus: "Outer" } as const;

/** Numbers of the shape, for those who want it exact. */
export function ShapeFields(props: {
  shape: Shape;
  change: (shape: Shape) => void;
}): ComponentChildren {
  const { shape } = props;
  const change = (next: Shape): void => during(() => props.change(next));
  if (shape.shape === "polygon") return <p class="hint">{describeShape(shape)}</p>;
  if (shape.shape === "rectangle") return <RectangleFields shape={shape} change={change} />;
  const [row, col] = shape.center;
  return (
    <div class="numbers">
      <NumberField
        label="Row"
        value={row}
        decimals={2}
        set={(v) => change({ ...shape, center: [v, col] })}
      />
      <NumberField
        label="Column"
        value={col}
        decimals={2}
        set={(v) => change({ ...shape, center: [row, v] })}
      />
      {shape.shape === "annulus" && (
        <NumberField
          label="Inner"
          value={shape.inner}
          min={0}
          max={shape.outer}
          decimals={2}
          set={(inner) => change({ ...shape, inner })}
        />
      )}
      {shape.shape !== "point" && (
        <NumberField
          label={OUTER[shape.shape]}
          value={shape.outer}
          min={shape.shape === "annulus" ? shape.inner : 0}
          decimals={2}
          set={(outer) => change({ ...shape, outer })}
        />
      )}
    </div>
  );
}

function SavedMenu(): ComponentChildren {
  const here = selected.value;
  return (
    <Menu label="Saved" title="Named detectors that this browser remembers">
      <MenuItem act={() => here && save(here.name, here.region)} disabled={!here}>
        Save “{here?.name}”
      </MenuItem>
      {saved.value.length === 0 && <p class="hint">Nothing saved yet.</p>}
      {saved.value.map((one) => (
        <div key={one.name} class="saved">
          <MenuItem act={() => adding(() => addDetector(one.name, one.region))}>
            {one.name}
          </MenuItem>
          <button
            type="button"
            class="quiet"
            aria-label={`Forget ${one.name}`}
            onClick={() => forget(one.name)}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
    </Menu>
  );
}

export function DetectorSection(): ComponentChildren {
  const here = selected.value;
  const measured = dataset.value?.disk;
  return (
    <details class="section" open>
      <summary>Detectors</summary>
      <div class="row">
        <Presets />
      </div>
      <ul class="list">
        {detectors.value.map((one) => (
          <Row key={one.key} one={one} />
        ))}
      </ul>
      <div class="row">
        <Menu label="Add" title="Add a detector of a shape">
          {SHAPES.map(([kind, text]) => (
            <MenuItem key={kind} act={() => adding(() => addShape(kind))}>
              {text}
            </MenuItem>
          ))}
        </Menu>
        <SavedMenu />
      </div>
      {here && (
        <fieldset>
          <legend>Selected</legend>
          <label class="field">
            <span>Name</span>
            <input
              value={here.name}
              maxLength={60}
              onChange={(event) =>
                editDetector(here.key, { name: event.currentTarget.value.trim() || here.name })
              }
            />
          </label>
          <Choice
            label="Shape"
            value={here.region.shape}
            options={SHAPES}
            choose={(kind) =>
              during(() =>
                editDetector(here.key, {
                  region: convertShape(here.region, kind, detectorBounds.value),
                }),
              )
            }
          />
          <ShapeFields
            shape={here.region}
            change={(region) => editDetector(here.key, { region })}
          />
        </fieldset>
      )}
      <Check
        label={
          measured
            ? `Show the measured disk (r = ${measured.radius.toFixed(1)} px)`
            : "Show the assumed disk (none was found)"
        }
        checked={showDisk.value}
        set={(on) => (showDisk.value = on)}
      />
    </details>
  );
}
