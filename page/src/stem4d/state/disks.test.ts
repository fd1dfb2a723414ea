// Disks and strain against a server in memory: what is asked when, and what stands.
// SPDX-License-Identifier: Apache-2.0
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { commonLimits } from "../strain_panel";
import { strainPointText, strainValueText } from "../disk_words";
import { FakeServer, fakeDataset } from "../protocol/fake";
import { select } from "./datasets";
import {
  diskOptions,
  disksOnPattern,
  disksQuestion,
  openDisks,
  pointAt,
  pointedDisk,
  setDiskOptions,
  shownDisks,
  USUAL,
} from "./disks";
import { connect } from "./live";
import { moveProbe, patternSource, setRegion } from "./scan";
import {
  axisDegrees,
  cancelStrain,
  findStrain,
  reference,
  shownStrain,
  strainBusy,
  strainIsOld,
  strainPanelOpen,
  strainProgress,
} from "./strain";
import { during } from "./timing";

const server = new FakeServer();
const asked = (slot: string): typeof server.received =>
  server.received.filter((one) => one.slot === slot);

beforeAll(() => {
  server.datasets = [
    fakeDataset("one"),
    fakeDataset("cut", { grid: { origin: [2.5, 4.5], bin: 2 } }),
  ];
  connect(server.surroundings());
  server.greet();
});

beforeEach(() => {
  server.received.length = 0;
  server.eager = true;
});

describe("disks", () => {
  it("are not asked for before somebody wants them, then of the frame at the probe", () => {
    during(() => moveProbe([5, 2]));
    expect(asked("disks")).toHaveLength(0);
    during(() => (patternSource.value = "mean"));
    during(() => openDisks(true));
    expect(patternSource.value).toBe("probe");
    expect(asked("disks").at(-1)).toMatchObject({ op: "disks", row: 5, col: 2, disks: {} });
    expect(disksOnPattern.value?.disks).toHaveLength(1);
    expect(shownDisks.value?.disks[0]).toMatchObject({ row: 8.125, intensity: 10 });
    expect(shownDisks.value?.disks[0]?.rowError).toBeCloseTo(0.2);
  });

  it("ask for the newest options only while a slider is dragged", () => {
    vi.useFakeTimers();
    server.eager = false;
    for (let score = 100; score < 110; ++score)
      during(() => setDiskOptions({ least_score: score }));
    const live = "disks at once";
    expect(asked(live)).toHaveLength(1);
    expect(asked("disks")).toHaveLength(0);
    server.eager = true;
    server.answer(asked(live)[0]!);
    expect(asked(live)).toHaveLength(2);
    // By the plan of before, until the drag rests.
    expect(asked(live).at(-1)).toMatchObject({ disks: { least_score: 109 }, plan: {} });
    expect(shownDisks.value?.disks[0]?.score).toBe(109);
    expect(disksQuestion.standing.value.kind).toBe("trailing");
    vi.advanceTimersByTime(200);
    expect(asked("disks")).toHaveLength(1);
    expect(asked("disks")[0]).not.toHaveProperty("plan");
    expect(disksQuestion.standing.value.kind).toBe("answered");
    expect(shownDisks.value?.request.disks).toEqual({ least_score: 109 });
    during(() => setDiskOptions(USUAL));
    vi.useRealTimers();
  });

  it("need no rest when another frame is looked at", () => {
    during(() => moveProbe([6, 2]));
    expect(asked("disks").at(-1)).toMatchObject({ row: 6, disks: {} });
    during(() => moveProbe([5, 2]));
  });

  it("of another frame are not drawn on the one that is shown", () => {
    server.eager = false;
    during(() => moveProbe([1, 1]));
    server.answer(asked("pattern").at(-1)!);
    expect(shownDisks.value?.request).toMatchObject({ row: 5, col: 2 });
    expect(disksOnPattern.value).toBeNull();
    server.answer(asked("disks").at(-1)!);
    expect(disksOnPattern.value?.request).toMatchObject({ row: 1, col: 1 });
  });

  it("are found under the cursor, also on arrays that are cut and binned", () => {
    pointAt([7.5, 7.5]);
    expect(pointedDisk.value?.row).toBeCloseTo(7.625);
    pointAt([1, 1]);
    expect(pointedDisk.value).toBeNull();
    during(() => select("cut"));
    during(() => moveProbe([1, 1]));
    // 7.625 of the detector is (7.625 - 2.5) / 2 of the array.
    pointAt([2.6, 1.6]);
    expect(pointedDisk.value?.row).toBeCloseTo(7.625);
    pointAt([7.5, 7.5]);
    expect(pointedDisk.value).toBeNull();
    pointAt(null);
    during(() => select("one"));
  });

  it("of a wrong answer are refused", () => {
    server.remarks = { plan: null };
    during(() => moveProbe([2, 2]));
    expect(disksQuestion.standing.value.kind).toBe("failed");
    expect(disksOnPattern.value).toBeNull();
    server.remarks = {};
    disksQuestion.retry();
    expect(disksOnPattern.value?.request).toMatchObject({ row: 2, col: 2 });
  });
});

describe("strain", () => {
  it("is asked for by its button alone", () => {
    expect(strainPanelOpen.value).toBe(false);
    during(() => setDiskOptions({ least_score: 50 }));
    expect(asked("strain")).toHaveLength(0);
    during(findStrain);
    expect(asked("strain").at(-1)).toMatchObject({ op: "strain", disks: { least_score: 50 } });
    expect(shownStrain.value?.words.disks).toBe(48);
    expect(strainIsOld.value).toBe(false);
    during(() => setDiskOptions({ least_score: 60 }));
    expect(asked("strain")).toHaveLength(1);
    expect(strainIsOld.value).toBe(true);
    during(() => setDiskOptions({ least_score: 50 }));
  });

  it("follows its reference and axes without the button, for the same disks", () => {
    during(() => (axisDegrees.value = 30));
    expect(asked("strain").at(-1)).toMatchObject({
      disks: { least_score: 50 },
      strain: { axis_degrees: 30 },
    });
    const rectangle = { shape: "rectangle", from: [0, 0], to: [3, 2] } as const;
    during(() => {
      setRegion({ ...rectangle });
      reference.value = "region";
    });
    expect(asked("strain").at(-1)).toMatchObject({ region: rectangle });
    during(() => {
      axisDegrees.value = 0;
      reference.value = "median";
    });
  });

  it("tells values with errors, and in words where there is none", () => {
    const now = shownStrain.value!;
    expect(strainValueText(now, 0, [4, 1])).toBe("0.0010 ± 0.0010");
    expect(strainValueText(now, 3, [4, 1])).toBe("0.0010 ± 0.0010°");
    expect(strainValueText(now, 0, [0, 0])).toBe("no value");
    expect(strainPointText(now, [0, 0])).toBe("Row 0, column 0 · no value: no disks (no counts)");
    expect(strainPointText(now, [4, 1])).toBe("Row 4, column 1 · 9 disks in the fit");
    expect(strainPointText(now, [99, 1])).toBe("");
  });

  it("is drawn with limits about 0, the same for maps of one unit", () => {
    const [xx, yy, , omega] = commonLimits(shownStrain.value!, "maps");
    expect(xx).toEqual(yy);
    expect(xx!.low).toBe(-xx!.high);
    expect(omega!.low).toBe(-omega!.high);
    expect(commonLimits(shownStrain.value!, "errors")[0]!.low).toBe(0);
  });

  it("shows progress, and is cancelled by a word to the server", () => {
    server.eager = false;
    during(() => setDiskOptions({ least_score: 70 }));
    during(findStrain);
    expect(strainBusy.value).toBe(true);
    const far = { dataset: "one", slot: "strain", done: 3, total: 12, rate: 1 };
    server.say({ op: "progress", ...far, task: "finding disks" });
    expect(strainProgress.value).toMatchObject({ task: "finding disks", done: 3 });
    during(cancelStrain);
    expect(server.received.at(-1)).toMatchObject({ op: "stop", slot: "strain", dataset: "one" });
    expect(strainBusy.value).toBe(false);
    expect(strainPanelOpen.value).toBe(false);
    expect(strainProgress.value).toBeNull();
    // The slot is free again.
    server.eager = true;
    during(findStrain);
    expect(shownStrain.value?.request.disks).toEqual({ least_score: 70 });
    during(() => setDiskOptions(USUAL));
    expect(diskOptions.value).toEqual(USUAL);
  });
});
