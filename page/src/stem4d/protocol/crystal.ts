// What the server says of disks, lattices and strain, read from untrusted JSON.
// SPDX-License-Identifier: Apache-2.0
import { asFields, asList, type Fields, number, text, texts } from "../../shell/protocol/check";
import type { Point } from "../../types";

/** How disks are found: what was decided, with a sentence for each decision. */
export interface DiskPlan {
  template: {
    radius: number;
    edge: number;
    /** One standard deviation; 0 where it was given and not fitted. */
    radiusError: number;
    edgeError: number;
    fitted: boolean;
    source: string;
  };
  options: {
    least_snr: number;
    least_score: number;
    least_distance: number;
    fit_radius: number;
  };
  why: string[];
  notes: string[];
}

/** Of a scan's strain, beside its arrays. */
export interface StrainWords {
  maps: { name: string; unit: string }[];
  /** Found in the whole scan. */
  disks: number;
  /** Points with a lattice. */
  fitted: number;
  sigmaSys: number;
  a: Point;
  b: Point;
  /** By the codes of `reason` and `disk_reason`. */
  reasons: string[];
  diskReasons: string[];
  notes: string[];
}

export function readPlan(value: unknown): DiskPlan | null {
  if (value === undefined || value === null) return null;
  const from = asFields(value, "plan");
  const of = asFields(from.template, "template");
  const options = asFields(from.options, "options");
  return {
    template: {
      radius: number(of, "radius"),
      edge: number(of, "edge_width"),
      radiusError: number(of, "radius_error", 0),
      edgeError: number(of, "edge_width_error", 0),
      fitted: of.fitted === true,
      source: text(of, "source", ""),
    },
    options: {
      least_snr: number(options, "least_snr"),
      least_score: number(options, "least_score"),
      least_distance: number(options, "least_distance"),
      fit_radius: number(options, "fit_radius"),
    },
    why: texts(from, "why"),
    notes: texts(from, "notes"),
  };
}

function vector(from: Fields, name: string): Point {
  const [row, col] = asList(from[name], name, 2);
  return [Number(row), Number(col)];
}

export function readStrain(from: Fields): StrainWords | null {
  if (from.maps === undefined) return null;
  const basis = asFields(from.basis, "basis");
  return {
    maps: asList(from.maps, "maps", 16).map((one) => {
      const map = asFields(one, "map");
      return { name: text(map, "name"), unit: text(map, "unit", "") };
    }),
    disks: number(from, "disks"),
    fitted: number(from, "fitted"),
    sigmaSys: number(from, "sigma_sys", 0),
    a: vector(basis, "a"),
    b: vector(basis, "b"),
    reasons: texts(from, "reasons"),
    diskReasons: texts(from, "disk_reasons"),
    notes: texts(from, "notes"),
  };
}
