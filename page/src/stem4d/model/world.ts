// A server in memory that is late, refuses, stalls, dies and comes back with other files.
// SPDX-License-Identifier: Apache-2.0
import type { Socket, Surroundings } from "../../shell/protocol/connection";
import { encodeBinary } from "../../shell/protocol/encode";
import { PROTOCOL_VERSION } from "../../shell/protocol/messages";
import type { WireArray } from "../../types";
import { fakeDataset } from "../protocol/fake";
import type { Dataset, DatasetState } from "../types";
import type { Random } from "./random";

/** Of a request: everything but which dataset it is about and how it is sent. */
export type Asked = Record<string, unknown> & { op: string; id: number; slot: string };

/** What data a dataset held at a reading. */
export interface Content {
  path: string;
  version: number;
}

/** A number for anything that is written down: other data, other questions, other numbers. */
function hash(text: string): number {
  let h = 2166136261;
  for (let i = 0; i < text.length; ++i) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return h >>> 0;
}

/** The question itself, in one order of its fields. */
export function question(asked: Readonly<Record<string, unknown>>): string {
  const { id, slot, dataset, ...rest } = asked;
  void [id, slot, dataset];
  return JSON.stringify(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const ROTATION = { degrees: 3, transpose: false, quality: 0.1 };

/** The values that answer a question about some content; of each of several detectors its own. */
export function truth(
  content: Content,
  asked: Readonly<Record<string, unknown>>,
  step: number,
  size: readonly [rows: number, cols: number],
): number[][] {
  const rows = Math.ceil(size[0] / step);
  const cols = Math.ceil(size[1] / step);
  const { detectors } = asked;
  const sums = asked["mode"] === "sum" || asked["mode"] === "mean";
  // The image of a detector is the same whether it is asked for alone or with others.
  const parts: Record<string, unknown>[] =
    sums && Array.isArray(detectors)
      ? detectors.map((one: unknown) => ({ ...asked, detectors: [one] }))
      : asked["mode"] === "com_vector"
        ? [{ ...asked, part: "row" }, { ...asked, part: "col" }]
        : [{ ...asked }];
  return parts.map((part) => {
    const seed = hash(`${content.path} ${content.version} ${step} ${question(part)}`);
    return Array.from({ length: rows * cols }, (_, i) => hash(`${seed} ${i}`) % 1000);
  });
}

/** What a dataset of the world is, beyond its description. */
interface Held {
  about: Dataset;
  content: Content;
}


const SIZES = [
  { scan: [6, 4], detector: [8, 8] },
  { scan: [6, 4], detector: [8, 8] },
  { scan: [4, 6], detector: [8, 8] },
  { scan: [1, 12], detector: [8, 8] },
  { scan: [6, 4], detector: [12, 10] },
] as const;

export class World {
  /** Contents by boot, dataset and reading; newest last. */
  readonly contents = new Map<string, Content[]>();
  boot = 0;
  held: Held[] = [];
  down = false;
  /** Requests so far. */
  asked = 0;
  /** Answers come at once and none is refused. */
  healthy = false;
  private versions = 0;
  private sockets: { socket: Socket; boot: number; open: boolean }[] = [];

  constructor(private readonly random: Random) {
    this.start();
  }

  surroundings(): Surroundings {
    return {
      open: () => this.connect(),
      probe: () => Promise.resolve("gone"),
      now: () => performance.now(),
      after: (milliseconds, call) => void setTimeout(call, milliseconds),
    };
  }

  /** Starts anew: often with the same files, now and then with others by the same names. */
  start(): void {
    const before = this.held;
    this.boot++;
    this.down = false;
    const count = 2 + this.random.below(4);
    const keep = before.length > 0 && this.random.chance(0.5);
    this.held = Array.from({ length: keep ? before.length : count }, (_, i): Held => {
      const old = before[i];
      if (keep && old) return { about: { ...old.about, read: 1 }, content: old.content };
      const { scan, detector } = this.random.pick(SIZES);
      const id = `d${i + 1}`;
      const path = `/data/${this.random.pick(["a", "b", "c"])}${i}_master.h5`;
      const about = fakeDataset(id, {
        path,
        name: path.slice(6),
        scan: [...scan],
        detector: [...detector],
        disk: { row: 3.5, col: 3.5, radius: 2 },
      });
      return { about, content: { path, version: ++this.versions } };
    });
    for (const one of this.held) this.remember(one);
    for (const one of this.held) if (this.random.chance(0.3)) this.become(one, this.anyState());
  }

  /** The server's process ends: sockets close, what was on its way is lost. */
  kill(): void {
    this.down = true;
    for (const one of this.sockets) {
      if (one.open) one.socket.onclose?.({ code: 1006, reason: "" });
      one.open = false;
    }
  }

  /** Something happens to a dataset: it is read again, streamed, cancelled, or fails. */
  change(): void {
    const one = this.random.pick(this.held);
    if (this.random.chance(0.4)) {
      one.content = { path: one.about.path, version: ++this.versions };
      one.about = { ...one.about, read: one.about.read + 1 };
      this.remember(one);
      this.become(one, this.random.pick(["preview", "ready", "streaming"]));
    } else {
      this.become(one, this.anyState());
    }
    this.tell(one);
  }

  /** All is in memory, nothing is refused, nothing is late. */
  heal(): void {
    this.healthy = true;
    if (this.down) this.start();
    for (const one of this.held) {
      if (one.about.state === "streaming") continue;
      this.become(one, "ready");
      this.tell(one);
    }
  }

  contentOf(boot: number, id: string, read: number): Content[] {
    return (this.contents.get(`${boot} ${id}`) ?? []).slice(Math.max(0, read - 1));
  }

  private remember({ about, content }: Held): void {
    const key = `${this.boot} ${about.id}`;
    this.contents.set(key, [...(this.contents.get(key) ?? []), content]);
  }

  private anyState(): DatasetState {
    return this.random.pick(["ready", "preview", "streaming", "stopped", "failed", "incomplete", "awaited"]);
  }

  private become(one: Held, state: DatasetState): void {
    const coarse = state === "preview" || state === "streaming" || state === "stopped";
    const step = state === "ready" ? 1 : coarse ? 2 : 0;
    const message = state === "failed" || state === "incomplete" || state === "awaited" ? "something is missing" : "";
    one.about = { ...one.about, state, step, message };
  }

  private tell({ about }: Held): void {
    this.soon(() => ({ op: "dataset", dataset: about }), 30);
  }

  /** Sends to the page that is connected now, somewhat later. */
  private soon(make: () => object, most: number): void {
    const connected = this.sockets.at(-1);
    const message = make();
    const send = (): void => connected?.socket.onmessage?.({ data: JSON.stringify(message) });
    // What the server tells by itself comes in order.
    this.later(send, this.healthy ? 0 : most, true);
  }

  private last = 0;
  private later(send: () => void, wait: number, ordered = false): void {
    const at = performance.now() + wait;
    const due = ordered ? (this.last = Math.max(this.last, at)) : at;
    setTimeout(send, due - performance.now());
  }

  private connect(): Socket {
    const socket: Socket = {
      binaryType: "",
      onmessage: null,
      onclose: null,
      send: (data) => this.receive(entry, JSON.parse(data)),
      close: () => (entry.open = false),
    };
    const entry = { socket, boot: this.boot, open: true };
    this.sockets.push(entry);
    if (this.down) {
      setTimeout(() => entry.open && socket.onclose?.({ code: 1006, reason: "" }), 1);
      return socket;
    }
    const hello = (): object => ({
      op: "hello",
      protocol: PROTOCOL_VERSION,
      version: `boot ${this.boot}`,
      max_detectors: 4,
      datasets: this.held.map(({ about }) => about),
      notes: [],
    });
    setTimeout(() => {
      if (!this.down && entry.boot === this.boot)
        socket.onmessage?.({ data: JSON.stringify(hello()) });
    }, 1);
    return socket;
  }

  private receive(from: { socket: Socket; boot: number; open: boolean }, asked: Asked): void {
    if (!from.open || from.boot !== this.boot) return;
    const { op, id, slot } = asked;
    this.asked++;
    if (op === "load" || op === "cancel") return;
    const { random } = this;
    // Stalled: this one is never answered.
    if (!this.healthy && random.chance(0.06)) return;
    const wait = this.healthy ? 1 : random.pick([0, 1, 5, 20, 100, 400, 3000, 70_000]);
    const say = (message: object, after: number): void =>
      this.later(() => from.socket.onmessage?.({ data: JSON.stringify(message) }), after);
    const one = this.held.find(({ about }) => about.id === asked["dataset"]);
    const refused = !this.healthy && random.chance(0.12);
    if (!one || refused || one.about.step === 0) {
      say({ op: "error", id, slot, message: `refused ${slot}`, code: "io" }, wait);
      return;
    }
    const exact = op === "frame" || one.about.state === "ready";
    const answer = (step: number, after: number): void => {
      const bytes = this.answer(one, asked, step);
      this.later(() => from.socket.onmessage?.({ data: bytes }), after);
      // An answer that comes twice, or late on a socket that is closed, must do no harm.
      if (!this.healthy && random.chance(0.05))
        this.later(() => from.socket.onmessage?.({ data: bytes }), after + 50);
    };
    answer(exact ? 1 : one.about.step, wait);
    if (exact || one.about.state !== "streaming") return;
    if (this.healthy || random.chance(0.7)) answer(1, wait + (this.healthy ? 1 : 300));
    else say({ op: "error", id, slot, message: "the files are gone", code: "io" }, wait + 10);
  }

  private answer({ about, content }: Held, asked: Asked, step: number): ArrayBuffer {
    const { op, id, slot } = asked;
    const image = op === "image";
    const of = image ? about.scan : about.detector;
    const parts = truth(content, asked, image ? step : 1, of);
    const scale = image || step === 1 ? 0 : 0.5; // A coarse pattern is another one.
    const values = Float64Array.from(parts.flat(), (v) => v + scale);
    const size = [Math.ceil(of[0] / (image ? step : 1)), Math.ceil(of[1] / (image ? step : 1))];
    const shape = image ? [parts.length, ...size] : size;
    // Now and then something that nobody asked for.
    const wrong = !this.healthy && this.random.chance(0.02);
    const header = {
      op,
      id,
      slot,
      dataset: wrong ? "another" : about.id,
      step,
      ms: 1,
      dropped: 0,
      frames: 24,
      ...(image && asked["mode"] !== "sum" && asked["mode"] !== "mean" && { rotation: ROTATION }),
    };
    const array: WireArray = { name: "images", dtype: "float64", shape, values };
    return encodeBinary(header, [array]);
  }
}
