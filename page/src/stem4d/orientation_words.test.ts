// What is said of orientations and their matches, and what colours kinds have.
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { ringRadius } from "./match_overlay";
import { categoryPicture, colourOf, PHASE_COLOURS, rgbaOf } from "./orientation_colours";
import { behindText, drawnText, matchText, probabilityText } from "./orientation_words";
import type { Candidate } from "./protocol/orientation";
import type { ShownMatch } from "./state/match";

const candidate = (logOdds: number): Candidate => ({
  phase: 0,
  name: "Gold",
  euler: [10.04, 20, 359.96],
  zone: "[1 1 2]",
  zoneDegrees: 0.94,
  logOdds,
  score: 0.9,
  explained: 0.95,
  matched: 14,
  error: 0.12,
});
const match = (words: Partial<ShownMatch["words"]>): ShownMatch => ({
  key: "",
  subject: "",
  request: { op: "match", dataset: "", row: 0, col: 0, disks: {}, crystals: [], library: {}, match: {}, calibration: { by: "automatic" } },
  step: 1,
  since: 0,
  spots: [],
  words: {
    code: 0,
    reason: "indexed",
    diskReason: "found",
    probability: 0.9999,
    disks: 15,
    candidates: [candidate(50), candidate(42)],
    ...words,
  },
});

describe("a match in words", () => {
  it("tells what it is and how sure that is", () => {
    expect(matchText(match({}), 0)).toBe(
      "Best match of 2: Gold, zone [1 1 2] (0.9° off) · φ1 10.0°, Φ 20.0°, φ2 360.0° ± 0.12° · " +
        "14 of 15 disks · probability > 0.999, indexed",
    );
    expect(matchText(match({}), 1)).toContain("2nd best match of 2");
    expect(matchText(match({}), 1)).toContain("odds 1 : 3000 against the best");
  });

  it("says why it is not believed, or that there is none", () => {
    const doubted = match({ code: 5, reason: "the match is unreliable", probability: 0.6 });
    expect(matchText(doubted, 0)).toContain("probability 0.600, not indexed: the match is unreliable");
    const none = match({ candidates: [], reason: "no disks", diskReason: "no counts", disks: 0 });
    expect(matchText(none, 0)).toBe("No match: no disks (no counts)");
  });

  it("labels what is drawn over the pattern", () => {
    expect(drawnText(match({}), 0)).toBe("Best match: Gold [1 1 2], indexed");
    expect(drawnText(match({ code: 4 }), 0)).toBe("Best match: Gold [1 1 2], not indexed");
    expect(drawnText(match({}), 1)).toBe("2nd best match: Gold [1 1 2]");
    expect(drawnText(match({ candidates: [] }), 0)).toBe("no match");
  });

  it("never makes likely certain", () => {
    expect(probabilityText(1)).toBe("probability > 0.999");
    expect(probabilityText(0)).toBe("probability < 0.001");
    expect(probabilityText(NaN)).toBe("no probability");
    expect(behindText(candidate(50), candidate(50))).toBe("as likely as the best");
    expect(behindText(candidate(500), candidate(0))).toContain("below 1 : 10⁹");
  });
});

describe("colours of kinds", () => {
  it("are black for what is not indexed alone", () => {
    expect(colourOf(0, PHASE_COLOURS)).toBe("#000000");
    for (let code = 1; code < 40; ++code) expect(colourOf(code, PHASE_COLOURS)).not.toBe("#000000");
    const picture = categoryPicture({ rows: 1, cols: 2, values: Uint8Array.of(0, 1) }, PHASE_COLOURS);
    expect([...rgbaOf(picture)]).toEqual([0, 0, 0, 255, 0x4e, 0x79, 0xa7, 255]);
  });

  it("rings grow with the intensity", () => {
    expect(ringRadius(0)).toBeGreaterThan(0);
    expect(ringRadius(1)).toBeGreaterThan(ringRadius(0.5));
  });
});
