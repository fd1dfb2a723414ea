// What files say of where their numbers come from.
// SPDX-License-Identifier: Apache-2.0
import { beforeAll, expect, it } from "vitest";
import { FakeServer, fakeDataset } from "./protocol/fake";
import { fftWindow } from "./state/fft";
import { mode } from "./state/images";
import { connect } from "./state/live";
import { fftOpen, type PanelName } from "./state/settings";
import { during } from "./state/timing";
import { stem, subjectOf } from "./subjects";

const server = new FakeServer();

beforeAll(() => {
  server.datasets = [fakeDataset("one", { grid: { origin: [4, 2], bin: 2 } })];
  connect(server.surroundings());
  server.greet();
});

function aboutOf(panel: PanelName): Readonly<Record<string, unknown>> {
  const found = subjectOf(panel);
  if (!found.ok) throw new Error(found.message);
  return found.value.about;
}

it("the rotation that was used, and what the server remarks about it", () => {
  const rotation = { degrees: 30, transpose: false, quality: 0.1, error: 1, determined: true };
  const notes = ["rotation of the detector found: 30.00 degrees; its sign is open"];
  server.remarks = { rotation: { ...rotation, sign_known: false }, notes };
  during(() => (mode.value = "icom"));
  expect(aboutOf("image")).toMatchObject({ rotation: { sign_known: false }, notes });
  server.remarks = {};
  during(() => (mode.value = "sum"));
  expect(aboutOf("image")).not.toHaveProperty("notes");
});

it("where the arrays lie on the full detector", () => {
  for (const panel of ["image", "pattern"] as const)
    expect(aboutOf(panel)).toMatchObject({ grid: { origin: [4, 2], bin: 2 } });
});

it("the window of a transform, which its name tells too", async () => {
  const workedOut = (): Promise<void> => new Promise((done) => setTimeout(done, 20));
  fftOpen.value = true;
  await workedOut();
  expect([aboutOf("fft")["window"], stem("fft")]).toEqual(["Hann", "one_BF_fft"]);
  fftWindow.value = false;
  await workedOut();
  expect([aboutOf("fft")["window"], stem("fft")]).toEqual(["none", "one_BF_fft_no_window"]);
});
