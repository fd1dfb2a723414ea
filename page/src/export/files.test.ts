// CSV, ZIP, base64 and downloads.
// SPDX-License-Identifier: Apache-2.0
import { strFromU8, unzipSync } from "fflate";
import { afterEach, describe, expect, it, vi } from "vitest";
import { histogram } from "../analysis/histogram";
import { encodeCsv, histogramCsv, profileCsv } from "./csv";
import { download } from "./download";
import { base64 } from "./outcome";
import { encodeZip, safeName, sequenceZip } from "./zip";

describe("csv", () => {
  const line = { distance: Float64Array.of(0, 1), values: Float64Array.of(3.5, NaN) };

  it("writes a profile with its units and origin", () => {
    const text = profileCsv(line, { step: 0.5, unit: "nm" }, "counts", { Source: "a.h5\n=cmd()" });
    expect(text.split("\n")).toEqual([
      "# Source: a.h5 =cmd()",
      "distance (px),distance (nm),value (counts)",
      "0,0,3.5",
      "1,0.5,nan",
      "",
    ]);
    expect(profileCsv(line, { step: 0, unit: "nm" }, "")).toMatch(/^distance \(px\),value\n/);
  });

  it("writes a histogram whose edges meet", () => {
    const text = histogramCsv(histogram(Float32Array.of(0, 1, 4), 2)!, "counts");
    expect(text).toBe("from (counts),to (counts),count\n0,2,2\n2,4,1\n");
  });

  it("quotes, and gives a spreadsheet no formula", () => {
    const text = encodeCsv({ 'a"b': ["x,y", "=1+1", "@f"], "=n": [-1] });
    expect(text).toBe('"a""b",\'=n\n"x,y",-1\n\'=1+1,\n\'@f,\n');
    expect(encodeCsv({})).toBe("\n");
  });
});

describe("zip", () => {
  it.each([
    ["../../etc/passwd", "_.._etc_passwd"],
    ["C:\\a\\b.png", "C_a_b.png"],
    ["con.txt", "_con.txt"],
    ["LPT1", "_LPT1"],
    ["...", "file"],
    ["", "file"],
    ["a\u0000b\u202egnp.exe", "abgnp.exe"],
    [" Å 300 kV. ", "Å 300 kV"],
    ["x".repeat(500), "x".repeat(100)],
  ])("makes %j safe", (name, safe) => {
    expect(safeName(name)).toBe(safe);
  });

  it("tells equal names apart, and stores what is compressed", () => {
    const bytes = Uint8Array.from({ length: 1000 }, () => 7);
    const names = ["a.png", "A.png", "__proto__", "../a.png", "t.txt"];
    const zip = encodeZip(names.map((name) => ({ name, bytes })));
    const found = unzipSync(zip);
    expect(Object.keys(found)).toEqual(["a.png", "A-2.png", "___proto__", "_a.png", "t.txt"]);
    expect(found["a.png"]).toEqual(bytes);
    expect(zip.length).toBeGreaterThan(3000);
    expect(zip.length).toBeLessThan(4000);
  });

  it("stands a clock that ZIP cannot write", () => {
    expect(() => encodeZip([], new Date(0))).not.toThrow();
    expect(() => encodeZip([{ name: "a", bytes: Uint8Array.of(1) }], new Date(NaN))).not.toThrow();
  });

  it("packs a sequence with what each picture shows", () => {
    const png = Uint8Array.of(1, 2, 3);
    const zip = sequenceZip({
      kind: "path",
      title: "walk",
      created: "2026-01-02T03:04:05Z",
      framesPerSecond: 10,
      about: { map: "gray" },
      frames: [
        { png, label: "start", dataset: "a.h5", position: [3, 4] },
        { png, label: "end", dataset: "a.h5", about: { mean: 2 } },
      ],
    });
    const found = unzipSync(zip);
    expect(Object.keys(found)).toEqual(["frame-0001.png", "frame-0002.png", "manifest.json"]);
    expect(JSON.parse(strFromU8(found["manifest.json"]!))).toEqual({
      schema: "sluice-sequence/1",
      kind: "path",
      title: "walk",
      created: "2026-01-02T03:04:05Z",
      frames_per_second: 10,
      about: { map: "gray" },
      frames: [
        { file: "frame-0001.png", label: "start", dataset: "a.h5", row: 3, col: 4 },
        { file: "frame-0002.png", label: "end", dataset: "a.h5", about: { mean: 2 } },
      ],
    });
  });
});

describe("base64", () => {
  it("is that of the browser for every length and byte", () => {
    for (let n = 0; n < 300; ++n) {
      const bytes = Uint8Array.from({ length: n }, (_, i) => (i * 37 + n) & 255);
      expect(base64(bytes)).toBe(btoa(String.fromCharCode(...bytes)));
    }
  });
});

describe("download", () => {
  afterEach(() => vi.restoreAllMocks());

  it("clicks a link of a safe name and takes it away again", () => {
    const blobs: Blob[] = [];
    vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
      if (blob instanceof Blob) blobs.push(blob);
      return "blob:x";
    });
    let clicked = "";
    const prototype = HTMLAnchorElement.prototype;
    vi.spyOn(prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      clicked = `${this.download} ${this.getAttribute("href") ?? ""} ${this.isConnected}`;
    });
    download("a/b.csv", "x");
    expect(clicked).toBe("a_b.csv blob:x true");
    expect(blobs[0]?.type).toContain("text/csv");
    expect(document.querySelector("a")).toBeNull();
  });
});
