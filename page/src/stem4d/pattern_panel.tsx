// The diffraction panel: a pattern, with the detectors that are dragged on it.
// SPDX-License-Identifier: Apache-2.0
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { type ImagePointer, ImageView } from "../display/image_view";
import { Choice } from "../shell/frame/controls";
import { FittedLattice, FoundDisks } from "./disk_overlays";
import { MatchedReflections } from "./match_overlay";
import { countText, diskText } from "./disk_words";
import { deleteVertex } from "./geometry/drag";
import { grab } from "./geometry/grab";
import type { RegionKind } from "./types";
import { PanelHistogram } from "./panel_histogram";
import { handleKey } from "./keyboard";
import { DiskOverlay, ProfileOverlay, ShapeOverlay } from "./overlays";
import { drawnText } from "./orientation_words";
import { PanelFrame } from "./panel_frame";
import { markText } from "./live_words";
import { panelWords, stepText, troubleText } from "./remarks";
import { type Hold, holdProfile, holdShape, profileCursor, reach, shapeCursor } from "./shape_drag";
import { detectorStep, disk, patternCenter } from "./state/calibration";
import { dataset } from "./state/datasets";
import type { ShownPattern } from "./state/asking";
import { detectorBounds, detectors, editDetector, selectedKey } from "./state/detectors";
import { disksOnPattern, pointAt, pointedDisk } from "./state/disks";
import {
  patternDrawn,
  patternQuestion,
  patternRaster,
  patternUnit,
  shownPattern,
  SOURCE_NAMES,
} from "./state/pattern";
import { candidateIndex, matchOnPattern } from "./state/match";
import { profileLine } from "./state/profile";
import { patternSource, type PatternSource, region, regionKind } from "./state/scan";
import { settings, showDisk, views } from "./state/settings";
import { during } from "./state/timing";

const KINDS: readonly (readonly [RegionKind, string])[] = [
  ["mean", "mean"],
  ["sum", "sum"],
  ["max", "max"],
];

function Controls(): ComponentChildren {
  const sources = (["probe", "region", "mean", "sum", "max", "variance"] as const).filter(
    (source) => source !== "region" || region.value,
  );
  return (
    <>
      <Choice
        label="Pattern"
        bare
        title="Which pattern is shown"
        value={patternSource.value}
        options={sources.map((source) => [source, SOURCE_NAMES[source]] as const)}
        choose={(source: PatternSource) => during(() => (patternSource.value = source))}
      />
      {patternSource.value === "region" && (
        <Choice
          label="Of the region's frames"
          bare
          value={regionKind.value}
          options={KINDS}
          choose={(kind) => during(() => (regionKind.value = kind))}
        />
      )}
    </>
  );
}

/** What pointers do on the panel. */
function useDetectorPointers(): {
  cursor: string;
  down: (pointer: ImagePointer) => boolean;
  move: (pointer: ImagePointer) => void;
  up: () => void;
  hover: (pointer: ImagePointer | null) => void;
  double: (pointer: ImagePointer) => boolean;
} {
  const hold = useRef<Hold | null>(null);
  const cursor = useSignal("default");
  const at = (): number => detectors.value.findIndex((one) => one.key === selectedKey.value);
  const shapes = () => detectors.value.map((one) => one.region);
  return {
    cursor: cursor.value,
    down: (pointer) => {
      const bounds = detectorBounds.value;
      hold.current = holdProfile("pattern", pointer, bounds);
      if (hold.current) return true;
      const list = detectors.value;
      const taken = holdShape(shapes(), at(), pointer, bounds, (index, shape) => {
        const one = list[index];
        if (one) editDetector(one.key, { region: shape });
      });
      const one = taken && list[taken.index];
      if (!one) return false;
      hold.current = taken.hold;
      if (one.key !== selectedKey.value) during(() => (selectedKey.value = one.key));
      return true;
    },
    move: (pointer) => hold.current?.move(pointer),
    up: () => (hold.current = null),
    hover: (pointer) => {
      pointAt(pointer?.point ?? null);
      if (!pointer) return;
      const found = shapeCursor(shapes(), at(), pointer);
      cursor.value = profileCursor("pattern", pointer) || found?.cursor || "grab";
    },
    double: (pointer) => {
      const one = detectors.value[at()];
      if (one?.region.shape !== "polygon") return false;
      const held = grab(one.region, pointer.point, reach(pointer));
      if (held?.kind !== "edge" || typeof held.which !== "object" || !("vertex" in held.which))
        return false;
      editDetector(one.key, { region: deleteVertex(one.region, held.which.vertex) });
      return true;
    },
  };
}

function Overlays({ zoom }: { zoom: number }): ComponentChildren {
  const line = profileLine.value;
  const key = selectedKey.value;
  const order = [...detectors.value].sort((a, b) => Number(a.key === key) - Number(b.key === key));
  return (
    <>
      {showDisk.value && <DiskOverlay disk={disk.value} zoom={zoom} />}
      {order.map((one) => (
        <ShapeOverlay
          key={one.key}
          shape={one.region}
          color={one.color}
          selected={one.key === key}
          zoom={zoom}
        />
      ))}
      <FoundDisks zoom={zoom} />
      <FittedLattice zoom={zoom} />
      <MatchedReflections zoom={zoom} />
      {line?.panel === "pattern" && <ProfileOverlay line={line} zoom={zoom} />}
    </>
  );
}

function remark(): string | undefined {
  const now = shownPattern.value;
  const here = dataset.value;
  if (!now || !here) return undefined;
  const { request, step, frames } = now;
  const parts = [stepText(step, here), patternMark(now), troubleText(patternQuestion.standing.value)];
  if (request.op === "frame") parts.push(`Probe at row ${request.row}, column ${request.col}`);
  const [disks, pointed] = [disksOnPattern.value, pointedDisk.value];
  if (pointed) return diskText(pointed, here.grid);
  if (disks) parts.push(countText(disks));
  if (matchOnPattern.value) parts.push(drawnText(matchOnPattern.value, candidateIndex.value));
  if (request.op === "region" && frames > 0) parts.push(`${frames} frames`);
  return parts.filter((part) => part !== "").join(" · ") || undefined;
}

/** Of a point that has not come there is no pattern. */
function patternMark({ request, live }: ShownPattern): string {
  if (request.op === "frame") return live && !live.final ? "This point has not come yet" : "";
  return markText(live);
}

const LABEL =
  "Diffraction pattern. Alt and arrow keys move the selected detector, plus and minus resize it.";

export function PatternPanel(): ComponentChildren {
  const here = dataset.value;
  const now = shownPattern.value;
  const picture = patternRaster.value;
  const pointers = useDetectorPointers();
  return (
    <PanelFrame
      panel="pattern"
      title="Diffraction"
      picture={picture}
      controls={<Controls />}
      remark={remark()}
      words={panelWords(patternQuestion.standing.value, patternQuestion.late.value, here)}
      again={() => patternQuestion.retry()}
    >
      <ImageView
        picture={picture}
        settings={settings.pattern.value}
        view={views.pattern}
        label={LABEL}
        unit={now ? patternUnit(now.request, here) : "counts"}
        step={detectorStep.value}
        stepUnit="mrad"
        origin={patternCenter.value}
        backgroundPan
        cursor={pointers.cursor}
        onPointerDown={pointers.down}
        onPointerMove={pointers.move}
        onPointerUp={pointers.up}
        onHover={pointers.hover}
        onDoubleClick={pointers.double}
        onKeyDown={(event) => handleKey(event, true)}
        onPainted={patternDrawn}
      >
        {(zoom: number) => <Overlays zoom={zoom} />}
      </ImageView>
      <PanelHistogram panel="pattern" picture={picture} />
    </PanelFrame>
  );
}
