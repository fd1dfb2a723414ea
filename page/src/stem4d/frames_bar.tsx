// 5-D: the frame slider and its player.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { Slider, Toggle } from "../shell/frame/controls";
import { Icon } from "../shell/frame/icons";
import { FollowToggle } from "./live_bar";
import { dataset, series } from "./state/datasets";
import {
  bounce,
  fps,
  frameIndex,
  goTo,
  loop,
  playing,
  reverse,
  stepFrame,
} from "./state/playback";

export function FramesBar(): ComponentChildren {
  const list = series.value;
  if (list.length < 2) return null;
  const at = frameIndex.value;
  const name = list[at]?.name ?? "";
  return (
    <section class="frames" aria-label="Frames">
      <button
        type="button"
        title="Previous frame ([)"
        aria-label="Previous frame"
        onClick={() => stepFrame(-1)}
      >
        <Icon name="previous" />
      </button>
      <button
        type="button"
        class="play"
        title="Play or pause (space)"
        onClick={() => (playing.value = !playing.value)}
      >
        <Icon name={playing.value ? "pause" : "play"} />
        {playing.value ? "Pause" : "Play"}
      </button>
      <button
        type="button"
        title="Next frame (])"
        aria-label="Next frame"
        onClick={() => stepFrame(1)}
      >
        <Icon name="next" />
      </button>
      <label class="field frame-slider">
        <span>{dataset.value?.live ? "Series" : "Frame"}</span>
        <input
          type="range"
          min={0}
          max={list.length - 1}
          step={1}
          value={at}
          aria-valuetext={`${at + 1} of ${list.length}: ${name}`}
          onInput={(event) => goTo(event.currentTarget.valueAsNumber)}
        />
        <output>
          {at + 1} / {list.length} · {name}
        </output>
      </label>
      {dataset.value?.live && <FollowToggle />}
      <Toggle on={loop.value} set={(on) => (loop.value = on)} title="Begin again at the end">
        Loop
      </Toggle>
      <Toggle on={bounce.value} set={(on) => (bounce.value = on)} title="Turn round at the ends">
        Bounce
      </Toggle>
      <Toggle on={reverse.value} set={(on) => (reverse.value = on)} title="Play backwards">
        Reverse
      </Toggle>
      <Slider
        label="Speed"
        min={1}
        max={30}
        step={1}
        value={fps.value}
        set={(value) => (fps.value = value)}
        text={`${fps.value} fps`}
      />
    </section>
  );
}
