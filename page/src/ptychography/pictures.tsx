// The pictures of the object and of the probe.
// SPDX-License-Identifier: Apache-2.0
import { computed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { ImageView } from "../display/image_view";
import { type Limits, limitsOf, type Picture } from "../display/limits";
import { lengthText } from "../display/nice";
import type { Raster } from "../types";
import {
  area,
  job,
  looks,
  modes,
  object,
  objectView,
  type PictureKey,
  probePart,
  shownMode,
  status,
  zeroPhase,
} from "./state";
import { modeText } from "./texts";
import { amplitudeOf, cropped, fieldOf, phaseOf } from "./waves";

const wave = computed(() => object.value?.wave ?? null);
export const phaseRaster = computed(() => (wave.value ? phaseOf(wave.value, zeroPhase.value) : null));
export const amplitudeRaster = computed(() => (wave.value ? amplitudeOf(wave.value) : null));
const probeWave = computed(() => modes.value[shownMode.value] ?? null);
const probePicture = computed((): Picture | null => {
  const own = probeWave.value;
  if (!own) return null;
  if (probePart.value === "complex") return fieldOf(own);
  return probePart.value === "phase" ? phaseOf(own) : amplitudeOf(own);
});

const inArea = (raster: Raster | null): Raster | null =>
  raster && area.value ? cropped(raster, area.value) : raster;
const phaseCore = computed(() => inArea(phaseRaster.value));
const amplitudeCore = computed(() => inArea(amplitudeRaster.value));

/** What is drawn, and where its contrast is taken from. */
export function drawnOf(key: PictureKey): { picture: Picture | null; core: Picture | null } {
  if (key === "phase") return { picture: phaseRaster.value, core: phaseCore.value };
  if (key === "amplitude") return { picture: amplitudeRaster.value, core: amplitudeCore.value };
  return { picture: probePicture.value, core: probePicture.value };
}

export const unitOf = (key: PictureKey): string =>
  key === "phase" || (key === "probe" && probePart.value === "phase")
    ? "rad"
    : key === "probe"
      ? "√counts"
      : "";

export function limitsFor(key: PictureKey): Limits {
  const { core } = drawnOf(key);
  return core ? limitsOf(core, looks.value[key]) : { low: 0, high: 1 };
}

function sliceText(): string {
  const here = job.value;
  const shown = object.value;
  if (!here || !shown || here.slices < 2) return "";
  const depth = here.sliceNm > 0 ? ` at ${lengthText(shown.slice * here.sliceNm, "nm")}` : "";
  return `slice ${shown.slice + 1} of ${here.slices}${depth}`;
}

function Picture2d({ of }: { of: PictureKey }): ComponentChildren {
  const [title, about] = [TITLES[of], aboutOf(of)];
  const { picture } = drawnOf(of);
  return (
    <section class={`plane ${of}`}>
      <div class="row">
        <h2>
          {title} <small>{about}</small>
        </h2>
      </div>
      <ImageView
        picture={picture}
        settings={looks.value[of]}
        limits={limitsFor(of)}
        label={title}
        unit={unitOf(of)}
        step={job.value?.pixelNm ?? 0}
        stepUnit="nm"
        view={of === "probe" ? undefined : objectView}
        backgroundPan
      />
    </section>
  );
}

const TITLES = { phase: "Object: phase", amplitude: "Object: amplitude", probe: "Probe" } as const;

/** Which slice or mode it is, where there are several. */
function aboutOf(key: PictureKey): string {
  if (key !== "probe") return sliceText();
  const count = job.value?.modes ?? 1;
  const power = status.value?.powers[shownMode.value];
  return count > 1 ? `mode ${modeText(shownMode.value, power)} of its power` : "";
}

/** As a file calls a picture; that of a probe is small. */
export function titleOf(key: PictureKey): string {
  const mode = (job.value?.modes ?? 1) > 1 ? `mode ${shownMode.value + 1}` : "";
  return [TITLES[key], key === "probe" ? mode : sliceText()].filter((part) => part).join(", ");
}

export const ObjectPhase = (): ComponentChildren => <Picture2d of="phase" />;
export const ObjectAmplitude = (): ComponentChildren => <Picture2d of="amplitude" />;
export const Probe = (): ComponentChildren => <Picture2d of="probe" />;
