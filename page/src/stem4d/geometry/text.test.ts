// Shapes as command-line text.
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { Rotation, Shape } from "../types";
import { parseShape } from "./parse";
import {
  centerOfMassCommand,
  describeShape,
  detectorText,
  shapeText,
  shellQuote,
  virtualImageCommand,
} from "./text";

const shapes: [Shape, string][] = [
  [{ shape: "point", center: [96, 95] }, "point:row=96,col=95"],
  [{ shape: "disk", center: [80, 96.25], outer: 20 }, "disk:r=20,center=80:96.25"],
  [
    { shape: "annulus", center: [0.1, -2], inner: 40, outer: 90.5 },
    "annulus:r=40..90.5,center=0.1:-2",
  ],
  [{ shape: "square", center: [1, 2], outer: 10 }, "square:half=10,center=1:2"],
  [{ shape: "rectangle", from: [10, 0], to: [20, 191] }, "rectangle:rows=10..20,cols=0..191"],
  [
    { shape: "polygon", corners: [[10, 10], [10, 90], [60, 50]] },
    "polygon:10:10/10:90/60:50",
  ],
];

describe("shapeText", () => {
  it.each(shapes)("%j goes there and back", (shape, text) => {
    expect(shapeText(shape)).toBe(text);
    expect(parseShape(text)).toEqual({ ok: true, name: text, shape });
    const named = parseShape(detectorText("my ring", shape));
    expect(named).toEqual({ ok: true, name: "my ring", shape });
  });

  it("keeps every digit", () => {
    const shape: Shape = { shape: "disk", center: [1 / 3, 1e-9], outer: Math.PI };
    expect(parseShape(shapeText(shape))).toMatchObject({ shape });
  });

  it("orders the corners of a rectangle, because the command line does not", () => {
    const text = shapeText({ shape: "rectangle", from: [20, 9], to: [10, 3] });
    expect(text).toBe("rectangle:rows=10..20,cols=3..9");
  });

  it("drops from a name what would end it", () => {
    const shape: Shape = { shape: "point", center: [1, 2] };
    expect(detectorText("a:b=c\nd", shape)).toBe("a b c d=point:row=1,col=2");
    expect(detectorText(" = ", shape)).toBe("point:row=1,col=2");
  });
});

describe("parseShape", () => {
  const disk = { row: 96, col: 95, radius: 20 };

  it("knows the presets when there is a disk", () => {
    expect(parseShape("bf", disk)).toEqual({
      ok: true,
      name: "bf",
      shape: { shape: "disk", center: [96, 95], outer: 20 },
    });
    expect(parseShape("dark=haadf", disk)).toMatchObject({
      name: "dark",
      shape: { inner: 40, outer: 80 },
    });
    expect(parseShape("disk:r=5", disk)).toMatchObject({ shape: { center: [96, 95], outer: 5 } });
    expect(parseShape("bf")).toMatchObject({ ok: false });
    expect(parseShape("disk:r=5")).toMatchObject({ ok: false });
  });

  it.each([
    ["", "unknown shape ''"],
    ["blob:r=1", "unknown shape 'blob'"],
    ["__proto__:r=1", "unknown shape"],
    ["disk", "disk needs r="],
    ["disk:r=", "'' is not a number"],
    ["disk:r=0x10,center=1:1", "not a number"],
    ["disk:r=1e999,center=1:1", "not a number"],
    ["disk:r=-4,center=1:1", "negative"],
    ["disk:r=4,r=5,center=1:1", "'r' is given twice"],
    ["disk:r=4,size=5,center=1:1", "disk has no 'size'"],
    ["disk:r=4,center=1", "lacks ':'"],
    ["annulus:r=9..4,center=1:1", "the outer must be the larger"],
    ["annulus:r=9,center=1:1", "lacks '..'"],
    ["polygon:1:1/2:2", "three corners"],
    ["rectangle:rows=1..2", "rectangle needs cols="],
    ["disk:banana", "not key=value"],
    ["mask:/etc/passwd", "unknown shape 'mask'"],
  ])("refuses %j and says why", (text, why) => {
    const parsed = parseShape(text);
    expect(parsed.ok).toBe(false);
    expect(parsed.ok ? "" : parsed.message).toContain(why);
  });
});

describe("what people and shells read", () => {
  it("describes shapes with one digit", () => {
    expect(describeShape({ shape: "disk", center: [80, 96.26], outer: 20.04 })).toBe(
      "disk of radius 20 px at row 80, column 96.3",
    );
    for (const [shape] of shapes) expect(describeShape(shape)).toContain(shape.shape);
  });

  it("quotes for a shell what it would otherwise run", () => {
    expect(shellQuote("scan_master.h5")).toBe("scan_master.h5");
    expect(shellQuote("it's $(rm -rf /)")).toBe(`'it'\\''s $(rm -rf /)'`);
    expect(shellQuote("")).toBe("''");
  });

  it("makes a command", () => {
    const region: Shape = { shape: "disk", center: [80, 96], outer: 20 };
    const detectors = [{ name: "my disk", region }];
    expect(virtualImageCommand("a b.h5", detectors, { mean: true, out: "images" })).toBe(
      "sluice stem4d virtual-image 'a b.h5' --detector 'my disk=disk:r=20,center=80:96' --mean " +
        "--out images",
    );
  });

  it("makes a command of the centre of mass", () => {
    const within: Shape = { shape: "disk", center: [80, 96], outer: 20 };
    const command = (rotation: Rotation, mask: Shape | null): string =>
      centerOfMassCommand("a b.h5", { rotation, descan: "plane", within: mask, out: "images" });
    const start = "sluice stem4d center-of-mass 'a b.h5'";
    expect(command("auto", null)).toBe(`${start} --rotation=auto --descan plane --out images`);
    expect(command("none", null)).toBe(`${start} --rotation=0 --descan plane --out images`);
    expect(command({ degrees: -12.5, transpose: true }, within)).toBe(
      `${start} --rotation=-12.5,transpose --descan plane --within disk:r=20,center=80:96 ` +
        "--out images",
    );
  });
});
