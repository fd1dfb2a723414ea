// Pointers on a panel: who has them (the application, panning, pinching), and how often they count.
// SPDX-License-Identifier: Apache-2.0
import type { ScreenPoint } from "./view";

/** What a pointer does over the image. */
export interface PanelEvent {
  /** In CSS pixels from the panel's upper left corner. */
  readonly at: ScreenPoint;
  readonly event: PointerEvent;
}

export interface Handlers {
  /** True: the application has the pointer until it goes up. */
  down(e: PanelEvent): boolean;
  move(e: PanelEvent): void;
  up(e: PanelEvent): void;
  /** Without a button; null: it left the panel. */
  hover(e: PanelEvent | null): void;
  pan(by: ScreenPoint): void;
  pinch(factor: number, middle: ScreenPoint): void;
  /** Whether a drag that nobody takes pans. */
  pansBackground(event: PointerEvent): boolean;
  dragging(on: boolean): void;
}

type Owner = "application" | "pan" | "pinch" | "none";

/** CSS pixels that a finger may tremble. */
const TREMOR = 4;

/** Runs the newest of many calls once per animation frame. */
export class OncePerFrame<T> {
  #waiting: T | undefined;
  #frame = 0;
  readonly #call: (value: T) => void;
  readonly #soon: boolean;

  /** `soon`: the first of them runs at once, and the newest of the others with the frame. */
  constructor(call: (value: T) => void, soon = false) {
    this.#call = call;
    this.#soon = soon;
  }

  offer(value: T): void {
    const first = this.#frame === 0;
    this.#frame ||= requestAnimationFrame(() => this.flush());
    if (first && this.#soon) this.#call(value);
    else this.#waiting = value;
  }

  /** Runs what waits now. */
  flush(): void {
    const value = this.#waiting;
    this.drop();
    if (value !== undefined) this.#call(value);
  }

  drop(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#waiting = undefined;
  }
}

/** Follows the pointers of an element until `stop`. */
export class PointerFollower {
  readonly #element: HTMLElement;
  readonly #handlers: Handlers;
  readonly #down = new Map<number, ScreenPoint>();
  readonly #moves: OncePerFrame<PanelEvent>;
  readonly #hovers: OncePerFrame<PanelEvent>;
  readonly #abort = new AbortController();
  /** Listens to what the browser has not put off until its frame; only during a drag. */
  readonly #onRaw = (event: Event): void => this.#onMove(event as PointerEvent);
  #last: ScreenPoint | null = null;
  #owner: Owner = "none";
  /** A finger that has not moved yet: a second one makes a pinch of it, and nothing has been done. */
  #finger: PanelEvent | null = null;

  constructor(element: HTMLElement, handlers: Handlers) {
    this.#element = element;
    this.#handlers = handlers;
    this.#moves = new OncePerFrame((e) => this.#handlers.move(e), true);
    this.#hovers = new OncePerFrame((e) => this.#handlers.hover(e));
    const options = { signal: this.#abort.signal };
    element.addEventListener("pointerdown", (e) => this.#onDown(e), options);
    element.addEventListener("pointermove", (e) => this.#onMove(e), options);
    element.addEventListener("pointerup", (e) => this.#onUp(e), options);
    element.addEventListener("pointercancel", (e) => this.#onUp(e), options);
    element.addEventListener("pointerleave", () => this.#onLeave(), options);
  }

  stop(): void {
    this.#abort.abort();
    this.#element.removeEventListener("pointerrawupdate", this.#onRaw);
    this.#moves.drop();
    this.#hovers.drop();
  }

  #place(event: PointerEvent): PanelEvent {
    const box = this.#element.getBoundingClientRect();
    return { at: { x: event.clientX - box.left, y: event.clientY - box.top }, event };
  }

  #onDown(event: PointerEvent): void {
    const e = this.#place(event);
    if (this.#down.size > 0 && event.pointerType !== "touch") return;
    this.#element.setPointerCapture(event.pointerId);
    this.#down.set(event.pointerId, e.at);
    if (this.#down.size === 2) {
      this.#finger = null;
      if (this.#owner === "application") this.#release(e);
      this.#owner = "pinch";
      this.#handlers.dragging(true);
    }
    if (this.#down.size > 1) return;
    this.#hovers.drop();
    if (event.button === 1) event.preventDefault(); // no scrolling by the middle button
    this.#owner = "none";
    if (event.pointerType === "touch") this.#finger = e;
    else this.#begin(e);
  }

  #begin(e: PanelEvent): void {
    const { event } = e;
    this.#finger = null;
    if (event.button === 1 || event.altKey) this.#owner = "pan";
    else if (event.button === 0 && this.#handlers.down(e)) this.#hold(e);
    else if (this.#handlers.pansBackground(event)) this.#owner = "pan";
    this.#handlers.dragging(this.#owner !== "none");
  }

  #hold(e: PanelEvent): void {
    this.#owner = "application";
    this.#last = e.at;
    // A browser holds moves back until its next frame, where the answer to one misses that frame.
    // In a frame of another page Chromium tells early moves in that page's coordinates.
    if (window.parent === window) this.#element.addEventListener("pointerrawupdate", this.#onRaw);
  }

  #release(e: PanelEvent): void {
    this.#element.removeEventListener("pointerrawupdate", this.#onRaw);
    this.#moves.flush();
    this.#handlers.up(e);
  }

  #onMove(event: PointerEvent): void {
    const e = this.#place(event);
    const before = this.#down.get(event.pointerId);
    if (!before) {
      if (this.#down.size === 0) this.#hovers.offer(e);
      return;
    }
    const finger = this.#finger;
    if (finger && Math.hypot(e.at.x - finger.at.x, e.at.y - finger.at.y) < TREMOR) return;
    if (finger) this.#begin(finger);
    if (this.#owner === "pinch") this.#pinch(event.pointerId, e.at);
    this.#down.set(event.pointerId, e.at);
    if (this.#owner === "pan") this.#handlers.pan({ x: e.at.x - before.x, y: e.at.y - before.y });
    if (this.#owner === "application") this.#move(e);
  }

  /** A place that was heard of early comes once more with the frame. */
  #move(e: PanelEvent): void {
    const { at } = e;
    if (at.x === this.#last?.x && at.y === this.#last.y) return;
    this.#last = at;
    this.#moves.offer(e);
  }

  #pinch(id: number, now: ScreenPoint): void {
    const before = this.#down.get(id);
    const other = [...this.#down].find(([key]) => key !== id)?.[1];
    if (!before || !other) return;
    const span = (p: ScreenPoint): number => Math.hypot(p.x - other.x, p.y - other.y);
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    this.#handlers.pan({ x: (now.x - before.x) / 2, y: (now.y - before.y) / 2 });
    if (span(before) > 0 && span(now) > 0) this.#handlers.pinch(span(now) / span(before), middle);
  }

  #onUp(event: PointerEvent): void {
    if (!this.#down.delete(event.pointerId)) return;
    // A tap; what the browser took back is none.
    if (this.#finger && event.type === "pointerup") this.#begin(this.#finger);
    this.#finger = null;
    if (this.#owner === "application") this.#release(this.#place(event));
    // The finger that stays after a pinch must not begin to draw.
    if (this.#owner !== "pinch" || this.#down.size === 0) this.#owner = "none";
    if (this.#down.size === 0) this.#handlers.dragging(false);
  }

  #onLeave(): void {
    this.#hovers.drop();
    if (this.#down.size === 0) this.#handlers.hover(null);
  }
}
