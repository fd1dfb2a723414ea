// A fake machine's report, as the server sends it: for the tests of the page.
// SPDX-License-Identifier: Apache-2.0

type Told = Record<string, unknown>;

export const toldRow = (change: Told = {}): Told => ({
  part: "disk",
  name: "reading in order",
  text: "50 MB/s",
  value: 5e7,
  unit: "B/s",
  expected: 1e8,
  least: "100 MB/s",
  rule: "past the cache",
  not_taken: "",
  topic: "",
  waited: 0.01,
  spread: { min: 4e7, lower_quartile: 4.5e7, median: 5e7, upper_quartile: 5.5e7, max: 6e7 },
  ...change,
});

const plain = (change: Told): Told =>
  toldRow({ expected: null, least: "", rule: "", waited: null, spread: undefined, value: null, unit: "", ...change });

/** A container on a slow disk, whose decoding others disturbed. */
export const toldReport = (change: Told = {}): Told => ({
  machine: { processor: "Fake 9000", time: "2026-11-30T04:43:00Z", load_before: 0.5 },
  quick: false,
  seconds: 29.25,
  rows: [
    plain({ part: "processors", name: "processor", text: "Fake 9000" }),
    plain({ part: "processors", name: "quota", text: "1.5", value: 1.5, expected: 4, least: "4", topic: "limits" }),
    plain({ part: "processors", name: "time given to other machines", text: "0.02", value: 0.02, unit: "share", topic: "noise" }),
    plain({ part: "processors", name: "instruction sets", text: "avx2; no AMX", topic: "instructions" }),
    plain({ part: "memory", name: "of this process", text: "4 GB", value: 4e9, unit: "B", expected: 3e9, least: "3 GB", topic: "limits" }),
    toldRow(),
    toldRow({ name: "reading from the cache", text: "5 GB/s", value: 5e9, expected: null, least: "" }),
    toldRow({
      part: "work",
      name: "decoding, all threads",
      text: "1 GB/s",
      value: 1e9,
      expected: 3e9,
      least: "3 GB/s",
      not_taken: "not of a quiet machine: its threads waited 40 % of the time for a processor",
      waited: 0.4,
    }),
    plain({ part: "gpu", name: "GPU", text: "none", not_taken: "no driver" }),
  ],
  scaling: [
    { work: "computing in registers", threads: 4, factor: 1.5, expected: 3, not_taken: "" },
    { work: "copying memory", threads: 4, factor: null, expected: null, not_taken: "it was not measured" },
  ],
  findings: [
    {
      rule: "disk",
      text: "The disk of /data reads 50 MB/s in order.",
      advice: "Copy the data to a local SSD first.",
      evidence: "reads of 4 MB past the system's cache",
    },
    {
      rule: "quota",
      text: "The container may use 1.5 processors' worth of time, and shows 4.",
      advice: "Give --threads 2.",
      evidence: "cpu.max",
    },
  ],
  ...change,
});

export const toldRunning = (change: Told = {}): Told => ({
  quick: true,
  stopping: false,
  done: 2,
  total: 7,
  step: "touching fresh memory",
  seconds: 1.5,
  ...change,
});
