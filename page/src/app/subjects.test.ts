// What files say of where their numbers come from.
// SPDX-License-Identifier: Apache-2.0
import { beforeAll, expect, it } from "vitest";
import { FakeServer, fakeDataset } from "../protocol/fake";
import { mode } from "./state/images";
import { connect } from "./state/live";
import type { PanelName } from "./state/settings";
import { during } from "./state/timing";
import { subjectOf } from "./subjects";

const server = new FakeServer();

beforeAll(() => {
  server.datasets = [fakeDataset("one")];
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
