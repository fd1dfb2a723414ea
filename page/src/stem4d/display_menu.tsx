// A panel's display settings: scale, contrast, colours, bars.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { MAPS } from "../display/colormaps";
import { limitsOf, type Picture } from "../display/limits";
import { Check, Choice, Menu, NumberField, Slider } from "../shell/frame/controls";
import { Icon } from "../shell/frame/icons";
import type { DisplaySettings, Scale } from "../types";
import { adjust, type PanelName, settings, STARTS } from "./state/settings";

const SCALES: readonly (readonly [Scale, string])[] = [
  ["linear", "Linear"],
  ["log", "Logarithmic"],
  ["power", "Power"],
];

const GROUPS = [
  ["sequential", "Sequential"],
  ["diverging", "Diverging"],
  ["cyclic", "Cyclic"],
] as const;

function MapChoice({ panel }: { panel: PanelName }): ComponentChildren {
  return (
    <label class="field">
      <span>Colours</span>
      <select
        value={settings[panel].value.map}
        onChange={(event) => adjust(panel, { map: event.currentTarget.value })}
      >
        {GROUPS.map(([kind, name]) => (
          <optgroup key={kind} label={name}>
            {MAPS.filter((map) => map.kind === kind).map((map) => (
              <option key={map.name} value={map.name}>
                {map.label}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  );
}

const PERCENTS: readonly (readonly [string, number, number])[] = [
  ["Full", 0, 100],
  ["0.5–99.5 %", 0.5, 99.5],
  ["2–98 %", 2, 98],
];

function Limits(props: { panel: PanelName; picture: Picture | null }): ComponentChildren {
  const { panel, picture } = props;
  const now = settings[panel].value;
  const { kind, low, high } = now.limits;
  const set = (change: Partial<DisplaySettings["limits"]>): void =>
    adjust(panel, { limits: { ...now.limits, ...change } });
  const change = (next: "percentile" | "absolute"): void => {
    if (next === kind) return;
    const absolute = picture ? limitsOf(picture, now) : { low: 0, high: 1 };
    const limits = next === "absolute" ? { kind: next, ...absolute } : STARTS[panel].limits;
    adjust(panel, { limits });
  };
  const percent = kind === "percentile";
  const lock = (on: boolean): void => {
    if (!on) adjust(panel, { limits: STARTS[panel].limits });
    else if (picture) adjust(panel, { limits: { kind: "absolute", ...limitsOf(picture, now) } });
  };
  return (
    <fieldset>
      <legend>Limits</legend>
      <Check
        label="Locked: the same for all frames"
        title="Keeps the values that are darkest and brightest now, whatever is shown next"
        checked={!percent}
        set={lock}
      />
      <Choice
        label="Kind of limits"
        bare
        value={kind}
        options={[
          ["percentile", "Percentiles of the values"],
          ["absolute", "Fixed values"],
        ]}
        choose={change}
      />
      <div class="row">
        <NumberField
          label="Low"
          value={low}
          step={percent ? 0.1 : "any"}
          min={percent ? 0 : -Infinity}
          max={percent ? 100 : Infinity}
          set={(value) => set({ low: value })}
        />
        <NumberField
          label="High"
          value={high}
          step={percent ? 0.1 : "any"}
          min={percent ? 0 : -Infinity}
          max={percent ? 100 : Infinity}
          set={(value) => set({ high: value })}
        />
      </div>
      <div class="row">
        {PERCENTS.map(([name, from, to]) => (
          <button
            key={name}
            type="button"
            onClick={() => set({ kind: "percentile", low: from, high: to })}
          >
            {name}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

export function DisplayMenu(props: {
  panel: PanelName;
  picture: Picture | null;
}): ComponentChildren {
  const { panel, picture } = props;
  const now = settings[panel].value;
  const flag = (
    name: "invert" | "symmetric" | "smooth" | "colorBar" | "scaleBar",
    text: string,
  ): ComponentChildren => (
    <Check label={text} checked={now[name]} set={(on) => adjust(panel, { [name]: on })} />
  );
  return (
    <Menu
      label={
        <>
          <Icon name="display" />
          <span class="word">Display</span>
        </>
      }
      name="Display"
      title="Scale, contrast, colours and bars of this panel"
      align="right"
    >
      <div class="form">
        <Choice
          label="Scale"
          value={now.scale}
          options={SCALES}
          choose={(scale) => adjust(panel, { scale })}
        />
        {now.scale === "power" && (
          <Slider
            label="Power"
            value={now.power}
            min={0.1}
            max={2}
            step={0.05}
            set={(power) => adjust(panel, { power })}
            text={now.power.toFixed(2)}
          />
        )}
        <MapChoice panel={panel} />
        <Limits panel={panel} picture={picture} />
        <div class="checks">
          {flag("invert", "Invert")}
          {flag("symmetric", "Symmetric about 0")}
          {flag("smooth", "Smooth")}
          {flag("colorBar", "Colour bar")}
          {flag("scaleBar", "Scale bar")}
        </div>
        <button type="button" onClick={() => (settings[panel].value = STARTS[panel])}>
          Reset
        </button>
      </div>
    </Menu>
  );
}
