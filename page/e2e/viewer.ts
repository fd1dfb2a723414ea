// The page as the specs use it: what it shows, what it asked for, and places on its panels.
// SPDX-License-Identifier: Apache-2.0
import type { Frame, Locator, Page, WebSocket } from "@playwright/test";
import type { Point } from "../src/types";
import type { Shape } from "../src/stem4d/types";

/** What the page asks the server. */
export interface Request {
  op: string;
  dataset: string;
  slot: string;
  mode?: string;
  detectors?: Shape[];
  region?: Shape;
  rotation?: unknown;
  [more: string]: unknown;
}

export interface Picture {
  rows: number;
  cols: number;
  values: number[];
}

export type PanelName = "pattern" | "image" | "fft";

const LABELS: Record<PanelName, RegExp> = {
  pattern: /^Diffraction pattern/,
  image: /^Virtual image/,
  fft: /^Fourier transform/,
};

export class Viewer {
  readonly requests: Request[] = [];

  /** Where the page is: a frame, when another page shows it. */
  frame: Page | Frame;

  constructor(readonly page: Page) {
    this.frame = page;
    page.on("websocket", this.listen);
  }

  private readonly listen = (socket: WebSocket): void => {
    socket.on("framesent", ({ payload }) => {
      if (typeof payload === "string") this.requests.push(JSON.parse(payload));
    });
  };

  /** Listens no more. */
  forget(): void {
    this.page.off("websocket", this.listen);
  }

  /** Opens an address of the server and waits until all of the first dataset is drawn. */
  async open(url: string, query: Record<string, string> = {}): Promise<void> {
    const address = new URL(url);
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    await this.page.goto(address.href);
    await this.ready();
  }

  /** Until the image and the pattern of all scan points are drawn. */
  async ready(): Promise<void> {
    await this.frame.waitForFunction(
      () => window.sluice?.images()?.step === 1 && window.sluice.pattern() !== null,
    );
    await this.idle();
  }

  async idle(): Promise<void> {
    await this.frame.evaluate(() => window.sluice!.idle());
  }

  async image(index = 0): Promise<Picture> {
    await this.idle();
    const now = await this.frame.evaluate(() => window.sluice!.images());
    return now!.images[index]!;
  }

  async pattern(): Promise<Picture> {
    await this.idle();
    const now = await this.frame.evaluate(() => window.sluice!.pattern());
    return now!.pattern;
  }

  /** The newest request of a slot. */
  last(slot: string): Request {
    const found = this.requests.filter((request) => request.slot === slot).at(-1);
    if (!found) throw new Error(`nothing was asked for in the slot ${slot}`);
    return found;
  }

  /** The detector whose image was asked for last. */
  detector(): Shape {
    return this.last("image").detectors![0]!;
  }

  panel(name: PanelName): Locator {
    return this.frame.getByRole("application", { name: LABELS[name] });
  }

  /** Where a pixel of a panel's image is in the window. */
  async at(panel: PanelName, [row, col]: Point): Promise<{ x: number; y: number }> {
    const box = (await this.panel(panel).boundingBox())!;
    const group = this.panel(panel).locator("svg.overlay > g");
    const text = (await group.getAttribute("transform")) ?? "";
    const [x, y, zoom] = (text.match(/-?[\d.]+(?:e-?\d+)?/g) ?? []).map(Number);
    return { x: box.x + x! + col * zoom!, y: box.y + y! + row * zoom! };
  }

  /** Drags from one pixel of a panel's image to another. */
  async drag(panel: PanelName, from: Point, to: Point, keys: string[] = []): Promise<void> {
    const { mouse, keyboard } = this.page;
    const [start, end] = [await this.at(panel, from), await this.at(panel, to)];
    await mouse.move(start.x, start.y);
    for (const key of keys) await keyboard.down(key);
    await mouse.down();
    await mouse.move(end.x, end.y, { steps: 5 });
    await mouse.up();
    for (const key of keys) await keyboard.up(key);
    await this.idle();
  }

  async click(panel: PanelName, point: Point): Promise<void> {
    const { x, y } = await this.at(panel, point);
    await this.page.mouse.click(x, y);
    await this.idle();
  }

  /** Chooses from a native menu of choices. */
  async choose(label: string, text: string): Promise<void> {
    const list = this.frame.getByRole("combobox", { name: label, exact: true });
    await list.selectOption({ label: text });
    await this.idle();
  }

  /** Chooses an entry of a menu that a button opens. */
  async menu(name: string, entry: string): Promise<void> {
    await this.frame.locator("details.menu > summary", { hasText: name }).first().click();
    await this.frame.getByRole("button", { name: entry, exact: true }).click();
    await this.idle();
  }

  /** The colours on a panel's canvas at pixels of its image. */
  async colours(panel: PanelName, points: readonly Point[]): Promise<number[][]> {
    const box = (await this.panel(panel).boundingBox())!;
    const places: { x: number; y: number }[] = [];
    for (const point of points) {
      const { x, y } = await this.at(panel, point);
      places.push({ x: x - box.x, y: y - box.y });
    }
    return this.panel(panel)
      .locator("> canvas")
      .evaluate((canvas, list) => {
        if (!(canvas instanceof HTMLCanvasElement)) throw new Error("this is no canvas");
        const context = canvas.getContext("2d")!;
        const ratio = canvas.width / canvas.clientWidth;
        return list.map(({ x, y }) => [
          ...context.getImageData(Math.floor(x * ratio), Math.floor(y * ratio), 1, 1).data,
        ]);
      }, places);
  }
}
