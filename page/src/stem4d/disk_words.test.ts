// What is said of disks, and the commands that make the same numbers.
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { diskText, disksCommand, pythonLines, type Reproduced, strainCommand, withError } from "./disk_words";

const plain: Reproduced = {
  path: "/data/scan_master.h5",
  loading: [],
  disks: {},
  axisDegrees: 0,
  region: null,
  scan: [48, 64],
};
const all: Reproduced = {
  ...plain,
  path: "/data/my scan.h5",
  loading: ["--det-bin", "2"],
  disks: { least_score: 30, template_radius: 6.2, template_edge: 1.1 },
  axisDegrees: -30,
  region: { shape: "rectangle", from: [20.5, -3], to: [4.2, 90] },
};

describe("numbers with errors", () => {
  it("have two digits of their error", () => {
    expect(withError(65.00812, 0.0184)).toBe("65.008 ± 0.018");
    expect(withError(-0.00424, 0.00084)).toBe("−0.00424 ± 0.00084");
    expect(withError(1234.5, 20)).toBe("1235 ± 20");
    expect(withError(5, 0)).toBe("5");
    expect(withError(5, NaN)).toBe("5");
  });
});

describe("a disk under the cursor", () => {
  const disk = {
    row: 64.876,
    col: 64.695,
    rowError: 0.075,
    colError: 0.076,
    covariance: 0,
    intensity: 5.25,
    intensityError: 0.22,
    score: 925.4,
  };

  it("tells its place, height and score, and where it is counted from", () => {
    const text =
      "Disk at row 64.876 ± 0.075, column 64.695 ± 0.076 · height 5.25 ± 0.22 counts/px · score 925";
    expect(diskText(disk, { origin: [0, 0], bin: 1 })).toBe(text);
    expect(diskText(disk, { origin: [0.5, 0.5], bin: 2 })).toContain(
      "column 64.695 ± 0.076 of the full detector ·",
    );
  });
});

describe("the commands", () => {
  it("of the usual options are short", () => {
    expect(disksCommand(plain)).toBe("sluice stem4d disks /data/scan_master.h5 --out disks.h5");
    expect(strainCommand(plain)).toBe(
      "sluice stem4d strain /data/scan_master.h5 --save-disks disks.h5 --out strain",
    );
    expect(pythonLines(plain)).toBe(
      [
        "from sluice import load, stem4d",
        "",
        'scan = load("/data/scan_master.h5")',
        "plan = stem4d.know_lattice(scan, stem4d.plan_disks(scan, stem4d.fit_template(scan)))",
        "vectors = stem4d.find_disks(scan, plan)",
        "fit = stem4d.refine_lattice(scan, plan)[1] if plan.lattice else stem4d.fit_lattice(vectors)",
        "strain = stem4d.strain(fit)",
        "",
      ].join("\n"),
    );
  });

  it("have what was changed", () => {
    expect(disksCommand(all)).toBe(
      "sluice stem4d disks '/data/my scan.h5' --det-bin 2 --template-radius 6.2,1.1 " +
        "--least-score 30 --out disks.h5",
    );
    expect(strainCommand(all)).toContain("--axis=-30 --reference 5:21,0:64 ");
    expect(pythonLines(all)).toContain("stem4d.synthetic_template(6.2, 1.1), least_score=30))");
    expect(pythonLines(all)).toContain("region[5:21, 0:64] = True");
    expect(pythonLines(all)).toContain("stem4d.strain(fit, region=region, axis_degrees=-30)");
  });
});
