// The images of all detectors, small; a click selects the detector.
// SPDX-License-Identifier: Apache-2.0
import { computed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { limitsOf } from "../display/limits";
import { painter } from "../display/renderer";
import type { DisplaySettings, Raster } from "../types";
import { detectors, selectedKey } from "./state/detectors";
import { gallery, galleryOpen, galleryTrouble, retryGallery } from "./state/gallery";
import { isMoment, mode } from "./state/images";
import { settings, STARTS } from "./state/settings";
import { sentence } from "./remarks";
import { during } from "./state/timing";

/** A small picture without zoom or overlay, drawn when it changes. */
export function Thumbnail(props: {
  raster: Raster;
  settings: DisplaySettings;
  size: number;
}): ComponentChildren {
  const { raster, settings: how, size } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const zoom = size / Math.max(raster.rows, raster.cols);
  const width = Math.max(1, Math.round(raster.cols * zoom));
  const height = Math.max(1, Math.round(raster.rows * zoom));
  useLayoutEffect(() => {
    const target = canvas.current?.getContext("2d");
    if (!target) return undefined;
    const place = { x: 0, y: 0, width, height };
    painter().paint(target, raster, how, limitsOf(raster, how), place);
    return () => painter().release(target);
  }, [raster, how, width, height]);
  return <canvas ref={canvas} width={width} height={height} aria-hidden="true" />;
}

/** Each with limits of its own: dark and bright detectors differ by orders of magnitude. */
const how = computed<DisplaySettings>(() => {
  const { map, scale, power, invert, smooth } = settings.image.value;
  if (isMoment(mode.value)) return STARTS.image;
  return { ...STARTS.image, map, scale, power, invert, smooth };
});

export function Gallery(): ComponentChildren {
  const list = detectors.value;
  if (list.length < 2) return null;
  return (
    <details
      class="section gallery"
      open={galleryOpen.value}
      onToggle={(event) => (galleryOpen.value = event.currentTarget.open)}
    >
      <summary>All detectors</summary>
      <ul>
        {list.map((one) => {
          const image = gallery.value.get(one.key);
          return (
            <li key={one.key}>
              <button
                type="button"
                aria-pressed={one.key === selectedKey.value}
                title={`Show ${one.name}`}
                style={{ borderColor: one.color }}
                onClick={() => during(() => (selectedKey.value = one.key))}
              >
                {image ? (
                  <span class={image.current ? "thumb" : "thumb old"}>
                    <Thumbnail raster={image.raster} settings={how.value} size={70} />
                  </span>
                ) : (
                  <span class="blank" />
                )}
                <span class="caption">{one.name}</span>
              </button>
            </li>
          );
        })}
      </ul>
      {galleryTrouble.value && (
        <div class="hint" role="alert">
          <p>Not all images could be had: {sentence(galleryTrouble.value)}</p>
          <button type="button" onClick={retryGallery}>
            Ask again
          </button>
        </div>
      )}
    </details>
  );
}
