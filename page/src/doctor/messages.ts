// What the page of the doctor asks, and what its server says.
// SPDX-License-Identifier: Apache-2.0
import { asFields, asList, type Fields, Malformed, number, text, texts, whole } from "../shell/protocol/check";
import { unknownOp } from "../shell/protocol/decode";
import type { Dialect, Greeting, Message, Progress, Reply, Words } from "../shell/protocol/messages";
import type { Finding, Report, Row, Running, Scaling, Spread } from "./types";

/** A request without its id and slot, which the connection adds. */
export type Request = { op: "examine"; quick: boolean } | { op: "stop" };

export interface Hello extends Greeting {
  /** null: nothing was measured yet. */
  report: Report | null;
  running: Running | null;
}
export type Answer = Reply & { op: "examine" | "pong" };
export type News = { op: "report"; report: Report } | { op: "state"; running: Running | null };

export interface DoctorWords extends Words {
  request: Request;
  hello: Hello;
  answer: Answer;
  progress: Progress;
  news: News;
}

const MOST = 10_000;
const orNull = (from: Fields, name: string): number | null =>
  from[name] === null ? null : number(from, name);

function truth(from: Fields, name: string): boolean {
  const value = from[name];
  if (typeof value !== "boolean") throw new Malformed(`${name} is neither true nor false`);
  return value;
}

function readSpread(value: unknown): Spread | null {
  if (value === undefined) return null;
  const from = asFields(value, "spread");
  return {
    min: number(from, "min"),
    lower: number(from, "lower_quartile"),
    median: number(from, "median"),
    upper: number(from, "upper_quartile"),
    max: number(from, "max"),
  };
}

const readRow = (from: Fields): Row => ({
  part: text(from, "part"),
  name: text(from, "name"),
  text: text(from, "text"),
  value: orNull(from, "value"),
  unit: text(from, "unit"),
  expected: orNull(from, "expected"),
  least: text(from, "least"),
  rule: text(from, "rule"),
  notTaken: text(from, "not_taken"),
  topic: text(from, "topic"),
  waited: orNull(from, "waited"),
  spread: readSpread(from.spread),
});

const readScaling = (from: Fields): Scaling => ({
  work: text(from, "work"),
  threads: whole(from, "threads", 1, 1 << 20),
  factor: orNull(from, "factor"),
  expected: orNull(from, "expected"),
  notTaken: text(from, "not_taken"),
});

const readFinding = (from: Fields): Finding => ({
  rule: text(from, "rule"),
  text: text(from, "text"),
  advice: text(from, "advice"),
  evidence: text(from, "evidence"),
});

function readReport(value: unknown): Report {
  const from = asFields(value, "report");
  const machine = asFields(from.machine, "machine");
  const all = <T>(name: string, read: (one: Fields) => T): T[] =>
    asList(from[name], name, MOST).map((one) => read(asFields(one, name)));
  return {
    processor: text(machine, "processor", ""),
    time: text(machine, "time", ""),
    quick: truth(from, "quick"),
    seconds: number(from, "seconds"),
    rows: all("rows", readRow),
    scaling: all("scaling", readScaling),
    findings: all("findings", readFinding),
    raw: from,
  };
}

function readRunning(value: unknown): Running | null {
  if (value === null) return null;
  const from = asFields(value, "running");
  const total = whole(from, "total", 1, MOST);
  return {
    quick: truth(from, "quick"),
    stopping: truth(from, "stopping"),
    done: whole(from, "done", 0, total),
    total,
    step: text(from, "step"),
    seconds: number(from, "seconds"),
  };
}

function read(op: string, from: Fields): Message<DoctorWords> {
  switch (op) {
    case "hello": {
      texts(from, "notes");
      const greeting = { protocol: number(from, "protocol"), version: text(from, "version", "") };
      const found = { report: from.report === null ? null : readReport(from.report), running: readRunning(from.running) };
      return { kind: "hello", message: { op, ...greeting, ...found } };
    }
    case "report":
      return { kind: "news", message: { op, report: readReport(from.report) } };
    case "state":
      return { kind: "news", message: { op, running: readRunning(from.running) } };
    case "examine":
    case "pong": {
      const id = whole(from, "id", 0, Number.MAX_SAFE_INTEGER);
      return { kind: "answer", message: { op, id, slot: text(from, "slot") } };
    }
    default:
      throw unknownOp(op);
  }
}

/** The dialect of the page. A busy machine is measured for minutes. */
export const dialect: Dialect<DoctorWords> = { patience: 600_000, read };
