// A small server in memory with a synthetic scan, for the unit tests of the page.
// SPDX-License-Identifier: Apache-2.0
import { encodeBinary } from "../../shell/protocol/encode";
import { type Asked as AskedOfAny, FakePeer } from "../../shell/protocol/fake";
import type { WireArray } from "../../types";
import { FAKE_PLAN, FAKE_STRAIN, fakeDisks, fakeStrain } from "./fake_crystal";
import { FAKE_CRYSTALS, FAKE_ORIENTATION, fakeMatch, fakeOrientation } from "./fake_orientation";
import { contains } from "../geometry/contains";
import type { Dataset, Shape } from "../types";

/** A dataset of `scan` x `detector` pixels as the server would describe it. */
export function fakeDataset(id: string, changes: Partial<Dataset> = {}): Dataset {
  return {
    id,
    name: id,
    path: `/data/${id}_master.h5`,
    state: "ready",
    message: "",
    scan: [8, 6],
    detector: [16, 16],
    dtype: "uint16",
    step: 1,
    energy_kv: 0,
    scan_step_nm: 0.5,
    detector_step_mrad: 1,
    disk: { row: 7.5, col: 7.5, radius: 4 },
    layout: "planes",
    bytes: { resident: 1000, source: 800, float32: 4000 },
    frames: 48,
    missing: 0,
    changed: false,
    read: 1,
    grid: { origin: [0, 0], bin: 1 },
    units: { pixel: "counts", sum: "counts" },
    notes: [],
    live: null,
    metadata: [{ name: "voltage", value: "300", unit: "kV" }],
    ...changes,
  };
}

/** Counts of the synthetic scan: a disk that moves with the scan point. */
export function fakeCounts(point: readonly number[], pixel: readonly number[]): number {
  const [row = 0, col = 0] = point;
  const [y = 0, x = 0] = pixel;
  const inside = Math.hypot(y - 7.5 - row / 8, x - 7.5 - col / 6) <= 4;
  return inside ? 10 + row + 2 * col : 1;
}

const WHOLE: Shape = { shape: "rectangle", from: [0, 0], to: [15, 15] };

interface Asked extends AskedOfAny {
  dataset?: string;
  detectors?: Shape[];
  mode?: string;
  disks?: { least_score?: number };
  row?: number;
  col?: number;
  after?: number;
}

/** A series as the server would describe it. */
export function fakeSeries(id: string, running: boolean, changes: Partial<Dataset> = {}): Dataset {
  const series = id.slice(1);
  return fakeDataset(id, {
    name: `series ${series}, 14:03:0${series}`,
    path: "tcp://detector:31001",
    state: running ? "live" : "ready",
    live: {
      address: "tcp://detector:31001",
      series,
      began: `14:03:0${series}`,
      running,
      disk_points: 64,
      problems: [],
    },
    ...changes,
  });
}

/** A server of synthetic scans: the test decides when it answers. */
export class FakeServer extends FakePeer<Asked> {
  datasets: Dataset[] = [fakeDataset("one")];
  /** Streams that it listens to. */
  live: object[] = [];
  /** More fields of answers. */
  remarks: object = {};

  protected hello(): object {
    const crystals = FAKE_CRYSTALS;
    return { max_detectors: 16, datasets: this.datasets, crystals, live: this.live, notes: [] };
  }

  /** Answers a request the way the server would. */
  answer(asked: Asked, step = 1): void {
    const { op, id, slot, dataset } = asked;
    const header = { op, id, slot, dataset, step, ms: 1, dropped: 0, ...this.remarks };
    const known = this.datasets.find((one) => one.id === dataset);
    if (!known) {
      this.say({ op: "error", id, slot, message: `no dataset '${dataset}'`, code: "unknown" });
    } else if (op === "image") {
      // Moments are of one detector, or of all pixels; a vector map has two images.
      const count = asked.mode === "com_vector" ? 2 : 1;
      const sums = asked.mode === "sum" || asked.mode === "mean";
      const list = sums ? (asked.detectors ?? []) : Array<Shape>(count).fill(WHOLE);
      this.push(encodeBinary(header, [this.images(known, list)]));
    } else if (op === "disks") {
      const about = { reason: "found", plan: FAKE_PLAN };
      this.push(encodeBinary({ ...about, ...header }, [fakeDisks(asked)]));
    } else if (op === "strain") {
      this.push(encodeBinary({ ...header, ...FAKE_STRAIN }, fakeStrain(known)));
    } else if (op === "orientation") {
      this.push(encodeBinary({ ...header, ...FAKE_ORIENTATION }, fakeOrientation(known)));
    } else if (op === "match") {
      const { words, arrays } = fakeMatch(asked.row ?? 0, asked.col ?? 0);
      this.push(encodeBinary({ ...header, ...words }, arrays));
    } else {
      this.push(encodeBinary(header, [this.pattern(known, [asked.row ?? 0, asked.col ?? 0])]));
    }
  }

  private images({ scan, detector }: Dataset, detectors: Shape[]): WireArray {
    const values = new Float32Array(detectors.length * scan[0] * scan[1]);
    let at = 0;
    for (const shape of detectors)
      for (let row = 0; row < scan[0]; row++)
        for (let col = 0; col < scan[1]; col++, at++)
          for (let y = 0; y < detector[0]; y++)
            for (let x = 0; x < detector[1]; x++)
              if (contains(shape, [y, x])) values[at]! += fakeCounts([row, col], [y, x]);
    return { name: "images", dtype: "float32", shape: [detectors.length, ...scan], values };
  }

  private pattern({ detector }: Dataset, point: readonly number[]): WireArray {
    const values = new Float32Array(detector[0] * detector[1]);
    for (let y = 0; y < detector[0]; y++)
      for (let x = 0; x < detector[1]; x++)
        values[y * detector[1] + x] = fakeCounts(point, [y, x]);
    return { name: "pattern", dtype: "float32", shape: [...detector], values };
  }
}
