// One plane: the base or a difference, what lies over it, isodoses and the crosshair.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { type Bar, type ImagePointer, ImageView } from "../display/image_view";
import type { Limits } from "../display/limits";
import { numberText } from "../display/nice";
import type { PaintOver } from "../display/painting";
import type { DisplaySettings, Raster } from "../types";
import { baseSlice, differences, overSlice } from "./asking";
import { Lines } from "./isodoses";
import { settingsOf } from "./looks";
import { Outlines } from "./outlines";
import { aboutZero, overlayRgba, statisticsOf } from "./rasters";
import { aspectOf, axisName, nearest, pixelOf, placeOf, placeUnit } from "./space";
import {
  active,
  base,
  difference,
  drawnFrom,
  filled,
  goTo,
  limitsFor,
  lined,
  mapFor,
  opacity,
  over,
  place,
  step,
  subject,
  wholeDifference,
} from "./state";
import type { PlaneKind, Volume } from "./types";

/** Limits of the difference: of the whole volumes, until they are known of the planes that are seen. */
function differenceLimits(): Limits {
  const whole = wholeDifference.value;
  if (whole && whole.points > 0) return aboutZero(whole.least, whole.most);
  const seen = Object.values(differences.value).flatMap((raster) => raster ?? []);
  return aboutZero(...seen.map(statisticsOf).flatMap(({ min, max }) => [min, max]));
}

/** What a panel draws from the bottom up. */
export interface Shown {
  picture: Raster | null;
  settings: DisplaySettings;
  limits: Limits;
  /** Of the picture's values. */
  unit: string;
  /** What lies over it in colours. */
  over: Raster | null;
  /** Whose isodoses are drawn. */
  lines: Raster | null;
  bar: Bar;
}

/** What is shown of a plane now. */
export function shownOf(plane: PlaneKind, here: Volume): Shown {
  const top = over.value;
  const [below, above] = [baseSlice(plane), overSlice(plane)];
  const baseRaster = below?.raster ?? null;
  // A plane of another place does not belong over this one.
  const overRaster = above && above.at === below?.at ? above.raster : null;
  if (difference.value) {
    const picture = differences.value[plane.key] ?? null;
    const limits = differenceLimits();
    const settings = settingsOf(limits, "balance");
    const bar = { settings, limits, unit: here.unit };
    return { picture, settings, limits, unit: here.unit, over: null, lines: null, bar };
  }
  const limits = limitsFor(here);
  const settings = settingsOf(limits, mapFor(here));
  const own = { settings, limits, unit: here.unit };
  const overBar = (): Bar => ({
    settings: settingsOf(limitsFor(top!), mapFor(top!)),
    limits: limitsFor(top!),
    unit: top!.unit,
  });
  return {
    picture: baseRaster,
    ...own,
    over: top && filled.value ? overRaster : null,
    lines: lined.value && subject.value ? (subject.value.id === top?.id ? overRaster : baseRaster) : null,
    bar: top && filled.value ? overBar() : own,
  };
}

/** Draws what lies over the base; the same function as long as it looks the same. */
function usePaintOver(raster: Raster | null): PaintOver | undefined {
  const top = over.value;
  const limits = top ? limitsFor(top) : { low: 0, high: 1 };
  const map = top ? mapFor(top) : "gray";
  const least = drawnFrom.value;
  const strength = opacity.value;
  return useMemo(() => {
    if (!raster) return undefined;
    const surface = document.createElement("canvas");
    surface.width = raster.cols;
    surface.height = raster.rows;
    const rgba = overlayRgba(raster, limits, map, least, strength);
    surface.getContext("2d")?.putImageData(new ImageData(rgba, raster.cols, raster.rows), 0, 0);
    return (context, { x, y, width, height }) => {
      context.imageSmoothingEnabled = false;
      context.drawImage(surface, x, y, width, height);
    };
  }, [raster, limits.low, limits.high, map, least, strength]);
}

function Crosshair(props: { plane: PlaneKind; here: Volume }): ComponentChildren {
  const { plane, here } = props;
  const [row, col] = pixelOf(here, plane, place.value);
  const [rows, cols] = [here.sides[plane.down]!, here.sides[plane.across]!];
  // Dark below light: it is seen on black and on white.
  return ["shade", "light"].map((name) => (
    <g key={name} class={`crosshair ${name}`}>
      <line x1={-0.5} x2={cols - 0.5} y1={row} y2={row} />
      <line x1={col} x2={col} y1={-0.5} y2={rows - 0.5} />
    </g>
  ));
}

/** "z 12.5 mm, 6 of 40": of the plane that is drawn, which may not be the newest. */
export function placeText(here: Volume, plane: PlaneKind): string {
  const { normal } = plane;
  if (normal === null) return "";
  const at = baseSlice(plane)?.at ?? place.value[normal];
  const number = nearest(here, normal, at) + 1;
  const where = `${axisName(here, normal)} ${numberText(at, 5)} ${placeUnit(here)}`;
  return `${where}, ${number} of ${here.sides[normal]}`;
}

/** Steps by whole notches; a touchpad sends parts of one. */
function useNotches(act: (by: number) => void): (notches: number) => void {
  const rest = useRef(0);
  return (notches) => {
    rest.current += notches;
    const whole = Math.trunc(rest.current);
    rest.current -= whole;
    if (whole !== 0) act(whole);
  };
}

/** Of units that fit above a colour bar; others stand in the heading alone. */
const LONGEST = 6;

export function PlaneView(props: { plane: PlaneKind; here: Volume; first: boolean }): ComponentChildren {
  const { plane, here } = props;
  const shown = shownOf(plane, here);
  const paintOver = usePaintOver(shown.over);
  const notches = useNotches((by) => plane.normal !== null && step(plane.normal, -by));
  const follow = (e: ImagePointer): void => goTo(placeOf(here, plane, e.point, place.peek()));
  const { bar } = shown;
  const text = [placeText(here, plane), props.first && bar.unit].filter((part) => part).join(" · ");
  return (
    <section
      class={active.value === plane.key ? "plane active" : "plane"}
      onFocusIn={() => (active.value = plane.key)}
    >
      <h2>
        {plane.title} <small>{text}</small>
      </h2>
      <ImageView
        picture={shown.picture}
        settings={{ ...shown.settings, colorBar: props.first }}
        limits={shown.limits}
        label={`${plane.title}: drag moves the crosshair, the wheel steps`}
        unit={shown.unit}
        step={here.spaced ? here.spacing[plane.across]! : 0}
        stepUnit="mm"
        aspect={aspectOf(here, plane)}
        paintOver={paintOver}
        bar={{ ...bar, unit: bar.unit.length > LONGEST ? "" : bar.unit }}
        readout={false}
        onPointerDown={(e) => {
          active.value = plane.key;
          follow(e);
          return true;
        }}
        onPointerMove={follow}
        onHover={(e) => {
          if (e) active.value = plane.key;
        }}
        onWheel={(by, e) => {
          if (e.ctrlKey || e.metaKey || plane.normal === null) return false;
          notches(by);
          return true;
        }}
      >
        {shown.lines && <Lines raster={shown.lines} />}
        <Outlines plane={plane} />
        <Crosshair plane={plane} here={here} />
      </ImageView>
    </section>
  );
}

/** All planes of the base. */
export function Planes({ planes }: { planes: readonly PlaneKind[] }): ComponentChildren {
  const here = base.value;
  if (!here) return null;
  return planes.map((plane, i) => (
    <PlaneView key={`${here.id} ${plane.key}`} plane={plane} here={here} first={i === 0} />
  ));
}
