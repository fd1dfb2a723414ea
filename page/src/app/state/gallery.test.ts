// The thumbnails of detectors that see the same.
// SPDX-License-Identifier: Apache-2.0
import { beforeAll, expect, it } from "vitest";
import { FakeServer } from "../../protocol/fake";
import { addDetector, detectors, selected } from "./detectors";
import { gallery } from "./gallery";
import { connect } from "./live";
import { during } from "./timing";

const server = new FakeServer();

beforeAll(() => {
  connect(server.surroundings());
  server.greet();
});

it("of two detectors with one region, both have its image", () => {
  const region = { ...selected.value!.region };
  during(() => addDetector("again", region));
  expect(selected.value?.name).toBe("again");
  for (const { key } of detectors.value) expect(gallery.value.get(key)?.current).toBe(true);
});
