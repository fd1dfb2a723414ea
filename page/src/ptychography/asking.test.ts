// What the page asks for while a job goes on, and when it has the last of it.
// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { phase } from "../shell/live";
import { notices } from "../shell/notices";
import { chooseResult, startAsking } from "./asking";
import { connect } from "./live";
import * as state from "./state";
import { MonitorPeer, toldJob, toldState } from "./test_job";

let peer: MonitorPeer;
beforeAll(() => {
  startAsking();
});
beforeEach(() => {
  notices.value = [];
  state.beginJob(null);
  peer = new MonitorPeer();
  connect(peer.surroundings());
  peer.greet();
});
afterEach(() => vi.restoreAllMocks());

function iterate(count: number, more: object = {}): void {
  while (peer.r.length < count) {
    peer.stages.push(peer.r.length >= 3 ? 1 : 0);
    peer.r.push(1 / (peer.r.length + 1));
  }
  const snapshot = Number(peer.state.snapshot) + 1;
  peer.tell({ iteration: count, snapshot, snapshot_iteration: count, powers: [0.75, 0.25], ...more });
}

it("asks for nothing before there is something, and for all that is seen then", () => {
  expect(peer.received).toEqual([]);
  iterate(1);
  expect(peer.received.map(({ op }) => op).sort()).toEqual(["curve", "object", "positions", "probe", "probe"]);
  expect(state.object.value).toMatchObject({ slice: 0, iteration: 1, wave: { rows: 8, cols: 10 } });
  expect(state.modes.value[1]!.real[0]).toBe(101);
  expect(state.positions.value!.moved[1]).toEqual([0, 0.25]);
  peer.tell({ rate: 7 });
  expect(peer.received).toHaveLength(5);
});

it("collects the curve piece by piece, and marks where stages begin", () => {
  iterate(2);
  iterate(5);
  expect(peer.received.filter(({ op }) => op === "curve").map(({ from }) => from)).toEqual([0, 2]);
  expect(state.curve.value).toEqual([1, 0.5, 1 / 3, 0.25, 0.2].map(Math.fround));
  expect(state.stageStarts.value).toEqual([4]);
});

it("takes R back where the reconstruction does", () => {
  iterate(5);
  peer.r = [1, 0.5, 0.25];
  peer.stages = [0, 0, 0];
  peer.tell({ iteration: 3, curve: 1 });
  expect(state.curve.value).toEqual([1, 0.5, 0.25]);
  expect(state.stageStarts.value).toEqual([]);
});

it("asks again for positions only where they move", () => {
  iterate(1);
  iterate(2);
  expect(peer.count("positions")).toBe(2);
  const stages = [{ solver: "lsqml", iterations: 5, refines: false }];
  peer.begin(toldJob({ number: 2, stages }));
  peer.tell(toldState({ job: 2 }));
  iterate(3);
  iterate(4);
  expect(peer.count("positions")).toBe(3);
});

it("keeps the pictures of a job until those of the one that follows come", () => {
  peer.begin(toldJob({ number: 2, slices: 3 }));
  peer.tell(toldState({ job: 2 }));
  iterate(2);
  state.setSlice(1);
  const before = state.object.value;
  peer.tell({ state: "paused" });
  peer.r = [];
  peer.stages = [];
  peer.begin(toldJob({ number: 3, slices: 3, follows: true }));
  peer.tell(toldState({ job: 3 }));
  expect(state.object.value).toBe(before);
  expect(state.curve.value).toEqual([]);
  iterate(1);
  expect(state.object.value).toMatchObject({ slice: 1, iteration: 1 });
  expect(state.curve.value).toEqual([1]);
  peer.begin(toldJob({ number: 4 }));
  expect(state.object.value).toBeNull();
});

it("asks for another slice, and never shows one for another", () => {
  peer.begin(toldJob({ number: 2, slices: 3 }));
  peer.tell(toldState({ job: 2 }));
  iterate(1);
  peer.eager = false;
  state.setSlice(2);
  state.setSlice(1);
  expect(state.object.value!.slice).toBe(0);
  const [first] = peer.received.filter(({ op, slice }) => op === "object" && slice === 2);
  peer.answer(first!);
  const [second] = peer.received.filter(({ op, slice }) => op === "object" && slice === 1);
  peer.answer(second!);
  expect(state.object.value).toMatchObject({ slice: 1 });
  expect(state.object.value!.wave.real[0]).toBe(101);
});

it("asks for no pictures while nobody sees the page", () => {
  const visible = vi.spyOn(document, "visibilityState", "get");
  visible.mockReturnValue("hidden");
  document.dispatchEvent(new Event("visibilitychange"));
  iterate(1);
  expect(peer.received.map(({ op }) => op)).toEqual(["curve"]);
  visible.mockReturnValue("visible");
  document.dispatchEvent(new Event("visibilitychange"));
  expect(peer.count("object")).toBe(1);
});

it("says when it has the last state, once, and is at peace without a server then", async () => {
  iterate(1);
  expect(peer.count("shown")).toBe(0);
  peer.eager = false;
  iterate(5, { state: "finished" });
  expect(peer.count("shown")).toBe(0);
  for (const one of peer.received.slice(-5)) peer.answer(one);
  expect(peer.count("shown")).toBe(1);
  expect(state.object.value!.iteration).toBe(5);
  peer.tell({});
  expect(peer.count("shown")).toBe(1);
  peer.disconnect();
  await vi.waitFor(() => expect(phase.value.kind).toBe("lost"));
  peer.advance(60_000);
  expect(peer.sockets).toHaveLength(1);
  expect(state.object.value!.iteration).toBe(5);
});

it("begins anew with another job, and takes nothing of the last one", () => {
  iterate(2);
  peer.eager = false;
  iterate(3);
  const late = peer.received.slice(-4);
  peer.begin(toldJob({ number: 2, name: "next.h5" }));
  expect(state.object.value).toBeNull();
  expect(state.curve.value).toEqual([]);
  for (const one of late) peer.answer(one);
  expect(state.object.value).toBeNull();
  expect(state.curve.value).toEqual([]);
  expect(notices.value).toEqual([]);
});

it("keeps what it shows over a lost line, and asks anew", async () => {
  iterate(2);
  peer.disconnect();
  await vi.waitFor(() => expect(phase.value.kind).toBe("lost"));
  expect(state.curve.value).toHaveLength(2);
  peer.advance(1000);
  const before = peer.received.length;
  peer.greet();
  expect(peer.received.slice(before).map(({ op }) => op)).toContain("object");
  iterate(3);
  expect(state.curve.value).toHaveLength(3);
});

/** The page begins anew, before a server with finished results. */
function greetWithResults(count: number, ...notes: string[]): void {
  const results = Array.from({ length: count }, (_, i) => ({
    job: toldJob({ number: i + 1, name: `${i + 1}.h5`, path: `/r/${i + 1}.h5`, slices: i + 1 }),
    state: toldState({ job: i + 1, state: "saved", iteration: 2, snapshot: 1, snapshot_iteration: 2, powers: [1, 0] }),
  }));
  peer = new MonitorPeer();
  Object.assign(peer, { results, notes, job: results[0]!.job, state: results[0]!.state, r: [1, 0.5], stages: [0, 0] });
  connect(peer.surroundings());
  peer.greet();
}

it("shows a finished result, tells nobody that it has all, and one of several is chosen", () => {
  greetWithResults(2);
  expect(state.saved.value).toBe(true);
  expect(state.over.value).toBe(false);
  expect(peer.received.every(({ job }) => job === 1)).toBe(true);
  expect(state.object.value).toMatchObject({ slice: 0, iteration: 2 });
  expect(state.curve.value).toEqual([1, 0.5]);
  expect(peer.count("shown")).toBe(0);
  const before = peer.received.length;
  chooseResult(2);
  const asked = peer.received.slice(before);
  expect(asked.map(({ op }) => op).sort()).toEqual(["curve", "object", "positions", "probe", "probe"]);
  expect(asked.every(({ job }) => job === 2)).toBe(true);
  expect(state.job.value!.name).toBe("2.h5");
  expect(state.curve.value).toEqual([1, 0.5]);
  // What is there already is not asked for again.
  chooseResult(2);
  chooseResult(7);
  expect(peer.received).toHaveLength(before + 5);
});

it("stays with the result that was chosen over a lost line, and tries it again", async () => {
  greetWithResults(2);
  chooseResult(2);
  peer.disconnect();
  await vi.waitFor(() => expect(phase.value.kind).toBe("lost"));
  expect(state.object.value).not.toBeNull();
  peer.advance(1000);
  const before = peer.received.length;
  peer.greet();
  expect(state.job.value!.number).toBe(2);
  expect(peer.received.slice(before).every(({ job }) => job === 2)).toBe(true);
});

it("says why there is no picture, and goes back to the slice that it has", () => {
  greetWithResults(2);
  chooseResult(2);
  peer.eager = false;
  state.setSlice(1);
  const { id, slot } = peer.received.at(-1)!;
  expect(state.shownSlice.value).toBe(1);
  peer.say({ op: "error", id, slot, code: "io", message: "it was lost" });
  expect(state.lacking.value).toBe("it was lost");
  expect([state.object.value!.slice, state.shownSlice.value]).toEqual([0, 0]);
  expect(notices.value.map(({ text }) => text)).toEqual(["it was lost"]);
});
