// Nice numbers, ticks and texts.
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import {
  evenTicks,
  lengthText,
  niceNumber,
  numberText,
  scaleBarLength,
  spreadingTicks,
  valueText,
} from "./nice";

describe("numbers", () => {
  it("rounds to 1, 2 or 5 with a power of ten", () => {
    expect([1.3, 1.5, 3, 3.3, 7, 7.2, 0.04, 6000].map(niceNumber)).toEqual([
      1, 2, 2, 5, 5, 10, 0.05, 5000,
    ]);
  });
  it("writes minus signs, powers and what is no number", () => {
    expect(numberText(-1.5)).toBe("−1.5");
    expect(numberText(3.14159)).toBe("3.142");
    expect(numberText(12345.6)).toBe("12346");
    expect(numberText(2.5e-7)).toBe("2.5×10⁻⁷");
    expect(numberText(1e6)).toBe("10⁶");
    expect(numberText(-1e6)).toBe("−1×10⁶");
    expect(numberText(NaN)).toBe("no value");
    expect(numberText(-Infinity)).toBe("−∞");
  });
  it("keeps every digit of a count", () => {
    expect(valueText(4294967295)).toBe("4294967295");
    expect(valueText(338390.4)).toBe("338390");
    expect(valueText(0.1234567)).toBe("0.12346");
  });
});

describe("lengths", () => {
  it("changes to the unit that reads best", () => {
    expect(lengthText(20, "Å")).toBe("2 nm");
    expect(lengthText(9, "Å")).toBe("9 Å");
    expect(lengthText(2500, "nm")).toBe("2.5 µm");
    expect(lengthText(0.5, "nm")).toBe("5 Å");
    expect(lengthText(-0.5, "nm")).toBe("−5 Å");
    expect(lengthText(30000, "Å")).toBe("3 µm");
    expect(lengthText(20, "mrad")).toBe("20 mrad");
    expect(lengthText(0.5, "1/Å")).toBe("0.5 Å⁻¹");
    expect(lengthText(0, "nm")).toBe("0 nm");
  });
  it("makes a bar of about a fifth of the panel", () => {
    expect(scaleBarLength(256, 0.52, "Å")).toEqual({ pixels: 20 / 0.52, text: "2 nm" });
    expect(scaleBarLength(256, 0, "nm")).toEqual({ pixels: 50, text: "50 px" });
    expect(scaleBarLength(256, NaN, "nm").text).toBe("50 px");
    expect(scaleBarLength(0.5, 0, "")).toEqual({ pixels: 1, text: "1 px" });
    expect(scaleBarLength(0, 1, "nm").pixels).toBeGreaterThan(0);
  });
});

describe("ticks", () => {
  it("are even, in one form, within the limits", () => {
    const { ticks, factor } = evenTicks(-0.32, 1.1, 5);
    expect(ticks.map((t) => t.text)).toEqual(["−0.2", "0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
    expect(factor).toBe("");
  });
  it("share a power of ten", () => {
    const { ticks, factor } = evenTicks(0, 4e5, 4);
    expect(ticks.map((t) => t.text)).toEqual(["0", "1", "2", "3", "4"]);
    expect(factor).toBe("×10⁵");
  });
  it("end where numbers end", () => {
    expect(evenTicks(1, 1, 5).ticks).toHaveLength(1);
    expect(evenTicks(0, Infinity, 5).ticks).toHaveLength(1);
    expect(evenTicks(1e16, 1e16 + 4, 5).ticks.length).toBeLessThan(102);
  });
  it("spread over decades without crowding", () => {
    const place = (v: number): number => Math.sign(v) * Math.log1p(Math.abs(v));
    const { ticks } = spreadingTicks(0, 5000, 5, place);
    expect(ticks.map((t) => t.text)).toEqual(["0", "10", "100", "1000", "5000"]);
    const both = spreadingTicks(-500, 500, 6, place).ticks.map((t) => t.value);
    expect(both).toEqual([...both].sort((a, b) => a - b));
    expect(both).toContain(-100);
  });
});
