// Sessions: there and back exactly, and files that nobody vouches for.
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { DisplaySettings } from "../../types";
import { parseSession, readSession, sessionText } from "./session";
import type { Session } from "./session";

const display: DisplaySettings = {
  scale: "power",
  power: 0.3,
  limits: { kind: "absolute", low: -1e30, high: 5 },
  map: "ember",
  invert: true,
  symmetric: false,
  smooth: true,
  colorBar: true,
  scaleBar: false,
};

const session: Session = {
  datasets: [
    { name: "tilt 1", path: "/data/t1_master.h5" },
    { name: "tilt 2", path: "C:\\daten\\µ.h5" },
  ],
  dataset: 1,
  detectors: [
    {
      key: "d1",
      name: "BF",
      color: "#4fc3f7",
      region: { shape: "disk", center: [1 / 3, 95.1], outer: 20 },
    },
    {
      key: "d2",
      name: "</script>",
      color: "#fff",
      region: { shape: "polygon", corners: [[0, 0], [0, 5], [5, 0.1 + 0.2]] },
    },
    {
      key: "d3",
      name: "",
      color: "#ABCDEF",
      region: { shape: "annulus", center: [1, 2], inner: 3, outer: 3 },
    },
  ],
  selected: "d2",
  saved: [{ name: "mine", region: { shape: "rectangle", from: [0, 1], to: [2, 3] } }],
  mode: "com_vector",
  mask: "selected",
  descan: "mean",
  calibration: {
    scanStep: 0.02,
    detectorStep: 1.23456789,
    center: [95.5, 96],
    rotation: { degrees: -12.5, transpose: true },
  },
  calibrations: [{ dataset: 0, scanStep: 0.5, detectorStep: 0, center: null }],
  scan: {
    probe: [128, 7],
    region: { shape: "square", center: [9, 9], outer: 2 },
    regionKind: "max",
    source: "region",
  },
  display: { pattern: display, image: { ...display, map: "gray" }, fft: display },
  views: { pattern: { zoom: 3.7, center: [4, 5] }, image: null, fft: null },
  playback: { loop: true, bounce: false, reverse: true, fps: 30 },
  path: { points: [[1, 2], [3, 4]], loop: false, speed: 10 },
  profile: { panel: "image", from: [0, 1], to: [2, 3], width: 5 },
  compare: { open: true, datasets: [1, 0] },
  disks: {
    open: true,
    options: {
      least_snr: 4.5,
      least_score: 30,
      least_distance: 0,
      fit_radius: 9.5,
      template_radius: 6.2,
      template_edge: 1.1,
    },
    reference: "region" as const,
    axisDegrees: -30,
  },
  orientation: { kilovolts: 200, zoneStep: 2, leastProbability: 0.9, by: "crystal" },
  open: { fft: true, gallery: false, disk: true },
};

const other: Session = {
  ...session,
  detectors: [],
  selected: null,
  mode: "sum",
  path: { points: [], loop: true, speed: 1 },
};

/** The session with the value at a place replaced. */
function broken(place: string, value: unknown): unknown {
  const copy: unknown = JSON.parse(sessionText(session, "1", "now"));
  const steps = place.split(".");
  const last = steps.pop()!;
  let at: unknown = copy;
  for (const step of steps) if (isRecord(at)) at = at[step];
  if (isRecord(at)) at[last] = value;
  return copy;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

describe("sessionText and parseSession", () => {
  it("go there and back exactly", () => {
    const text = sessionText(session, "1.2.3", "2026-01-02T03:04:05Z");
    expect(parseSession(text, other)).toEqual({ ok: true, value: session });
    expect(JSON.parse(text)).toMatchObject({ schema: "sluice-session/1", version: "1.2.3" });
  });

  it("keep what the file does not speak of, and pass over what they do not know", () => {
    const text = JSON.stringify({ schema: "sluice-session/1", mode: "icom", later: [1] });
    expect(parseSession(text, other)).toEqual({ ok: true, value: { ...other, mode: "icom" } });
  });

  it("drop references to what is not there", () => {
    const value = readSession(broken("selected", "d9"), other);
    expect(value).toMatchObject({ ok: true, value: { selected: null } });
    expect(readSession(broken("dataset", 7), other)).toMatchObject({ value: { dataset: null } });
    const compare = { open: true, datasets: [0, 99] };
    expect(readSession(broken("compare", compare), other)).toMatchObject({
      value: { compare: { datasets: [0] } },
    });
  });

  it.each([
    ["", "not JSON"],
    ["{", "not JSON"],
    ["null", "the session must be an object, it is null"],
    ["[]", "must be an object"],
    ["{}", `its "schema" is not "sluice-session/1"`],
    ['{"schema": "sluice-session/2"}', "version 2"],
    ['{"schema": "py4dstem"}', "no Sluice session"],
    ['{"schema": 1}', "no Sluice session"],
  ])("refuse %j", (text, why) => {
    const got = parseSession(text, other);
    expect(got.ok ? "" : got.message).toContain(why);
  });

  it.each([
    ["mode", "SUM", "mode must be one of sum, mean"],
    ["descan", "line", "descan must be one of mean, plane"],
    ["mode", "__proto__", "mode must be one of"],
    ["detectors", {}, "detectors must be a list"],
    ["detectors.1", null, "detectors[1] must be an object, it is null"],
    ["detectors.1.region.shape", "star", "detectors[1].region.shape must be one of point"],
    ["detectors.1.region.shape", "constructor", "detectors[1].region.shape"],
    ["detectors.1.region.corners", [[0, 0]], "detectors[1].region.corners must be a list of 3"],
    ["detectors.0.region.outer", -1, "detectors[0].region.outer must be a number from 0"],
    ["detectors.0.region.outer", "20", `it is "20"`],
    ["detectors.0.region.center", [1], "detectors[0].region.center must be a list of 2 to 2"],
    ["detectors.0.region.center", [1, null], "detectors[0].region.center[1]"],
    ["detectors.2.region.inner", 4, "detectors[2].region.inner must be at most outer (3)"],
    ["detectors.0.color", "red;background:url(//x)", "detectors[0].color must be a colour"],
    ["detectors.0.key", "d2", "detectors[1].key must be of one detector only"],
    ["detectors.0.name", "x".repeat(1001), "detectors[0].name must be a text of at most 1000"],
    ["calibration.scanStep", -0.1, "calibration.scanStep"],
    ["calibration.rotation", "left", "calibration.rotation"],
    ["calibration.rotation", { degrees: 1 }, "calibration.rotation.transpose must be true or"],
    ["display.fft", undefined, "display.fft must be an object, it is missing"],
    ["display.image.limits", { kind: "percentile", low: -5, high: 50 }, "display.image.limits"],
    ["display.image.power", 0, "display.image.power"],
    ["display.image.map", "../x", "display.image.map"],
    ["views.pattern.zoom", 0, "views.pattern.zoom"],
    ["playback.fps", 0, "playback.fps must be a number from 1 to 60"],
    ["playback.loop", 1, "playback.loop must be true or false"],
    ["profile.width", 1e9, "profile.width"],
    ["compare.datasets", [0.5], "compare.datasets[0] must be a whole number"],
    ["scan.source", "all", "scan.source"],
  ])("name what is wrong: %s", (place, value, why) => {
    const got = readSession(broken(place, value), other);
    expect(got.ok ? "" : got.message).toContain(why);
  });

  it("are not taken in by numbers that JSON lets overflow, or by names of prototypes", () => {
    const text = sessionText(session, "1", "now").replace('"scanStep": 0.02', '"scanStep": 1e999');
    expect(parseSession(text, other)).toMatchObject({ ok: false });
    const trick = '{"schema": "sluice-session/1", "__proto__": {"mode": "icom"}}';
    expect(parseSession(trick, other)).toEqual({ ok: true, value: other });
    expect(Object.hasOwn(Object.prototype, "mode")).toBe(false);
  });

  it("refuse a list that would fill the memory", () => {
    const points = Array.from({ length: (1 << 20) + 1 }, () => 0);
    const got = readSession(broken("path.points", points), other);
    expect(got.ok ? "" : got.message).toContain("path.points must be a list of 0 to 1048576");
  });
});
