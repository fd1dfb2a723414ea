// The connection: latest wins, answers out of order, reconnection, refusals.
// SPDX-License-Identifier: Apache-2.0
import { beforeEach, describe, expect, it } from "vitest";
import { number, text, whole } from "./check";
import { Connection } from "./connection";
import { unknownOp } from "./decode";
import { type Asked, FakePeer, Heard } from "./fake";
import type { Dialect, Failure, Reply, Words } from "./messages";

/** A domain of rows, to have something to ask for. */
interface RowWords extends Words {
  request: { op: "row"; row: number };
  answer: Reply & { step: number };
  news: { op: "rows" };
}

const PATIENCE = 60_000;
const dialect: Dialect<RowWords> = {
  patience: PATIENCE,
  read(op, from) {
    const [id, slot] = [number(from, "id", 0), text(from, "slot", "")];
    switch (op) {
      case "hello":
        return { kind: "hello", message: { op, protocol: number(from, "protocol"), version: "" } };
      case "row":
        return { kind: "answer", message: { id, slot, step: whole(from, "step", 1, 100, 1) } };
      case "progress": {
        const done = number(from, "done");
        return { kind: "progress", message: { op, id, slot, done, total: 9 } };
      }
      case "rows":
        return { kind: "news", message: { op } };
      default:
        throw unknownOp(op);
    }
  },
};

interface AskedRow extends Asked {
  row?: number;
}

class RowServer extends FakePeer<AskedRow> {
  protected hello(): object {
    return {};
  }

  answer({ op, id, slot }: AskedRow, step = 1): void {
    this.say({ op, id, slot, step });
  }
}

let server: RowServer;
let heard: Heard;
let connection: Connection<RowWords>;
let answers: { row: number; step: number }[];
let failures: Failure[];
let far: number[];

function probe(row: number, slot = "frame"): void {
  connection.ask(slot, { op: "row", row }, {
    answered: ({ step }) => answers.push({ row, step }),
    progress: ({ done }) => far.push(done),
    failed: (failure) => failures.push(failure),
  });
}

const rows = (): number[] => server.received.flatMap((asked) => asked.row ?? []);
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
};

beforeEach(() => {
  server = new RowServer();
  server.eager = false;
  heard = new Heard();
  answers = [];
  failures = [];
  far = [];
  connection = new Connection(server.surroundings(), dialect, heard);
  connection.start();
  server.greet();
});

describe("one slot", () => {
  it("has one request in flight and only the newest waiting", () => {
    for (let row = 0; row < 6; row++) probe(row);
    expect(rows()).toEqual([0]);
    expect(connection.counters.replaced).toBe(4);
    server.answer(server.received[0]!);
    expect(rows()).toEqual([0, 5]);
    server.answer(server.received[1]!);
    expect(answers.map((answer) => answer.row)).toEqual([0, 5]);
    expect(connection.idle()).toBe(true);
  });

  it("does not hold up another slot", () => {
    probe(0);
    probe(1, "image");
    expect(rows()).toEqual([0, 1]);
  });

  it("takes a coarse answer, then the sharp one, without blocking", () => {
    probe(0);
    server.answer(server.received[0]!, 4);
    expect(connection.idle()).toBe(true);
    server.answer(server.received[0]!, 1);
    expect(answers).toEqual([
      { row: 0, step: 4 },
      { row: 0, step: 1 },
    ]);
  });

  it("ignores a sharp answer that comes after a newer one", () => {
    probe(0);
    server.answer(server.received[0]!, 4);
    probe(1);
    server.answer(server.received[1]!, 4);
    server.answer(server.received[0]!, 1);
    expect(answers.map((answer) => answer.row)).toEqual([0, 1]);
    expect(connection.counters.stale).toBe(1);
  });

  it("ignores answers that nobody asked for", () => {
    server.answer({ op: "row", id: 99, slot: "frame" });
    server.answer({ op: "row", id: 1, slot: "nowhere" });
    expect(answers).toEqual([]);
    expect(connection.counters.stale).toBe(2);
  });

  it("goes on after an error, and tells who asked", () => {
    probe(0);
    probe(1);
    const { id, slot } = server.received[0]!;
    server.say({ op: "error", id, slot, message: "row out of range", code: "range" });
    expect(failures[0]?.message).toBe("row out of range");
    expect(rows()).toEqual([0, 1]);
  });

  it("goes on when an answer never comes", () => {
    probe(0);
    probe(1);
    server.advance(PATIENCE + 2000);
    expect(failures[0]?.code).toBe("timeout");
    expect(rows()).toEqual([0, 1]);
    expect(connection.counters.timeouts).toBe(1);
  });

  it("tells when a sharper answer never comes", () => {
    probe(0);
    server.answer(server.received[0]!, 4);
    server.advance(PATIENCE + 2000);
    expect(failures.map(({ code }) => code)).toEqual(["unfinished"]);
    probe(1);
    server.answer(server.received[1]!, 1);
    server.advance(PATIENCE + 2000);
    expect(failures).toHaveLength(1);
  });

  it("waits for what is being worked on, and tells how far it is", () => {
    probe(0);
    const { id, slot } = server.received[0]!;
    for (let done = 1; done < 4; done++) {
      server.advance(PATIENCE - 2000);
      server.say({ op: "progress", id, slot, done });
    }
    server.say({ op: "progress", id: id + 1, slot, done: 8 });
    expect(far).toEqual([1, 2, 3]);
    expect(failures).toEqual([]);
  });

  it("forgets what is dropped", () => {
    probe(0);
    connection.drop("frame");
    server.answer(server.received[0]!);
    expect(answers).toEqual([]);
  });

  it("measures the time to the first answer", () => {
    probe(0);
    server.advance(12);
    server.answer(server.received[0]!);
    expect(connection.counters.latencies).toEqual([12]);
  });
});

describe("a connection that breaks", () => {
  it("tells who waits, and leaves it to them to ask again", async () => {
    probe(3);
    probe(4);
    server.disconnect();
    await settle();
    expect(failures.map(({ code }) => code)).toEqual(["lost", "lost"]);
    expect(heard.phases.at(-1)).toMatchObject({ kind: "lost", retryIn: 500 });
    server.advance(500);
    expect(server.sockets).toHaveLength(2);
    server.greet();
    expect(rows()).toEqual([3]);
    expect(connection.counters.reconnects).toBe(1);
    probe(5);
    server.answer(server.received[1]!);
    expect(answers.map((answer) => answer.row)).toEqual([5]);
  });

  it("tells who has a coarse answer only that the sharp one does not come", async () => {
    probe(3);
    server.answer(server.received[0]!, 4);
    server.disconnect();
    await settle();
    expect(failures.map(({ code }) => code)).toEqual(["lost"]);
  });

  it("waits longer each time, up to 8 s", async () => {
    for (let time = 0; time < 7; time++) {
      server.disconnect();
      await settle();
      server.advance(8000);
    }
    const waits = heard.phases.flatMap((phase) => (phase.kind === "lost" ? phase.retryIn : []));
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
  });

  it("refuses at once what is asked while it is down", async () => {
    server.disconnect();
    await settle();
    probe(1);
    expect(failures.map(({ code }) => code)).toEqual(["lost"]);
    server.advance(500);
    server.greet();
    expect(rows()).toEqual([]);
    expect(connection.idle()).toBe(true);
  });

  it("says when the token is wrong, and does not try again", async () => {
    server.disconnect();
    await settle();
    server.advance(500);
    server.probeResult = "token";
    server.disconnect();
    await settle();
    expect(heard.phases.at(-1)?.kind).toBe("refused");
    server.advance(60_000);
    expect(server.sockets).toHaveLength(2);
  });

  it("says when the protocol is another one", () => {
    server.protocol = 2;
    server.greet();
    expect(heard.phases.at(-1)?.kind).toBe("mismatch");
    server.disconnect();
    server.advance(60_000);
    expect(server.sockets).toHaveLength(1);
  });
});

describe("messages", () => {
  it("that are malformed are counted and told, and nothing stops", () => {
    server.push("}{");
    server.push(new ArrayBuffer(3));
    server.push(undefined);
    expect(connection.counters.malformed).toBe(3);
    expect(heard.problems).toHaveLength(3);
    probe(0);
    server.answer(server.received[0]!);
    expect(answers).toHaveLength(1);
  });

  it("that nobody asked for are handed on", () => {
    server.say({ op: "error", id: null, slot: null, message: "disk full", code: "io" });
    server.say({ op: "rows" });
    expect(heard.messages.map((message) => message.op)).toEqual(["error", "rows"]);
  });
});
