// Who has the pointer, and how often the application hears of it.
// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Handlers, PointerFollower } from "./pointer";

let frames: (() => void)[] = [];
const nextFrame = (): void => {
  const now = frames;
  frames = [];
  for (const call of now) call();
};

let element: HTMLElement;
let follower: PointerFollower;
let grabs = true;
let handlers: { [K in keyof Handlers]: ReturnType<typeof vi.fn> };

function fire(type: string, x: number, more: Partial<PointerEventInit> = {}): void {
  const event = new PointerEvent(type, { pointerId: 1, clientX: x, clientY: 0, ...more });
  element.dispatchEvent(event);
}

beforeEach(() => {
  frames = [];
  grabs = true;
  vi.stubGlobal("requestAnimationFrame", (call: () => void) => frames.push(call));
  vi.stubGlobal("cancelAnimationFrame", (id: number) => {
    if (id > 0) frames[id - 1] = () => undefined;
  });
  element = document.createElement("div");
  element.setPointerCapture = () => undefined;
  handlers = {
    down: vi.fn(() => grabs),
    move: vi.fn(),
    up: vi.fn(),
    hover: vi.fn(),
    pan: vi.fn(),
    pinch: vi.fn(),
    pansBackground: vi.fn(() => true),
    dragging: vi.fn(),
  };
  follower = new PointerFollower(element, handlers);
});
afterEach(() => {
  follower.stop();
  vi.unstubAllGlobals();
});

const lastX = (handler: ReturnType<typeof vi.fn>): number => handler.mock.lastCall?.[0].at.x;

describe("a pointer", () => {
  it("that the application takes tells a move at once, and the newest of more per frame", () => {
    fire("pointerdown", 5);
    fire("pointermove", 6);
    expect(handlers.move).toHaveBeenCalledOnce();
    for (const x of [7, 8, 9]) fire("pointermove", x);
    expect(lastX(handlers.move)).toBe(6);
    nextFrame();
    expect(handlers.move).toHaveBeenCalledTimes(2);
    expect(lastX(handlers.move)).toBe(9);
    nextFrame();
    fire("pointermove", 10);
    expect(lastX(handlers.move)).toBe(10);
    expect(handlers.pan).not.toHaveBeenCalled();
  });
  it("is heard before the browser's frame while it is held, and each place once", () => {
    fire("pointerrawupdate", 3);
    fire("pointerdown", 5);
    fire("pointermove", 5);
    expect(handlers.move).not.toHaveBeenCalled();
    fire("pointerrawupdate", 6);
    expect(handlers.move).toHaveBeenCalledOnce();
    fire("pointermove", 6);
    nextFrame();
    expect(handlers.move).toHaveBeenCalledOnce();
    fire("pointerup", 6);
    fire("pointerrawupdate", 8);
    nextFrame();
    expect(handlers.move).toHaveBeenCalledOnce();
    expect(handlers.hover).not.toHaveBeenCalled();
  });
  it("going up tells the move that waits first", () => {
    fire("pointerdown", 5);
    fire("pointermove", 8);
    fire("pointermove", 9);
    fire("pointerup", 9);
    expect(handlers.move).toHaveBeenCalledTimes(2);
    expect(lastX(handlers.move)).toBe(9);
    expect(handlers.up).toHaveBeenCalledOnce();
    expect(handlers.move.mock.invocationCallOrder[1]).toBeLessThan(
      handlers.up.mock.invocationCallOrder[0]!,
    );
    nextFrame();
    expect(handlers.move).toHaveBeenCalledTimes(2);
  });
  it("that nobody takes pans, as does the middle button always", () => {
    grabs = false;
    fire("pointerdown", 5);
    fire("pointermove", 9);
    expect(handlers.pan).toHaveBeenCalledWith({ x: 4, y: 0 });
    fire("pointerup", 9);
    expect(handlers.up).not.toHaveBeenCalled();
    grabs = true;
    fire("pointerdown", 5, { button: 1 });
    fire("pointermove", 6);
    expect(handlers.down).toHaveBeenCalledOnce();
    expect(handlers.pan).toHaveBeenLastCalledWith({ x: 1, y: 0 });
  });
  it("without a button hovers, and stops when it leaves", () => {
    fire("pointermove", 3);
    nextFrame();
    expect(lastX(handlers.hover)).toBe(3);
    fire("pointermove", 4);
    fire("pointerleave", 0);
    expect(handlers.hover).toHaveBeenLastCalledWith(null);
    nextFrame();
    expect(handlers.hover).toHaveBeenCalledTimes(2);
  });
});

describe("two fingers", () => {
  const touch = { pointerType: "touch" };
  const second = { ...touch, pointerId: 2 };
  it("that come down together do nothing but pinch", () => {
    fire("pointerdown", 0, touch);
    fire("pointermove", 1, touch);
    fire("pointerdown", 100, second);
    fire("pointermove", 200, second);
    expect(handlers.pinch).toHaveBeenCalledOnce();
    fire("pointerup", 200, second);
    fire("pointerup", 0, touch);
    nextFrame();
    expect(handlers.down).not.toHaveBeenCalled();
    expect(handlers.up).not.toHaveBeenCalled();
    expect(handlers.dragging).toHaveBeenLastCalledWith(false);
  });
  it("end a drag and pinch; the one that stays does nothing", () => {
    fire("pointerdown", 0, touch);
    fire("pointermove", 10, touch);
    expect(lastX(handlers.down)).toBe(0);
    fire("pointermove", 0, touch);
    fire("pointerdown", 100, second);
    expect(handlers.up).toHaveBeenCalledOnce();
    expect(handlers.move).toHaveBeenCalledTimes(2);
    fire("pointermove", 200, second);
    expect(handlers.pinch).toHaveBeenCalledWith(2, { x: 100, y: 0 });
    fire("pointerup", 200, second);
    fire("pointermove", 50, touch);
    nextFrame();
    expect(handlers.move).toHaveBeenCalledTimes(2);
    fire("pointerup", 50, touch);
    expect(handlers.dragging).toHaveBeenLastCalledWith(false);
    fire("pointerdown", 1, touch);
    fire("pointerup", 1, touch);
    expect(handlers.down).toHaveBeenCalledTimes(2);
  });
});

describe("a finger", () => {
  it("that taps is told when it goes up, and one that the browser takes back is not", () => {
    fire("pointerdown", 5, { pointerType: "touch" });
    expect(handlers.down).not.toHaveBeenCalled();
    fire("pointerup", 5, { pointerType: "touch" });
    expect(lastX(handlers.down)).toBe(5);
    expect(handlers.up).toHaveBeenCalledOnce();
    fire("pointerdown", 5, { pointerType: "touch" });
    fire("pointercancel", 5, { pointerType: "touch" });
    expect(handlers.down).toHaveBeenCalledOnce();
  });
});

it("a pointer that goes up without having gone down is nobody's", () => {
  fire("pointerup", 3);
  fire("pointercancel", 3);
  expect(handlers.up).not.toHaveBeenCalled();
  expect(handlers.dragging).not.toHaveBeenCalled();
});
