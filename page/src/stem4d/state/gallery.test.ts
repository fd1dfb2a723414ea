// Thumbnails: of detectors that see the same, and of answers that come late.
// SPDX-License-Identifier: Apache-2.0
import { beforeAll, expect, it } from "vitest";
import { FakeServer } from "../protocol/fake";
import {
  addDetector,
  detectors,
  editDetector,
  moveSelected,
  selected,
  selectedKey,
} from "./detectors";
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

it("a late answer does not displace the image of the detector as it is", () => {
  const last = (slot: string) => server.received.filter((one) => one.slot === slot).at(-1)!;
  const other = detectors.value.find(({ name }) => name === "ADF")!;
  server.eager = false;
  during(() => editDetector(other.key, { region: { shape: "disk", center: [5, 5], outer: 2 } }));
  const late = last("gallery");
  during(() => (selectedKey.value = other.key));
  const before = last("image");
  during(() => moveSelected(0, 1));
  server.answer(before);
  server.answer(last("image"));
  expect(gallery.value.get(other.key)?.current).toBe(true);
  server.answer(late);
  expect(gallery.value.get(other.key)?.current).toBe(true);
});
