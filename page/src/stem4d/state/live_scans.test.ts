// A scan that is being measured: what is asked for again, and which series is looked at.
// SPDX-License-Identifier: Apache-2.0
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { notices } from "../../shell/notices";
import { FakeServer, fakeSeries } from "../protocol/fake";
import { panelWords } from "../remarks";
import { cached } from "./asking";
import { dataset, select, selectedId } from "./datasets";
import { moveSelected } from "./detectors";
import { imageQuestion, shown } from "./images";
import { connect, isIdle } from "./live";
import { coming, follow, following } from "./live_scans";
import { patternQuestion, shownPattern } from "./pattern";
import { moveProbe } from "./scan";
import { during } from "./timing";

const server = new FakeServer();
const asked = (slot: string): typeof server.received =>
  server.received.filter((one) => one.slot === slot);
const mark = (points: number, final = false): object => ({
  live: { points, of: 48, final },
});
const painted = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => setTimeout(resolve))));
/** The server of a scan of which so much has come; what waits for more is not answered. */
function came(points: number): void {
  server.remarks = mark(points);
}
let waits: (typeof server.received)[number] | undefined;
const tellAll = (...list: object[]): void => server.say({ op: "datasets", datasets: list });

beforeAll(() => {
  server.datasets = [];
  server.live = [{ address: "tcp://detector:31001", state: "waiting", series: 0, dropped: 0 }];
  connect(server.surroundings());
  server.greet();
});

beforeEach(() => {
  server.received.length = 0;
});

describe("before a series", () => {
  it("the panels say what they wait for", () => {
    const words = panelWords(imageQuestion.standing.value, false, dataset.value);
    expect(words?.text).toContain("No series has begun at tcp://detector:31001");
  });
});

describe("a series that comes", () => {
  it("is looked at, and asked for again once it is painted", async () => {
    came(12);
    server.datasets = [fakeSeries("d1", true)];
    tellAll(...server.datasets);
    expect(selectedId.value).toBe("d1");
    expect(shown.value?.live?.points).toBe(12);
    expect(asked("image more")).toHaveLength(0);
    server.eager = false;
    await painted();
    const [more] = asked("image more");
    expect(more?.after).toBe(12);
    // What waits for more is not waited for.
    expect(isIdle()).toBe(true);
    came(20);
    server.answer(more!);
    expect(shown.value?.live?.points).toBe(20);
    expect(imageQuestion.standing.value.kind).toBe("answered");
    await painted();
    expect(asked("image more").at(-1)?.after).toBe(20);
  });

  it("is not remembered: another look asks again", () => {
    expect(cached(imageQuestion.key.value)).toBeUndefined();
  });

  it("a drag does not wait for what waits, and ends it", async () => {
    server.eager = true;
    came(30);
    during(() => moveSelected(0, 1));
    expect(shown.value?.live?.points).toBe(30);
    expect(server.received.find((one) => one.slot === "image more" && one.op === "stop")).toBeDefined();
    server.eager = false;
    await painted();
    waits = asked("image more").filter((one) => one.op === "image").at(-1);
    expect(waits?.after).toBe(30);
  });

  it("a request that waits for more is never given up", () => {
    for (let i = 0; i < 200; ++i) server.advance(1000);
    expect(imageQuestion.standing.value.kind).toBe("answered");
    came(31);
    server.answer(waits!);
    expect(shown.value?.live?.points).toBe(31);
  });

  it("a pattern that came is asked for once", async () => {
    server.eager = true;
    server.remarks = mark(31, true);
    during(() => moveProbe([1, 1]));
    expect(shownPattern.value?.live?.final).toBe(true);
    server.received.length = 0;
    await painted();
    expect(asked("pattern more")).toHaveLength(0);
    expect(patternQuestion.standing.value.kind).toBe("answered");
  });

  it("how it comes is told", () => {
    server.say({
      op: "coming", dataset: "d1", received: 31, of: 48, lost: 2, waiting: 1, lag_ms: 3, rate: 10, silent_s: 0,
    });
    expect(coming.value).toMatchObject({ received: 31, lost: 2, lag: 3 });
  });

  it("at its end all is asked for once more, and the image stays meanwhile", () => {
    server.eager = false;
    server.datasets = [fakeSeries("d1", false)];
    server.say({ op: "dataset", dataset: server.datasets[0] });
    expect(imageQuestion.standing.value.kind).toBe("trailing");
    expect(coming.value).toBeNull();
    server.remarks = {};
    server.answer(asked("image").at(-1)!);
    expect(imageQuestion.standing.value.kind).toBe("answered");
    expect(shown.value?.live ?? null).toBeNull();
    server.eager = true;
  });
});

describe("the next series", () => {
  it("is followed, until an older one is chosen", () => {
    came(5);
    server.datasets = [fakeSeries("d1", false), fakeSeries("d2", true)];
    tellAll(...server.datasets);
    expect(selectedId.value).toBe("d2");
    during(() => select("d1"));
    expect(following.value).toBe(false);
    server.datasets = [...server.datasets, fakeSeries("d3", true)];
    tellAll(...server.datasets);
    expect(selectedId.value).toBe("d1");
    during(() => follow(true));
    expect(selectedId.value).toBe("d3");
    during(() => select("d1"));
    during(() => select("d3"));
    expect(following.value).toBe(true);
  });

  it("takes the room of the oldest, which is told", () => {
    server.datasets = server.datasets.slice(1);
    tellAll(...server.datasets);
    const texts = notices.value.map(({ text }) => text).join();
    expect(texts).toContain("series 1, 14:03:01 left memory");
    expect(selectedId.value).toBe("d3");
  });
});
