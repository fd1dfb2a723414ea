// The files of a line profile.
// SPDX-License-Identifier: Apache-2.0
import { beforeAll, expect, it, vi } from "vitest";
import { profile } from "../analysis/profile";
import { scalarOf } from "../display/limits";
import { FakeServer } from "./protocol/fake";
import { saveProfile } from "./saving";
import { mode, picture } from "./state/images";
import { connect } from "./state/live";
import { profileLine } from "./state/profile";
import { during } from "./state/timing";

const files = new Map<string, string>();
vi.mock("../export/download", () => ({
  download: (name: string, content: string) => void files.set(name, content),
}));
const server = new FakeServer();

beforeAll(() => {
  connect(server.surroundings());
  server.greet();
});

it("of a vector map there is one of the lengths, which the panel shows", () => {
  during(() => (mode.value = "com_vector"));
  profileLine.value = { panel: "image", from: [1, 0], to: [1, 5], width: 1 };
  saveProfile();
  const names = [...files.keys()].map((name) => /_(length|row|col)_profile\.csv$/.exec(name)?.[1]);
  expect(names).toEqual(["length", "row", "col"]);
  const [first] = files.values();
  const lines = first!.trimEnd().split("\n").filter((line) => !line.startsWith("#"));
  const curve = profile(scalarOf(picture.value!), [1, 0], [1, 5], 1);
  expect(lines.slice(1).map((line) => Number(line.split(",").at(-1)))).toEqual([...curve.values]);
});
