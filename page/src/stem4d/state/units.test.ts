// Labels of values: bins that are means hold no counts.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { fakeDataset } from "../protocol/fake";
import { imageUnit } from "./images";
import { patternUnit } from "./pattern";

test("sums and patterns have the units of their dataset", () => {
  const means = fakeDataset("one", {
    units: { pixel: "counts/pixel", sum: "counts/pixel summed over bins" },
  });
  expect(imageUnit("sum", fakeDataset("one"))).toBe("counts");
  expect(imageUnit("sum", means)).toBe("counts/pixel summed over bins");
  expect(imageUnit("mean", means)).toBe("counts/pixel");
  expect(imageUnit("com_row", means)).toBe("px");
  const mean = { op: "pattern", kind: "mean" } as Parameters<typeof patternUnit>[0];
  const variance = { ...mean, kind: "variance" } as typeof mean;
  expect(patternUnit(mean, means)).toBe("counts/pixel");
  expect(patternUnit(variance, null)).toBe("counts²");
  expect(patternUnit(variance, means)).toBe("(counts/pixel)²");
});
