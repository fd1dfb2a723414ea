// Orientations against a server in memory: what is asked when, what stands, and what is drawn.
// SPDX-License-Identifier: Apache-2.0
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { handleKey } from "../keyboard";
import { orientationCommand, orientationPointText } from "../orientation_words";
import { FakeServer, fakeDataset } from "../protocol/fake";
import { calibrate, forgetCalibration } from "./calibration";
import { setDiskOptions, openDisks, USUAL } from "./disks";
import { connect } from "./live";
import {
  candidateIndex,
  matchOnPattern,
  matchQuestion,
  nextCandidate,
  shownCandidate,
  shownMatch,
} from "./match";
import {
  cancelOrientations,
  crystals,
  findOrientations,
  leftOut,
  orientationBusy,
  orientationIsOld,
  orientationPanelOpen,
  orientationProgress,
  orientationQuestion,
  setOrientationOptions,
  shownOrientation,
  USUAL_ORIENTATION,
} from "./orientation";
import { moveProbe, patternSource } from "./scan";
import { during } from "./timing";

const server = new FakeServer();
const asked = (slot: string): typeof server.received =>
  server.received.filter((one) => one.slot === slot);
const key = (name: string): boolean => handleKey(new KeyboardEvent("keydown", { key: name }));

beforeAll(() => {
  server.datasets = [fakeDataset("one")];
  connect(server.surroundings());
  server.greet();
  during(() => openDisks(true));
});

beforeEach(() => {
  server.received.length = 0;
  server.eager = true;
});

describe("orientations", () => {
  it("know the crystals that the command line named", () => {
    expect(crystals.value.map((one) => one.name)).toEqual(["Gold", "Iron"]);
    expect(orientationPanelOpen.value).toBe(false);
    expect(shownMatch.value).toBeNull();
    expect(key("m")).toBe(false);
  });

  it("are asked for by their button alone, with the page's calibration", () => {
    expect(asked("orientation")).toHaveLength(0);
    during(findOrientations);
    expect(asked("orientation").at(-1)).toMatchObject({
      op: "orientation",
      disks: {},
      crystals: [],
      library: {},
      match: {},
      calibration: { by: "automatic", step_mrad: 1 },
    });
    expect(asked("orientation").at(-1)).not.toHaveProperty("calibration.center");
    expect(shownOrientation.value?.words.indexed).toBe(46);
    during(() => {
      calibrate({ center: [8, 9], detectorStep: 0.5, rotation: { degrees: 5, transpose: true } });
      setDiskOptions({ least_score: 50 });
      setOrientationOptions({ kilovolts: 200, zoneStep: 2, leastProbability: 0.8, by: "crystal" });
      leftOut.value = new Set(["/data/gold.cif"]);
    });
    expect(asked("orientation")).toHaveLength(1);
    expect(orientationIsOld.value).toBe(true);
    during(findOrientations);
    expect(asked("orientation").at(-1)).toMatchObject({
      disks: { least_score: 50 },
      crystals: [1],
      library: { kilovolts: 200, zone_step: 2 },
      match: { least_probability: 0.8 },
      calibration: {
        by: "crystal",
        step_mrad: 0.5,
        center: [8, 9],
        rotation: { degrees: 5, transpose: true },
      },
    });
    expect(orientationIsOld.value).toBe(false);
    during(() => {
      forgetCalibration();
      setDiskOptions(USUAL);
      setOrientationOptions(USUAL_ORIENTATION);
      leftOut.value = new Set();
    });
    during(findOrientations);
  });

  it("tell a point, and why it is not indexed", () => {
    const now = shownOrientation.value!;
    expect(orientationPointText(now, [0, 0])).toBe(
      "Row 0, column 0 · not indexed: the pattern has no disks (no counts)",
    );
    expect(orientationPointText(now, [0, 1])).toBe("Row 0, column 1 · not indexed: too few disks");
    expect(orientationPointText(now, [2, 1])).toBe(
      "Row 2, column 1 · Gold · φ1 10.0°, Φ 20.0°, φ2 30.0° ± 0.12° · probability 0.990",
    );
    expect(orientationPointText(now, [99, 1])).toBe("");
    // What is not indexed has no colour.
    for (const { rgb } of now.colors) expect(Math.max(...rgb.subarray(0, 6))).toBe(0);
    expect(now.legends).toHaveLength(2);
  });

  it("have a command where the crystal is the measure", () => {
    const now = shownOrientation.value!;
    const files = crystals.value.map((one) => one.file);
    const of = { path: "/data/my scan.h5", loading: ["--det-bin", "2"], disks: { least_snr: 4 } };
    expect(orientationCommand(now, of, files)).toBe("");
    const scale = { ...now.words.scale, by: "crystal" };
    const request = { ...now.request, crystals: [1], library: { zone_step: 2 }, match: { least_probability: 0.8 } };
    const measured = { ...now, request, words: { ...now.words, scale } };
    expect(orientationCommand(measured, of, files)).toBe(
      "sluice stem4d orientation '/data/my scan.h5' --det-bin 2 --least-snr 4 " +
        "--crystal /data/iron.cif --energy 300 --zone-step 2 --least-probability 0.8 " +
        "--save-disks disks.h5 --out orientation",
    );
  });

  it("of a wrong answer are refused", () => {
    server.remarks = { calibration: undefined };
    server.datasets = [fakeDataset("one", { scan: [3, 3] })];
    during(() => setOrientationOptions({ zoneStep: 3 }));
    during(findOrientations);
    expect(orientationQuestion.standing.value.kind).toBe("failed");
    server.remarks = {};
    server.datasets = [fakeDataset("one")];
    during(() => setOrientationOptions(USUAL_ORIENTATION));
    during(findOrientations);
    expect(orientationQuestion.standing.value.kind).toBe("answered");
  });
});

describe("matches", () => {
  it("are of the pattern at the probe, as the map was made", () => {
    during(() => moveProbe([5, 2]));
    expect(asked("match").at(-1)).toMatchObject({ op: "match", row: 5, col: 2, crystals: [] });
    expect(matchOnPattern.value?.words.candidates).toHaveLength(2);
    expect(matchOnPattern.value?.spots.map((one) => one.length)).toEqual([2, 1]);
    expect(matchOnPattern.value?.spots[0]?.[1]).toEqual({
      row: 7.5,
      col: 11.5,
      intensity: 0.25,
      hkl: [2, 0, 0],
    });
  });

  it("show the next best one by a key, and the best one of another pattern", () => {
    expect(candidateIndex.value).toBe(0);
    expect(key("m")).toBe(true);
    expect(candidateIndex.value).toBe(1);
    expect(shownCandidate.value?.euler[0]).toBe(100);
    during(() => moveProbe([5, 3]));
    expect(candidateIndex.value).toBe(0);
    during(nextCandidate);
    during(nextCandidate);
    expect(candidateIndex.value).toBe(0);
  });

  it("of another frame, or beside another pattern, are not drawn", () => {
    server.eager = false;
    during(() => moveProbe([6, 1]));
    server.answer(asked("pattern").at(-1)!);
    expect(matchOnPattern.value).toBeNull();
    server.answer(asked("match").at(-1)!);
    expect(matchOnPattern.value?.request).toMatchObject({ row: 6, col: 1 });
    server.eager = true;
    during(() => (patternSource.value = "mean"));
    expect(matchOnPattern.value).toBeNull();
    during(() => (patternSource.value = "probe"));
  });

  it("of a pattern without disks are none", () => {
    during(() => moveProbe([0, 0]));
    expect(matchQuestion.standing.value.kind).toBe("answered");
    expect(shownCandidate.value).toBeNull();
    expect(nextCandidate()).toBe(false);
  });
});

describe("a search", () => {
  it("shows progress, and is cancelled by a word to the server", () => {
    server.eager = false;
    during(() => setOrientationOptions({ zoneStep: 4 }));
    during(findOrientations);
    expect(orientationBusy.value).toBe(true);
    const far = { dataset: "one", slot: "orientation", done: 3, total: 12, rate: 1 };
    server.say({ op: "progress", ...far, task: "library" });
    expect(orientationProgress.value).toMatchObject({ task: "library", done: 3 });
    during(cancelOrientations);
    expect(server.received.at(-1)).toMatchObject({ op: "stop", slot: "orientation" });
    expect(orientationBusy.value).toBe(false);
    expect(orientationPanelOpen.value).toBe(false);
    expect(orientationProgress.value).toBeNull();
    expect(shownMatch.value).toBeNull();
    during(() => setOrientationOptions(USUAL_ORIENTATION));
  });
});
