// The side column's channels: on or off, colour, window over the histogram, gamma.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { Histogram } from "../display/histogram";
import { NumberField, Slider } from "../shell/frame/controls";
import type { DisplaySettings } from "../types";
import { samplesOf, scene } from "./drawing";
import { autoWindow, firstLook, isColour, type Look } from "./looks";
import { arrivals, looks, setLook, slide } from "./state";
import type { Channel, Tile } from "./types";

/** Only the limits are drawn by the histogram. */
const SETTINGS: DisplaySettings = {
  scale: "linear",
  power: 1,
  limits: { kind: "absolute", low: 0, high: 1 },
  map: "gray",
  invert: false,
  symmetric: false,
  smooth: false,
  colorBar: false,
  scaleBar: false,
};

/** The window from what is known of the channel's brightness. */
function auto(channel: number): void {
  const now = scene();
  const found = now && autoWindow(samplesOf(now, channel));
  if (found) setLook(channel, { ...found, settled: true });
}

/** The values as one row, zeros left out: where nothing was recorded they hide all the rest. */
function pictureOf(
  tile: Tile | undefined,
): { rows: number; cols: number; values: Float32Array } | null {
  const values = Float32Array.from(tile?.values ?? []).filter((v) => v !== 0);
  return values.length > 0 ? { rows: 1, cols: values.length, values } : null;
}

function Window({ channel, index, look }: Props): ComponentChildren {
  const now = scene();
  const tile = arrivals.value > 0 && now ? samplesOf(now, index)[0] : undefined;
  const picture = useMemo(() => pictureOf(tile), [tile]);
  const unit = channel.sample === "float32" ? "" : "counts";
  const whole = channel.sample.startsWith("uint") ? { decimals: 0 } : {};
  const { low, high } = look;
  return (
    <>
      <Histogram
        picture={picture}
        settings={SETTINGS}
        limits={{ low, high }}
        unit={unit}
        logCounts
        onLimits={(limits) => setLook(index, { ...limits, settled: true })}
        onAuto={() => auto(index)}
      />
      <div class="row window-row">
        <NumberField
          label="Min"
          value={low}
          {...whole}
          set={(v) => v < high && setLook(index, { low: v, settled: true })}
        />
        <NumberField
          label="Max"
          value={high}
          {...whole}
          set={(v) => v > low && setLook(index, { high: v, settled: true })}
        />
        <button type="button" title="From the histogram" onClick={() => auto(index)}>
          Auto
        </button>
        <button
          type="button"
          title="As the file says"
          onClick={() =>
            setLook(index, {
              ...firstLook(channel, index, slide.value?.channels ?? []),
              on: look.on,
            })
          }
        >
          Reset
        </button>
      </div>
      <Slider
        label="Gamma"
        value={look.gamma}
        min={0.2}
        max={3}
        step={0.05}
        text={look.gamma.toFixed(2)}
        set={(gamma) => setLook(index, { gamma })}
      />
    </>
  );
}

interface Props {
  channel: Channel;
  index: number;
  look: Look;
}

function ChannelBox({ channel, index, look }: Props): ComponentChildren {
  return (
    <details class="channel" open={slide.value!.channels.length <= 4 && !isColour(channel)}>
      <summary>
        <input
          type="checkbox"
          aria-label={`Show ${channel.name}`}
          checked={look.on}
          onChange={(e) => setLook(index, { on: e.currentTarget.checked })}
        />
        {!isColour(channel) && (
          <input
            type="color"
            aria-label={`Colour of ${channel.name}`}
            value={look.color}
            onInput={(e) => setLook(index, { color: e.currentTarget.value })}
          />
        )}
        <span class="channel-name">{channel.name}</span>
        <small>
          {channel.sample ? `${channel.sample}${isColour(channel) ? ", colour" : ""}` : "no tiles"}
        </small>
      </summary>
      <Window channel={channel} index={index} look={look} />
    </details>
  );
}

export function ChannelsSection(): ComponentChildren {
  const here = slide.value;
  if (!here || here.channels.length === 0) return null;
  const shown = looks.value;
  const all = (on: boolean): void => {
    looks.value = shown.map((look) => ({ ...look, on }));
  };
  return (
    <details class="section" open>
      <summary>Channels</summary>
      {here.channels.length > 1 && (
        <div class="row">
          <button type="button" onClick={() => all(true)}>
            All
          </button>
          <button type="button" onClick={() => all(false)}>
            None
          </button>
        </div>
      )}
      {here.channels.map((channel, index) => {
        const look = shown[index];
        return look && <ChannelBox key={channel.at} channel={channel} index={index} look={look} />;
      })}
    </details>
  );
}
