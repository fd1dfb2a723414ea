// Tiles that are there and tiles that are asked for: a few at a time, the most wanted first.
// SPDX-License-Identifier: Apache-2.0
import type { Slots } from "../shell/protocol/slots";
import { Recent } from "../shell/recent";
import type { Answer, SlideWords, TileAnswer } from "./messages";
import type { Cell, Tile } from "./types";

/** What tiles need of a connection. */
export type Line = Pick<Slots<SlideWords>, "ask" | "tell" | "drop">;

/** A tile that should be there. */
export interface Wanted {
  readonly slide: string;
  /** By dimension letter; the channel too. */
  readonly plane: Readonly<Record<string, number>>;
  readonly cell: Cell;
}

export interface Progress {
  done: number;
  total: number;
}

interface Flight {
  readonly key: string;
  readonly wanted: Wanted;
  readonly slot: string;
  progress: Progress | null;
}

export interface Counters {
  asked: number;
  answered: number;
  /** Asked for, and out of view before they came. */
  stopped: number;
}

const WRONG = "The server answered something else than was asked for.";

/** As many as keep the server's threads busy; more would be out of date when their turn comes. */
const IN_FLIGHT = 8;

/** One text per tile. */
export function keyOf({ slide, plane, cell }: Wanted): string {
  const at = Object.entries(plane)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([letter, index]) => letter + index);
  return `${slide} ${at.join(" ")} ${cell.zoom}/${cell.row}/${cell.col}`;
}

const NOTHING = new Uint8Array(0);

export class TileStore {
  readonly counters: Counters = { asked: 0, answered: 0, stopped: 0 };
  private readonly tiles: Recent<Tile>;
  /** By slot. */
  private readonly flights = new Map<string, Flight>();
  private wanted: readonly Wanted[] = [];
  private kept = new Set<string>();

  constructor(
    private readonly line: Line,
    /** Something came or went. */
    private readonly changed: () => void,
    private readonly side: () => number,
    mostBytes = 512 << 20,
  ) {
    const unwanted = (key: string): boolean => !this.kept.has(key);
    this.tiles = new Recent(mostBytes, ({ values }) => values.byteLength, unwanted);
  }

  /** A tile that is there. */
  find(key: string): Tile | undefined {
    return this.tiles.peek(key);
  }

  /** Replaces what is wanted, the most urgent first; what else was asked for is stopped. */
  want(wanted: readonly Wanted[]): void {
    this.wanted = wanted;
    this.kept = new Set(wanted.map(keyOf));
    for (const flight of [...this.flights.values()])
      if (!this.kept.has(flight.key)) this.stop(flight);
    for (const key of this.kept) this.tiles.get(key);
    this.tiles.trim();
    this.pump();
  }

  /** After a reconnection: asks again for what did not come or failed. */
  resume(): void {
    for (const [key, tile] of this.tiles.entries()) if (tile.error) this.tiles.delete(key);
    this.pump();
  }

  /** Forgets all tiles. */
  clear(): void {
    this.tiles.clear();
  }

  /** How many wanted tiles are not there. */
  missing(): number {
    return this.wanted.reduce((n, one) => n + (this.tiles.has(keyOf(one)) ? 0 : 1), 0);
  }

  /** How far the slowest read is that tells. */
  slowest(): Progress | null {
    const told = [...this.flights.values()].flatMap(({ progress }) => progress ?? []);
    return told.sort((a, b) => a.done / a.total - b.done / b.total)[0] ?? null;
  }

  private answered(flight: Flight, answer: Answer): void {
    this.counters.answered++;
    this.land(flight, answer.op === "tile" ? tileOf(flight, answer) : this.none(flight, WRONG));
  }

  /** A tile that says why there is none. */
  private none({ wanted: { cell } }: Flight, error: string): Tile {
    const side = this.side();
    return { cell, rows: side, cols: side, samples: 1, values: NOTHING, damage: [], error };
  }

  private land(flight: Flight, tile: Tile): void {
    this.flights.delete(flight.slot);
    this.tiles.put(flight.key, tile);
    this.pump();
    this.changed();
  }

  private stop({ slot }: Flight): void {
    this.flights.delete(slot);
    this.counters.stopped++;
    this.line.drop(slot);
    this.line.tell({ op: "stop" }, slot);
  }

  private pump(): void {
    const flying = new Set([...this.flights.values()].map(({ key }) => key));
    for (const wanted of this.wanted) {
      if (this.flights.size >= IN_FLIGHT) return;
      const key = keyOf(wanted);
      if (this.tiles.has(key) || flying.has(key)) continue;
      if (!this.ask({ key, wanted, slot: this.freeSlot(), progress: null })) return;
      flying.add(key);
    }
  }

  /** False: there is no connection. */
  private ask(flight: Flight): boolean {
    const { wanted, slot } = flight;
    const { slide, plane, cell } = wanted;
    let lost = false;
    this.flights.set(slot, flight);
    this.line.ask(slot, { op: "tile", slide, plane, ...cell }, {
      answered: (answer) => this.answered(flight, answer),
      progress: ({ done, total }) => {
        flight.progress = { done, total };
        this.changed();
      },
      failed: ({ code, message }) => {
        lost = code === "lost";
        // What the connection took with it is asked for again when there is one.
        if (lost) this.flights.delete(slot);
        else this.land(flight, this.none(flight, message));
      },
    });
    if (!lost) this.counters.asked++;
    return !lost;
  }

  private freeSlot(): string {
    for (let i = 0; ; ++i) if (!this.flights.has(`t${i}`)) return `t${i}`;
  }
}

function tileOf({ wanted: { cell } }: Flight, { pixels, damage }: TileAnswer): Tile {
  const [rows = 0, cols = 0, samples = 1] = pixels?.shape ?? [];
  return { cell, rows, cols, samples, values: pixels?.values ?? NOTHING, damage, error: "" };
}
