// A panel: an image with its display settings, zoom and pan, an overlay, bars and a read-out.
// SPDX-License-Identifier: Apache-2.0
import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { DisplaySettings, Point } from "../types";
import { ColorBar, fitsBelow } from "./color_bar";
import { ColourWheel } from "./colour_wheel";
import "./display.css";
import { isField, type Limits, limitsOf, type Picture } from "./limits";
import { Readout } from "./readout";
import { ScaleBar } from "./scale_bar";
import { type PaintOver, usePainting, useSize } from "./painting";
import { extentOf, type ImagePointer, usePointers } from "./panel_input";
import { boundedView, type Extent, fitView, type Size, type View, visibleCols } from "./view";

export { imageToScreen, screenToImage } from "./view";
export type { ImagePointer } from "./panel_input";

export interface ImageViewProps {
  /** Null: nothing to show yet. */
  picture: Picture | null;
  settings: DisplaySettings;
  /** What the panel is called for a screen reader. */
  label: string;
  /** Of the values. */
  unit: string;
  /** Size of an image pixel; 0: unknown. */
  step: number;
  /** Height of an image pixel where it is not its width. */
  stepDown?: number | undefined;
  /** "Å", "nm", "mrad", …. */
  stepUnit: string;
  /** Height of an image pixel in widths of it, as it is drawn; 1 if not given. */
  aspect?: number | undefined;
  /** From where the read-out counts calibrated positions. */
  origin?: Point | undefined;
  /** Read out while the cursor is elsewhere, as the probe. */
  marker?: Point | null | undefined;
  /** Instead of those that the settings mean, for linked contrast. */
  limits?: Limits | undefined;
  /** Draws over the picture; another function draws anew. */
  paintOver?: PaintOver | undefined;
  /** What the colour bar shows, where that is not the picture. */
  bar?: Bar | undefined;
  /** False: the panel has no line below it that tells what is under the cursor. */
  readout?: boolean | undefined;
  /** Shared by panels that are linked; null: the whole image. */
  view?: Signal<View | null> | undefined;
  /** SVG in image coordinates (x: column, y: row); a function gets CSS pixels per image pixel. */
  children?: ComponentChildren | ((zoom: number) => ComponentChildren);
  /** A drag that onPointerDown does not take pans. */
  backgroundPan?: boolean | undefined;
  cursor?: string | undefined;
  /** True: the panel sends moves until the pointer goes up. */
  onPointerDown?: ((e: ImagePointer) => boolean) | undefined;
  /** As soon as the pointer moves, and at most twice per animation frame. */
  onPointerMove?: ((e: ImagePointer) => void) | undefined;
  onPointerUp?: ((e: ImagePointer) => void) | undefined;
  /** Null: the cursor left. */
  onHover?: ((e: ImagePointer | null) => void) | undefined;
  /** True: not to be taken for "fit". */
  onDoubleClick?: ((e: ImagePointer) => boolean) | undefined;
  /** True: the key is used up; otherwise + - 0 zoom and Alt with arrows pans. */
  onKeyDown?: ((e: KeyboardEvent) => boolean) | undefined;
  /** By how many notches, downwards positive; true: used up, otherwise it zooms. */
  onWheel?: ((notches: number, e: WheelEvent) => boolean) | undefined;
  /** After a new picture is on the canvas. */
  onPainted?: (() => void) | undefined;
}

/** What a colour bar shows. */
export interface Bar {
  settings: DisplaySettings;
  limits: Limits;
  unit: string;
}

/** The panel's view within its bounds; the whole image when there is none or no image. */
function currentView(view: View | null, extent: Extent | null, size: Size): View {
  const image = extent ?? { rows: 1, cols: 1 };
  return view ? boundedView(view, image, size) : fitView(image, size);
}

/** Forgets the zoom when an image of another size comes. */
function useFitOnNewShape(picture: Picture | null, view: Signal<View | null>): void {
  const shape = picture ? `${picture.rows} ${picture.cols}` : "";
  const last = useRef(shape);
  if (shape !== "" && last.current !== shape) {
    if (last.current !== "") view.value = null;
    last.current = shape;
  }
}

export function ImageView(props: ImageViewProps): ComponentChildren {
  const { picture, settings, children } = props;
  const own = useSignal<View | null>(null);
  const shared = props.view ?? own;
  useFitOnNewShape(picture, shared);
  const row = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const room = useSize(row);
  const size = useSize(panel);
  const limits = picture ? (props.limits ?? limitsOf(picture, settings)) : { low: 0, high: 1 };
  const extent = extentOf(props);
  const view = currentView(shared.value, extent, size);
  usePainting(canvas, picture, settings, limits, view, size, props.onPainted, props.paintOver);
  const input = usePointers(panel, { props, view, size, shared });
  const { step, stepUnit, stepDown, origin } = props;
  const calibrated = { step, stepUnit, stepDown, origin };
  const x = size.width / 2 - view.center[1] * view.zoom;
  const tall = view.zoom * (view.aspect ?? 1);
  const y = size.height / 2 - view.center[0] * tall;
  const bar = picture && settings.colorBar && !isField(picture);
  const lying = extent !== null && fitsBelow(extent, room);
  return (
    <div class="image-view">
      <div ref={row} class={bar && lying ? "image-view-row lying" : "image-view-row"}>
        <div
          ref={panel}
          class="image-panel"
          role="application"
          aria-roledescription="image"
          aria-label={props.label}
          tabIndex={0}
          onKeyDown={input.onKeyDown}
          onKeyUp={input.onKeyUp}
          onDblClick={input.onDoubleClick}
        >
          <canvas ref={canvas} aria-hidden="true" />
          <svg class="overlay" width={size.width} height={size.height}>
            <g transform={`translate(${x} ${y}) scale(${view.zoom} ${tall})`}>
              {typeof children === "function" ? children(view.zoom) : children}
            </g>
          </svg>
          {picture && settings.scaleBar && (
            <ScaleBar
              cols={visibleCols(view, picture, size)}
              zoom={view.zoom}
              step={props.step}
              unit={props.stepUnit}
            />
          )}
          {picture && settings.colorBar && isField(picture) && (
            <ColourWheel high={limits.high} unit={props.unit} invert={settings.invert} />
          )}
        </div>
        {bar && (
          <ColorBar
            {...(props.bar ?? { settings, limits, unit: props.unit })}
            lying={lying}
            length={lying ? size.width : size.height}
          />
        )}
      </div>
      {props.readout !== false && (
        <Readout
          picture={picture}
          cursor={input.cursor}
          dragging={input.dragging}
          marker={props.marker}
          unit={props.unit}
          calibrated={calibrated}
        />
      )}
      <CursorStyle panel={panel} cursor={props.cursor ?? ""} />
    </div>
  );
}

/** Sets the cursor by script: the page's security policy forbids style attributes. */
function CursorStyle(props: { panel: { current: HTMLDivElement | null }; cursor: string }): null {
  const { panel, cursor } = props;
  useLayoutEffect(() => {
    if (panel.current) panel.current.style.cursor = cursor;
  }, [panel, cursor]);
  return null;
}
