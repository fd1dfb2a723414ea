// The image panel: the virtual image, with the probe, region, path and profile on it.
// SPDX-License-Identifier: Apache-2.0
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { type ImagePointer, ImageView } from "../display/image_view";
import type { Picture } from "../display/limits";
import { ProfilePlot } from "../display/profile_plot";
import { Choice } from "../shell/frame/controls";
import { deleteVertex } from "./geometry/drag";
import { grab } from "./geometry/grab";
import type { ImageMode } from "./types";
import { REGION_COLOR } from "./figure_overlays";
import { curvesOf, isLine, lineAxis } from "./figure_extras";
import { handleKey } from "./keyboard";
import { LinkedCursor, PathOverlay, ProbeOverlay, ProfileOverlay, ShapeOverlay } from "./overlays";
import { PanelFrame } from "./panel_frame";
import { PanelHistogram } from "./panel_histogram";
import { markText } from "./live_words";
import { panelWords, rotationText, stepText, troubleText } from "./remarks";
import { type Hold, holdProfile, holdShape, profileCursor, reach, shapeCursor } from "./shape_drag";
import { scanStep } from "./state/calibration";
import { linkedCursor } from "./state/compare";
import { dataset } from "./state/datasets";
import { selected } from "./state/detectors";
import {
  imageDrawn,
  imageQuestion,
  imageUnit,
  isMoment,
  mode,
  MODE_NAMES,
  MODES,
  picture,
  shown,
} from "./state/images";
import { addCorner, corners, drawing, path } from "./state/path";
import { profileLine } from "./state/profile";
import { moveProbe, patternSource, probe, region, scanBounds, setRegion } from "./state/scan";
import { settings, suitMode, views } from "./state/settings";
import { orientationPanelOpen } from "./state/orientation";
import { strainPanelOpen } from "./state/strain";
import { during } from "./state/timing";

export function chooseMode(next: ImageMode): void {
  during(() => {
    mode.value = next;
    suitMode(next);
  });
}

function Controls(): ComponentChildren {
  return (
    <Choice
      label="What the image shows"
      bare
      value={mode.value}
      options={MODES.map((one) => [one, MODE_NAMES[one]] as const)}
      choose={chooseMode}
    />
  );
}

function holdProbe(pointer: ImagePointer): Hold {
  const move = ({ point }: ImagePointer): void => during(() => moveProbe(point));
  move(pointer);
  return { move };
}

const nearProbe = ({ point, zoom, touch }: ImagePointer): boolean =>
  Math.hypot(point[0] - probe.value[0], point[1] - probe.value[1]) <= (touch ? 18 : 10) / zoom;

/** Takes hold of what is under the pointer: profile, probe, region; elsewhere the probe jumps. */
function take(pointer: ImagePointer): Hold {
  const bounds = scanBounds.value;
  const profile = holdProfile("image", pointer, bounds);
  if (profile) return profile;
  if (!nearProbe(pointer) && region.value) {
    const shapes = [region.value];
    const taken = holdShape(shapes, 0, pointer, bounds, (_, shape) => setRegion(shape));
    if (taken) {
      if (patternSource.value !== "region") during(() => setRegion(shapes[0]!));
      return taken.hold;
    }
  }
  return holdProbe(pointer);
}

function removeCorner(pointer: ImagePointer): boolean {
  const shape = region.value;
  if (shape?.shape !== "polygon") return false;
  const held = grab(shape, pointer.point, reach(pointer));
  if (held?.kind !== "edge" || typeof held.which !== "object" || !("vertex" in held.which))
    return false;
  setRegion(deleteVertex(shape, held.which.vertex));
  return true;
}

function cursorAt(pointer: ImagePointer): string {
  if (drawing.value) return "copy";
  const line = profileCursor("image", pointer);
  if (line) return line;
  if (nearProbe(pointer)) return "move";
  const found = region.value ? shapeCursor([region.value], 0, pointer) : null;
  return found?.cursor ?? "crosshair";
}

function Overlays({ zoom }: { zoom: number }): ComponentChildren {
  const line = profileLine.value;
  const cursor = strainPanelOpen.value || orientationPanelOpen.value ? linkedCursor.value : null;
  return (
    <>
      {path.value.length > 0 && (
        <PathOverlay points={path.value} corners={corners.value} zoom={zoom} />
      )}
      {region.value && (
        <ShapeOverlay
          shape={region.value}
          color={REGION_COLOR}
          selected={patternSource.value === "region"}
          zoom={zoom}
        />
      )}
      {line?.panel === "image" && <ProfileOverlay line={line} zoom={zoom} />}
      <ProbeOverlay at={probe.value} zoom={zoom} />
      {cursor && <LinkedCursor at={cursor} zoom={zoom} />}
    </>
  );
}

function remark(): string | undefined {
  const now = shown.value;
  const here = dataset.value;
  if (!now || !here) return undefined;
  const turned = now.rotation ? `Rotation ${rotationText(now.rotation)}` : "";
  const parts = [stepText(now.step, here), markText(now.live), troubleText(imageQuestion.standing.value), turned];
  return parts.filter((part) => part !== "").join(" · ") || undefined;
}

/** A scan of one line as the curve that it is; the image below it stays to choose points on. */
function LineScan({ picture: of }: { picture: Picture }): ComponentChildren {
  const { step, unit } = lineAxis({ step: scanStep.value, stepUnit: "nm" });
  const count = Math.max(of.rows, of.cols);
  const x = useMemo(() => Float64Array.from({ length: count }, (_, i) => i * step), [count, step]);
  const curves = useMemo(
    () => curvesOf(of).map(({ label, y }) => ({ label, y: Float64Array.from(y) })),
    [of],
  );
  return (
    <div class="line-scan">
      <ProfilePlot
        label="Values along the scan's line"
        x={x}
        curves={curves}
        xLabel="Distance"
        xUnit={unit}
        yLabel={MODE_NAMES[mode.value]}
        yUnit={imageUnit(mode.value, dataset.value)}
      />
    </div>
  );
}

export function ImagePanel(): ComponentChildren {
  const now = picture.value;
  const hold = useRef<Hold | null>(null);
  const cursor = useSignal("crosshair");
  const detector = isMoment(mode.value) ? "" : `: ${selected.value?.name ?? ""}`;
  return (
    <PanelFrame
      panel="image"
      title={`Image${detector}`}
      picture={now}
      controls={<Controls />}
      remark={remark()}
      words={panelWords(imageQuestion.standing.value, imageQuestion.late.value, dataset.value)}
      again={() => imageQuestion.retry()}
    >
      {now && isLine(now) && <LineScan picture={now} />}
      <ImageView
        picture={now}
        settings={settings.image.value}
        view={views.image}
        label="Virtual image. Arrow keys move the probe."
        unit={imageUnit(shown.value?.request.mode ?? mode.value, dataset.value)}
        step={scanStep.value}
        stepUnit="nm"
        marker={probe.value}
        cursor={cursor.value}
        onPointerDown={(pointer) => {
          if (drawing.value) addCorner(pointer.point);
          else hold.current = take(pointer);
          return true;
        }}
        onPointerMove={(pointer) => hold.current?.move(pointer)}
        onPointerUp={() => (hold.current = null)}
        onHover={(pointer) => {
          if (strainPanelOpen.peek() || orientationPanelOpen.peek()) linkedCursor.value = pointer?.point ?? null;
          if (pointer) cursor.value = cursorAt(pointer);
        }}
        onDoubleClick={(pointer) => {
          if (!drawing.value) return removeCorner(pointer);
          drawing.value = false;
          return true;
        }}
        onKeyDown={(event) => handleKey(event)}
        onPainted={imageDrawn}
      >
        {(zoom: number) => <Overlays zoom={zoom} />}
      </ImageView>
      <PanelHistogram panel="image" picture={now} />
    </PanelFrame>
  );
}
