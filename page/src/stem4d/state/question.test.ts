// Answers that come late: which of them still count.
// SPDX-License-Identifier: Apache-2.0
import { beforeAll, beforeEach, expect, it } from "vitest";
import { FakeServer, fakeDataset } from "../protocol/fake";
import { cellOf, chosen } from "./compare";
import { detectors, moveSelected, setDetectors } from "./detectors";
import { imageQuestion } from "./images";
import { connect } from "./live";
import { compareOpen } from "./settings";
import { during } from "./timing";

const server = new FakeServer();
const asked = (slot: string): typeof server.received =>
  server.received.filter((one) => one.slot === slot);

beforeAll(() => {
  server.datasets = [fakeDataset("one"), fakeDataset("two")];
  connect(server.surroundings());
  server.greet();
});

beforeEach(() => {
  server.received.length = 0;
  server.eager = true;
});

it("an answer to the same question counts, whichever detector it was asked for", () => {
  server.eager = false;
  during(() => moveSelected(0, 1));
  const [first] = asked("image");
  // As a session does: the same regions under other keys.
  const others = detectors.value.map((one) => ({ ...one, key: `${one.key} again` }));
  during(() => setDetectors(others, others[0]!.key));
  server.answer(first!);
  expect(imageQuestion.standing.value.kind).toBe("answered");
});

it("a late answer does not displace the right one in a cell of the compare grid", () => {
  compareOpen.value = true;
  const kind = (): string => cellOf(chosen.value.find(({ id }) => id === "two")!).standing.value.kind;
  expect(kind()).toBe("answered");
  server.received.length = 0;
  server.eager = false;
  during(() => moveSelected(0, 1));
  const [late] = asked("compare-two");
  expect(kind()).toBe("trailing");
  // The image of where it was before is known.
  during(() => moveSelected(0, -1));
  expect(kind()).toBe("answered");
  server.answer(late!);
  expect(kind()).toBe("answered");
  compareOpen.value = false;
});
