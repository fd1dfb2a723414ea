// The spot that was clicked in the transform, when another image is shown.
// SPDX-License-Identifier: Apache-2.0
import { beforeAll, expect, it } from "vitest";
import { findSpot } from "../../analysis/spot";
import type { Point } from "../../types";
import { FakeServer, fakeDataset } from "../protocol/fake";
import { select } from "./datasets";
import { pickSpot, spot, transform, transformIsCurrent } from "./fft";
import { mode } from "./images";
import { connect } from "./live";
import { fftOpen } from "./settings";

const server = new FakeServer();
const workedOut = (): Promise<void> => new Promise((done) => setTimeout(done, 20));

beforeAll(async () => {
  server.datasets = [fakeDataset("one"), fakeDataset("large", { scan: [16, 16] })];
  connect(server.surroundings());
  server.greet();
  fftOpen.value = true;
  await workedOut();
});

it("is of the transform that is shown, and of none of another size", async () => {
  const at: Point = [2, 1];
  pickSpot(at);
  const before = spot.value;
  expect(before).toEqual(findSpot(transform.value!, at));
  mode.value = "com_row";
  await workedOut();
  expect(transformIsCurrent.value).toBe(true);
  expect(spot.value).toEqual(findSpot(transform.value!, at));
  expect(spot.value).not.toEqual(before);
  select("large");
  await workedOut();
  expect(transformIsCurrent.value).toBe(true);
  expect(spot.value).toBeNull();
});
