// Tiles that are there and tiles that are asked for: a few at a time, the most wanted first.
// SPDX-License-Identifier: Apache-2.0
import type { TileAnswer } from "./messages";
import type { Cell, Tile } from "./types";

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
  key: string;
  wanted: Wanted;
  id: number;
  slot: string;
  progress: Progress | null;
}

export interface Counters {
  asked: number;
  answered: number;
  /** Asked for, and out of view before they came. */
  stopped: number;
}

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
  /** The least recently used first. */
  private readonly tiles = new Map<string, Tile>();
  private readonly flights = new Map<string, Flight>();
  private wanted: readonly Wanted[] = [];
  private kept = new Set<string>();
  private bytes = 0;
  private lastId = 0;

  constructor(
    /** False: it could not be sent. */
    private readonly send: (message: object) => boolean,
    /** Something came or went. */
    private readonly changed: () => void,
    private readonly side: () => number,
    private readonly mostBytes = 512 << 20,
  ) {}

  /** A tile that is there. */
  find(key: string): Tile | undefined {
    return this.tiles.get(key);
  }

  /** Replaces what is wanted, the most urgent first; what else was asked for is stopped. */
  want(wanted: readonly Wanted[]): void {
    this.wanted = wanted;
    this.kept = new Set(wanted.map(keyOf));
    for (const flight of [...this.flights.values()])
      if (!this.kept.has(flight.key)) this.stop(flight);
    for (const key of this.kept) this.touch(key);
    this.evict();
    this.pump();
  }

  answered(answer: TileAnswer): void {
    const flight = this.landed(answer);
    if (!flight) return;
    this.counters.answered++;
    const { pixels, damage } = answer;
    const [rows = 0, cols = 0, samples = 1] = pixels?.shape ?? [];
    const values = pixels?.values ?? NOTHING;
    this.put(flight, { cell: flight.wanted.cell, rows, cols, samples, values, damage, error: "" });
  }

  /** False when no tile was asked for so. */
  failed(failure: { id: number; slot: string; message: string }): boolean {
    const flight = this.landed(failure);
    if (!flight) return false;
    const { cell } = flight.wanted;
    const side = this.side();
    const error = failure.message;
    this.put(flight, {
      cell,
      rows: side,
      cols: side,
      samples: 1,
      values: NOTHING,
      damage: [],
      error,
    });
    return true;
  }

  progress({ id, slot, done, total }: Progress & { id: number; slot: string }): void {
    const flight = this.flights.get(slot);
    if (flight?.id !== id) return;
    flight.progress = { done, total };
    this.changed();
  }

  /** After a reconnection: asks again for what did not come or failed. */
  resume(): void {
    this.flights.clear();
    for (const [key, tile] of this.tiles) if (tile.error) this.tiles.delete(key);
    this.pump();
  }

  /** Forgets all tiles. */
  clear(): void {
    this.tiles.clear();
    this.bytes = 0;
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

  private landed({ id, slot }: { id: number; slot: string }): Flight | undefined {
    const flight = this.flights.get(slot);
    if (flight?.id !== id) return undefined;
    this.flights.delete(slot);
    return flight;
  }

  private put(flight: Flight, tile: Tile): void {
    this.tiles.set(flight.key, tile);
    this.bytes += tile.values.byteLength;
    this.evict();
    this.pump();
    this.changed();
  }

  private stop(flight: Flight): void {
    this.flights.delete(flight.slot);
    this.counters.stopped++;
    this.send({ op: "stop", id: ++this.lastId, slot: flight.slot });
  }

  private touch(key: string): void {
    const tile = this.tiles.get(key);
    if (!tile) return;
    this.tiles.delete(key);
    this.tiles.set(key, tile);
  }

  private evict(): void {
    for (const [key, tile] of this.tiles) {
      if (this.bytes <= this.mostBytes) return;
      if (this.kept.has(key)) continue;
      this.tiles.delete(key);
      this.bytes -= tile.values.byteLength;
    }
  }

  private pump(): void {
    const flying = new Set([...this.flights.values()].map(({ key }) => key));
    for (const wanted of this.wanted) {
      if (this.flights.size >= IN_FLIGHT) return;
      const key = keyOf(wanted);
      if (this.tiles.has(key) || flying.has(key)) continue;
      const slot = this.freeSlot();
      const id = ++this.lastId;
      const { slide, plane, cell } = wanted;
      if (!this.send({ op: "tile", id, slot, slide, plane, ...cell })) return;
      this.counters.asked++;
      this.flights.set(slot, { key, wanted, id, slot, progress: null });
      flying.add(key);
    }
  }

  private freeSlot(): string {
    for (let i = 0; ; ++i) if (!this.flights.has(`t${i}`)) return `t${i}`;
  }
}
