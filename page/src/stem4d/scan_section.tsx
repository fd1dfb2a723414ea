// The side column's scan: probe, region, path; and what the centre of mass is corrected for.
// SPDX-License-Identifier: Apache-2.0
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import {
  Check,
  Choice,
  Menu,
  MenuItem,
  NumberField,
  Slider,
  Toggle,
} from "../shell/frame/controls";
import { Icon } from "../shell/frame/icons";
import type { ShapeKind } from "./geometry/presets";
import { describeShape } from "./geometry/text";
import { ShapeFields } from "./detector_section";
import { rotationText, sentence, signText } from "./remarks";
import { exportPath } from "./sequences";
import { calibrate, rotation } from "./state/calibration";
import { selected } from "./state/detectors";
import { descan, isMoment, mask, mode, shown } from "./state/images";
import {
  clearPath,
  drawing,
  path,
  pathLoop,
  pathSpeed,
  position,
  useRaster,
  walking,
  walkTo,
} from "./state/path";
import { addRegion, moveProbe, probe, region, removeRegion, setRegion } from "./state/scan";
import { during } from "./state/timing";

const KINDS: readonly (readonly [ShapeKind, string])[] = [
  ["disk", "Disk"],
  ["square", "Square"],
  ["rectangle", "Rectangle"],
  ["polygon", "Polygon"],
];

export function ScanSection(): ComponentChildren {
  const [row, col] = probe.value;
  return (
    <details class="section" open>
      <summary>Scan</summary>
      <div class="numbers">
        <NumberField
          label="Row"
          value={row}
          step={1}
          set={(v) => during(() => moveProbe([v, col]))}
        />
        <NumberField
          label="Column"
          value={col}
          step={1}
          set={(v) => during(() => moveProbe([row, v]))}
        />
      </div>
      <div class="row">
        <Menu label="Region" title="A region of the scan, whose frames are added up">
          {KINDS.map(([kind, text]) => (
            <MenuItem key={kind} act={() => during(() => addRegion(kind))}>
              {text}
            </MenuItem>
          ))}
        </Menu>
        <button type="button" disabled={!region.value} onClick={() => during(removeRegion)}>
          Remove
        </button>
      </div>
      {region.value && (
        <>
          <p class="hint">{describeShape(region.value)}</p>
          {region.value.shape !== "polygon" && (
            <ShapeFields shape={region.value} change={setRegion} />
          )}
        </>
      )}
    </details>
  );
}

const DESCANS = [
  ["plane", "plane"],
  ["mean", "mean"],
] as const;

// The rotation that was used comes as numbers too, which are shown already.
const isNew = (note: string): boolean => !note.startsWith("rotation of");

/** What concerns the centre of mass and the images made of it. */
export function MomentSection(): ComponentChildren {
  if (!isMoment(mode.value)) return null;
  return (
    <fieldset class="section">
      <legend>Centre of mass</legend>
      <Choice
        label="Mask"
        title="Which pixels the centre of mass is taken of"
        value={mask.value}
        options={[
          ["whole", "of the whole detector"],
          ["selected", `of ${selected.value?.name ?? "the selected detector"}`],
        ]}
        choose={(of: "whole" | "selected") => during(() => (mask.value = of))}
      />
      <Choice
        label="Descan: subtract"
        title="A plane takes away what the scan's deflection adds, which is linear in the position"
        value={descan.value}
        options={DESCANS}
        choose={(next) => during(() => (descan.value = next))}
      />
      <RotationFields />
      {shown.value?.notes.filter(isNew).map((text) => (
        <p key={text} class="hint">
          {sentence(text)}
        </p>
      ))}
    </fieldset>
  );
}

function RotationFields(): ComponentChildren {
  const now = rotation.value;
  const used = shown.value?.rotation;
  const byHand = typeof now === "object" ? now : null;
  const choose = (kind: "auto" | "none" | "hand"): void =>
    during(() => {
      const start = { degrees: used?.degrees ?? 0, transpose: used?.transpose ?? false };
      calibrate({ rotation: kind === "hand" ? start : kind });
    });
  return (
    <>
      <div class="row" role="radiogroup" aria-label="Rotation of the scan">
        <span aria-hidden="true">Rotation</span>
        {(["auto", "none", "hand"] as const).map((kind) => (
          <label key={kind} class="check">
            <input
              type="radio"
              name="rotation"
              checked={kind === "hand" ? byHand !== null : now === kind}
              onChange={() => choose(kind)}
            />
            <span>{{ auto: "found", none: "none", hand: "by hand" }[kind]}</span>
          </label>
        ))}
      </div>
      {byHand && (
        <>
          <Slider
            label="Angle"
            min={-180}
            max={180}
            step={0.5}
            value={byHand.degrees}
            set={(degrees) => during(() => calibrate({ rotation: { ...byHand, degrees } }))}
            text={`${byHand.degrees.toFixed(1)}°`}
          />
          <Check
            label="Transpose"
            checked={byHand.transpose}
            set={(transpose) => during(() => calibrate({ rotation: { ...byHand, transpose } }))}
          />
        </>
      )}
      {used && now === "auto" && (
        <p class="hint">
          Found {rotationText(used)}; curl left over divergence {used.quality.toPrecision(2)}.
          {!used.determined && " The data do not tell the angle: set it by hand."} {signText(used)}
        </p>
      )}
    </>
  );
}

export function PathSection(): ComponentChildren {
  const step = useSignal(4);
  const snake = useSignal(false);
  const count = path.value.length;
  return (
    <details class="section">
      <summary>Path animation</summary>
      <div class="row">
        <Toggle
          on={drawing.value}
          set={(on) => (drawing.value = on)}
          title="Click points on the image; double click ends"
        >
          Draw path
        </Toggle>
        <button type="button" onClick={() => useRaster(step.value, snake.value)}>
          Raster
        </button>
        <button type="button" disabled={count === 0} onClick={clearPath}>
          Clear
        </button>
      </div>
      <div class="row">
        <NumberField
          label="Every"
          value={step.value}
          min={1}
          max={1024}
          step={1}
          unit="points"
          set={(v) => (step.value = v)}
        />
        <Check label="Back and forth" checked={snake.value} set={(on) => (snake.value = on)} />
      </div>
      {count > 0 && (
        <>
          <Slider
            label="At"
            min={0}
            max={count - 1}
            step={1}
            value={position.value}
            set={walkTo}
            text={`${position.value + 1} / ${count}`}
          />
          <div class="row">
            <button type="button" onClick={() => (walking.value = !walking.value)}>
              <Icon name={walking.value ? "pause" : "play"} />
              {walking.value ? "Pause" : "Play"}
            </button>
            <Check label="Loop" checked={pathLoop.value} set={(on) => (pathLoop.value = on)} />
          </div>
          <Slider
            label="Speed"
            min={1}
            max={30}
            step={1}
            value={pathSpeed.value}
            set={(v) => (pathSpeed.value = v)}
            text={`${pathSpeed.value} /s`}
          />
          <button type="button" onClick={() => void exportPath()}>
            Export as PNGs (ZIP)
          </button>
        </>
      )}
    </details>
  );
}
