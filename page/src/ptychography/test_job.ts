// A job as a server tells it, for the tests.
// SPDX-License-Identifier: Apache-2.0
import type { Fields } from "../shell/protocol/check";
import { encodeBinary } from "../shell/protocol/encode";
import { type Asked, FakePeer } from "../shell/protocol/fake";

export const toldJob = (changes: Fields = {}): Fields => ({
  number: 1,
  name: "scan.h5",
  patterns: 4,
  size: 4,
  window: 4,
  pixel_nm: 0.01,
  wavelength_nm: 0.00197,
  slices: 1,
  slice_nm: 0,
  modes: 2,
  follows: false,
  stages: [
    { solver: "lsqml", iterations: 3, refines: false },
    { solver: "epie", iterations: 2, refines: true },
  ],
  ...changes,
});

export const toldState = (changes: Fields = {}): Fields => ({
  job: 1,
  state: "running",
  message: "",
  iteration: 0,
  iterations: 5,
  done: 0,
  total: 20,
  rate: null,
  left: null,
  elapsed: 1,
  r: null,
  floor: null,
  curve: 0,
  snapshot: 0,
  snapshot_iteration: 0,
  powers: [],
  job_notes: [],
  ...changes,
});

export interface MonitorAsked extends Asked {
  slice?: number;
  mode?: number;
  from?: number;
  job?: number;
}

/** A server whose numbers tell what they are of: the real parts are 100 snapshot + plane. */
export class MonitorPeer extends FakePeer<MonitorAsked> {
  job: Fields | null = toldJob();
  state: Fields = toldState();
  r: number[] = [];
  stages: number[] = [];
  /** Of finished results. */
  results: { job: Fields; state: Fields }[] = [];
  notes: string[] = [];

  protected hello(): object {
    return { job: this.job, state: this.state, notes: this.notes, results: this.results };
  }

  /** Tells the state with changes, which stay. */
  tell(changes: Fields): void {
    this.state = { ...this.state, ...changes };
    this.say({ op: "state", ...this.state });
  }

  begin(job: Fields): void {
    this.job = job;
    this.say({ op: "job", job });
  }

  count(op: string): number {
    return this.received.filter((one) => one.op === op).length;
  }

  answer(asked: MonitorAsked): void {
    const { op, id, slot } = asked;
    const about = { op, id, slot, job: asked.job ?? this.state.job, iteration: this.state.snapshot_iteration };
    const floats = (name: string, shape: number[], values: number[]) =>
      ({ name, dtype: "float32" as const, shape, values: new Float32Array(values) });
    if (op === "object" || op === "probe") {
      const [rows, cols] = op === "object" ? [8, 10] : [4, 4];
      const real = 100 * Number(this.state.snapshot) + (asked.slice ?? asked.mode ?? 0);
      const values = Array.from({ length: 2 * rows * cols }, (_, i) => (i < rows * cols ? real : 0));
      this.push(encodeBinary(about, [floats("wave", [2, rows, cols], values)]));
    } else if (op === "positions") {
      const started = new Float64Array([1, 1, 1, 4, 3, 1, 3, 4]);
      this.push(
        encodeBinary(about, [
          { name: "started", dtype: "float64", shape: [4, 2], values: started },
          floats("moved", [4, 2], [0, 0, 0, 0.25, 0, 0, 0, 0]),
        ]),
      );
    } else if (op === "curve") {
      const r = this.r.slice(asked.from);
      const stages = new Uint8Array(this.stages.slice(asked.from));
      this.push(
        encodeBinary(about, [
          floats("r", [r.length], r),
          { name: "stage", dtype: "uint8", shape: [r.length], values: stages },
        ]),
      );
    }
  }
}
