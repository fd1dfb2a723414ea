// The state against a server in memory: what is asked for when the user does something.
// SPDX-License-Identifier: Apache-2.0
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dismiss, notices } from "../../shell/notices";
import { FakeServer, fakeCounts, fakeDataset } from "../protocol/fake";
import { contains } from "../geometry/contains";
import { cancel, dataset, datasets, progress, select, selectedId, series } from "./datasets";
import {
  addShape,
  choosePreset,
  detectors,
  editDetector,
  moveSelected,
  removeDetector,
  selected,
  setDetectors,
} from "./detectors";
import { calibrate, calibrateAlike, forgetCalibration, scanStepOf } from "./calibration";
import { gallery } from "./gallery";
import { descan, imageDrawn, mask, mode, pending, picture, shown } from "./images";
import { connect, isIdle, phase } from "./live";
import { shownPattern } from "./pattern";
import { frameIndex, stepFrame } from "./playback";
import { moveProbe, nudgeProbe, patternSource, probe, region, setRegion } from "./scan";
import { currentSession, applySession } from "./session";
import { drawCounts, during } from "./timing";

const server = new FakeServer();
const asked = (slot: string): typeof server.received =>
  server.received.filter((one) => one.slot === slot);

beforeAll(() => {
  server.datasets = [
    fakeDataset("one"),
    fakeDataset("two"),
    fakeDataset("three"),
    fakeDataset("bad", { state: "incomplete", step: 0, missing: 3 }),
  ];
  connect(server.surroundings());
  server.greet();
});

beforeEach(() => {
  server.received.length = 0;
  server.eager = true;
});

describe("after hello", () => {
  it("the first dataset is looked at, with BF and ADF on its disk", () => {
    expect(phase.value.kind).toBe("open");
    expect(dataset.value?.id).toBe("one");
    expect(detectors.value.map((one) => one.name)).toEqual(["BF", "ADF"]);
    expect(selected.value?.region).toEqual({ shape: "disk", center: [7.5, 7.5], outer: 4 });
    expect(probe.value).toEqual([4, 3]);
  });

  it("the image is the sum over the detector", () => {
    const here = picture.value;
    if (!here || !("values" in here)) throw new Error("no image");
    let expected = 0;
    for (let y = 0; y < 16; y++)
      for (let x = 0; x < 16; x++)
        if (contains(selected.value!.region, [y, x])) expected += fakeCounts([5, 2], [y, x]);
    expect(here.values[5 * 6 + 2]).toBe(expected);
    expect(shown.value?.step).toBe(1);
  });

  it("the gallery has an image of each detector", () => {
    expect([...gallery.value.keys()].sort()).toEqual(detectors.value.map((one) => one.key).sort());
  });
});

describe("a drag", () => {
  it("asks for the newest place only, and for no other detector's image", () => {
    server.eager = false;
    for (let step = 0; step < 5; step++) during(() => moveSelected(0, 0.5));
    expect(asked("image")).toHaveLength(1);
    server.eager = true;
    server.answer(asked("image")[0]!);
    expect(asked("image")).toHaveLength(2);
    expect(asked("gallery")).toHaveLength(0);
    expect(asked("image")[1]?.detectors).toEqual([selected.value?.region]);
    expect(pending.value).toBe(false);
    imageDrawn();
    expect(drawCounts()["image"]).toBeGreaterThan(0);
  });

  it("back to where it was needs no request", () => {
    during(() => moveSelected(0, 1));
    const sent = asked("image").length;
    during(() => moveSelected(0, -1));
    expect(asked("image")).toHaveLength(sent);
  });
});

describe("the diffraction panel", () => {
  it("follows the probe, which stays on the scan", () => {
    during(() => moveProbe([100, -3]));
    expect(probe.value).toEqual([7, 0]);
    expect(asked("pattern").at(-1)).toMatchObject({ op: "frame", row: 7, col: 0 });
    expect(shownPattern.value?.raster.values[7 * 16 + 8]).toBe(fakeCounts([7, 0], [7, 8]));
    during(() => nudgeProbe(-1, 2));
    expect(probe.value).toEqual([6, 2]);
  });

  it("shows the region's frames, and the probe's after it is removed", () => {
    during(() => setRegion({ shape: "disk", center: [3, 3], outer: 2 }));
    expect(patternSource.value).toBe("region");
    expect(asked("pattern").at(-1)).toMatchObject({ op: "region", kind: "mean" });
  });
});

describe("modes", () => {
  it("of the centre of mass ask with the mask that was chosen", () => {
    during(() => (mode.value = "com_row"));
    expect(asked("image").at(-1)).toMatchObject({ mode: "com_row", detectors: [] });
    expect(asked("image").at(-1)).toMatchObject({ rotation: "auto", descan: "plane" });
    during(() => (mask.value = "selected"));
    expect(asked("image").at(-1)?.detectors).toEqual([selected.value?.region]);
    during(() => (descan.value = "mean"));
    expect(asked("image").at(-1)).toMatchObject({ descan: "mean" });
    during(() => (mode.value = "sum"));
  });
});

describe("detectors", () => {
  it("are added by presets once, and by shape as often as one likes", () => {
    const before = detectors.value.length;
    expect(choosePreset("BF")).toBe(true);
    expect(detectors.value).toHaveLength(before);
    addShape("square");
    addShape("square");
    expect(detectors.value.map((one) => one.name).slice(-2)).toEqual(["square", "square 2"]);
    expect(new Set(detectors.value.map((one) => one.color)).size).toBe(detectors.value.length);
    for (const one of detectors.value.slice(2)) removeDetector(one.key);
    expect(detectors.value).toHaveLength(2);
  });

  it("never get fewer than one, nor more than sixteen", () => {
    while (addShape("point"));
    expect(detectors.value).toHaveLength(16);
    for (const one of detectors.value.slice(1)) removeDetector(one.key);
    removeDetector(detectors.value[0]!.key);
    expect(detectors.value).toHaveLength(1);
  });
});

describe("frames", () => {
  it("are the datasets of one size that can be shown", () => {
    expect(series.value.map((one) => one.id)).toEqual(["one", "two", "three"]);
  });

  it("are fetched ahead, so that the next one needs no request in its own slot", () => {
    expect(isIdle()).toBe(true);
    stepFrame(1);
    expect(selectedId.value).toBe("two");
    expect(asked("image")).toHaveLength(0);
    expect(shown.value?.request.dataset).toBe("two");
    stepFrame(-2);
    expect(frameIndex.value).toBe(2);
  });
});

describe("what the server says", () => {
  it("about loading shows and goes again", () => {
    const far = { op: "progress", dataset: "one", slot: null, done: 5, total: 10, rate: 1 };
    server.say(far);
    expect(progress.value.get("one")?.done).toBe(5);
    cancel("one");
    expect(server.received.at(-1)).toMatchObject({ op: "cancel", dataset: "one" });
    server.say({ op: "dataset", dataset: fakeDataset("one") });
    expect(progress.value.has("one")).toBe(false);
  });

  it("about new datasets is announced", () => {
    server.datasets = [...server.datasets, fakeDataset("four")];
    server.say({ op: "datasets", datasets: server.datasets });
    expect(notices.value.at(-1)?.text).toContain("four");
    expect(datasets.value).toHaveLength(5);
  });

  it("of errors stays until it is dismissed, and is counted", () => {
    const error = { op: "error", id: null, slot: null, message: "disk is full", code: "io" };
    server.say(error);
    server.say(error);
    const notice = notices.value.find((one) => one.text === "disk is full");
    expect(notice?.times).toBe(2);
    dismiss(notice!.key);
    expect(notices.value.some((one) => one.text === "disk is full")).toBe(false);
  });

  it("about a sharper subset makes the page ask again", () => {
    select("one");
    const sharper = fakeDataset("one", { state: "preview", step: 2 });
    server.say({ op: "dataset", dataset: sharper });
    expect(asked("image").at(-1)).toMatchObject({ dataset: "one" });
    server.say({ op: "dataset", dataset: fakeDataset("one") });
    expect(shown.value?.step).toBe(1);
  });
});

describe("calibration", () => {
  it("by hand is of one dataset, until it is given to others", () => {
    select("one");
    calibrate({ scanStep: 0.25 });
    const of = (id: string) => datasets.value.find((one) => one.id === id)!;
    expect(scanStepOf(of("one"))).toBe(0.25);
    expect(scanStepOf(of("two"))).toBe(0.5);
    calibrateAlike([of("two")]);
    expect(["two", "three"].map((id) => scanStepOf(of(id)))).toEqual([0.25, 0.5]);
    forgetCalibration();
    expect(scanStepOf(of("one"))).toBe(0.5);
  });
});

describe("a streamed dataset", () => {
  it("gets a sharp pattern also when it was coarse while it was loading", () => {
    select("one");
    during(() => (patternSource.value = "mean"));
    server.eager = false;
    const about = { step: 4 } as const;
    server.say({ op: "dataset", dataset: fakeDataset("one", { ...about, state: "preview", read: 2 }) });
    server.answer(asked("pattern").at(-1)!, 4);
    expect(shownPattern.value?.step).toBe(4);
    server.say({ op: "dataset", dataset: fakeDataset("one", { ...about, state: "streaming", read: 2 }) });
    const again = asked("pattern").at(-1)!;
    server.answer(again, 4);
    server.answer(again, 1);
    expect(shownPattern.value?.step).toBe(1);
    server.eager = true;
    server.say({ op: "dataset", dataset: fakeDataset("one", { read: 2 }) });
    for (const one of server.received) server.answer(one);
  });
});

describe("more detectors than the server takes at once", () => {
  it("all get their image", () => {
    const shape = { shape: "disk", center: [8, 8], outer: 2 } as const;
    const list = Array.from({ length: 40 }, (_, i) => ({
      key: `k${i}`,
      name: `${i}`,
      color: "#ffffff",
      region: { ...shape, outer: 1 + i / 10 },
    }));
    const before = detectors.value;
    server.received.length = 0;
    during(() => setDetectors(list, "k0"));
    expect(detectors.value).toHaveLength(40);
    for (const one of detectors.value) expect(gallery.value.get(one.key)?.current).toBe(true);
    // The fake server says that it takes 16.
    expect(Math.max(...asked("gallery").map((one) => one.detectors!.length))).toBe(16);
    during(() => setDetectors(before, null));
  });
});

describe("a session", () => {
  it("brings everything back", () => {
    during(() => {
      choosePreset("ADF");
      editDetector(selected.value!.key, { name: "ring" });
      moveProbe([2, 2]);
      mode.value = "curl";
      descan.value = "mean";
    });
    const session = currentSession();
    during(() => {
      removeDetector(selected.value!.key);
      moveProbe([0, 0]);
      mode.value = "sum";
      descan.value = "plane";
      select("two");
    });
    expect(applySession(session)).toBe(true);
    const again = currentSession();
    const unkeyed = (of: typeof session): unknown => ({
      ...of,
      selected: null,
      detectors: of.detectors.map(({ name, color, region: shape }) => ({ name, color, shape })),
    });
    expect(unkeyed(again)).toEqual(unkeyed(session));
    expect(selected.value?.name).toBe("ring");
    expect(descan.value).toBe("mean");
    expect(region.value).toEqual(session.scan.region);
  });

  it("of a dataset that is not here says so, and is used with this one", () => {
    const session = { ...currentSession(), datasets: [{ name: "x", path: "/x" }], dataset: 0 };
    expect(applySession(session)).toBe(false);
    expect(dataset.value).not.toBeNull();
  });
});
