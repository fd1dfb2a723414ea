// What the page says.
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { fakeDataset } from "./protocol/fake";
import { differences } from "./info_section";
import {
  bytesText,
  durationText,
  emptyText,
  ordinal,
  panelWords,
  progressText,
  rotationText,
  sentence,
  signText,
  stepText,
} from "./remarks";
import { centerText, detectorWords } from "./report_file";
import { progress } from "./state/datasets";

describe("texts", () => {
  it("count as English does", () => {
    expect([1, 2, 3, 4, 11, 12, 21, 102, 111].map(ordinal).join(" ")).toBe(
      "1st 2nd 3rd 4th 11th 12th 21st 102nd 111th",
    );
  });

  it("of bytes and times are short", () => {
    expect([0, 999, 1000, 486_000_000, 1.25e12].map(bytesText)).toEqual([
      "0 B",
      "999 B",
      "1.0 kB",
      "486 MB",
      "1.3 TB",
    ]);
    expect([0.2, 45, 600, 7200].map(durationText)).toEqual(["1 s", "45 s", "10 min", "2.0 h"]);
  });

  it("of the server become sentences", () => {
    expect(["found: 3 degrees", "It is so.", ""].map(sentence)).toEqual([
      "Found: 3 degrees.",
      "It is so.",
      "",
    ]);
  });

  it("of progress leave out what is unknown", () => {
    const far = { op: "progress", dataset: "a", slot: null, done: 43e6, total: 1e8 } as const;
    expect(progressText({ ...far, rate: 8.5e8, left: 3 })).toBe(
      "43 % · 43 MB of 100 MB · 850 MB/s · 3 s left",
    );
    expect(progressText({ ...far, total: 0, rate: 0, left: null })).toBe("0 % · 43 MB of 0 B");
  });

  it("say how complete an image is", () => {
    const loading = fakeDataset("a", { state: "preview", step: 4 });
    expect(stepText(1, loading)).toBe("");
    expect(stepText(4, loading)).toBe("Every 4th scan point, loading");
    const far = { op: "progress", dataset: "a", slot: null, done: 43, total: 100 } as const;
    progress.value = new Map([["a", { ...far, rate: 1, left: null }]]);
    expect(stepText(4, loading)).toBe("Every 4th scan point, loading 43 %");
    expect(stepText(4, { ...loading, state: "stopped" })).toBe("Every 4th scan point");
  });

  it("of a report are in pixels of the full detector, in words as for the command line", () => {
    const grid = { origin: [10.5, 20.5], bin: 2 } as const;
    const region = { shape: "disk", center: [4, 5], outer: 3 } as const;
    expect(detectorWords({ key: "a", name: "bf", color: "red", region }, grid)).toEqual({
      name: "bf",
      color: "red",
      description: "disk of radius 6 px at row 18.5, column 30.5",
      text: "bf=disk:r=6,center=18.5:30.5",
    });
    expect(centerText([4, 5.25], grid)).toBe("row 18.5, column 31");
  });

  it("say why there is no image", () => {
    expect(emptyText(fakeDataset("a", { state: "failed", message: "not HDF5" }))).toBe("not HDF5");
    expect(emptyText(fakeDataset("a", { state: "incomplete", missing: 3 }))).toContain("3 frames");
    expect(emptyText(null)).toContain("No dataset");
  });
});

describe("the rotation", () => {
  const sure = { determined: true, sign_known: true };
  const used = { degrees: -1.4, transpose: false, quality: 0.9, error: null, ...sure };
  it("is told with its error, and when it says nothing", () => {
    expect(rotationText(used)).toBe("−1.4°");
    expect(rotationText({ ...used, error: 0.26, transpose: true })).toBe("−1.4° ± 0.3°, transposed");
    expect(rotationText({ ...used, error: 31, determined: false })).toBe(
      "undetermined (−1.4° ± 31.0°)",
    );
    expect(rotationText({ ...used, error: 0.0034 })).toBe("−1.40° ± 0.0034°");
  });

  it("warns where dark may be bright", () => {
    expect(signText(used)).toBe("");
    expect(signText({ ...used, sign_known: false })).toBe("Its sign is open: dark may be bright.");
    expect(signText({ ...used, sign_known: false, determined: false })).toBe("");
  });
});

describe("a panel", () => {
  it("says why it shows no answer", () => {
    const of = fakeDataset("a");
    expect(panelWords({ kind: "failed", why: "the disk is full" }, false, of)).toEqual({
      text: "The disk is full.",
      again: true,
      veil: false,
    });
    expect(panelWords({ kind: "waiting" }, false, of)).toBeNull();
    expect(panelWords({ kind: "waiting" }, true, of)?.text).toContain("Waiting");
    expect(panelWords({ kind: "trailing", answer: 1 }, true, of)?.veil).toBe(true);
  });
});

describe("metadata", () => {
  it("that differ between frames make a table", () => {
    const tilt = (value: string) => ({ name: "tilt", value, unit: "°" });
    const dose = { name: "dose", value: "5", unit: "" };
    const frames = [
      fakeDataset("a", { metadata: [tilt("1"), dose] }),
      fakeDataset("b", { metadata: [tilt("2"), dose] }),
      fakeDataset("c", { metadata: [dose] }),
    ];
    expect(differences(frames)).toEqual({ names: ["tilt"], rows: [["1 °"], ["2 °"], ["–"]] });
  });
});
