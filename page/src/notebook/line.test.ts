// A page over a notebook's comm: the same connection as over a WebSocket, with the same messages.
// SPDX-License-Identifier: Apache-2.0
import { beforeEach, expect, it } from "vitest";
import { number, text } from "../shell/protocol/check";
import { commSurroundings } from "../shell/protocol/comm";
import { Connection, type Surroundings } from "../shell/protocol/connection";
import { unknownOp } from "../shell/protocol/decode";
import { encodeBinary } from "../shell/protocol/encode";
import { type Asked, FakePeer, Heard } from "../shell/protocol/fake";
import type { Dialect, Failure, Reply, Words } from "../shell/protocol/messages";
import type { Fields } from "../shell/protocol/check";
import { type Line, lineOf, type Model } from "./line";

interface RowWords extends Words {
  request: { op: "row"; row: number };
  answer: Reply & { values: number[] };
  news: { op: "rows" };
}

const dialect: Dialect<RowWords> = {
  patience: 60_000,
  read(op, from, arrays) {
    const [id, slot] = [number(from, "id", 0), text(from, "slot", "")];
    if (op === "hello")
      return { kind: "hello", message: { op, protocol: number(from, "protocol"), version: "" } };
    if (op !== "row") throw unknownOp(op);
    return { kind: "answer", message: { id, slot, values: [...(arrays[0]?.values ?? [])] } };
  },
};

interface AskedRow extends Asked {
  row: number;
}

/** What the other end does, by whatever way it is reached. */
interface Way {
  around: Surroundings;
  asked(): AskedRow[];
  greet(): void;
  /** Answers with an array of the request's row. */
  answer(asked: AskedRow): void;
  lose(): void;
  /** The other end will not come back. */
  end(): void;
}

const answerTo = ({ op, id, slot, row }: AskedRow): ArrayBuffer =>
  encodeBinary({ op, id, slot, step: 1 }, [
    { name: "values", dtype: "float64", shape: [2], values: new Float64Array([row, 0.5]) },
  ]);

class RowServer extends FakePeer<AskedRow> {
  protected hello(): object {
    return {};
  }

  answer(asked: AskedRow): void {
    this.push(answerTo(asked));
  }
}

function socketWay(): Way {
  const server = new RowServer();
  server.eager = false;
  return {
    around: server.surroundings(),
    asked: () => server.received,
    greet: () => server.greet(),
    answer: (asked) => server.answer(asked),
    lose: () => server.disconnect(),
    end: () => {
      server.probeResult = "token";
      server.disconnect();
      server.advance(1000);
      server.disconnect();
    },
  };
}

/** The kernel's end of a comm, and what of a page it was told. */
class FakeModel implements Model {
  readonly sent: Fields[] = [];
  private readonly hearers = new Map<string, Set<Parameters<Model["on"]>[1]>>();

  get(): unknown {
    return 600;
  }

  on(event: string, call: Parameters<Model["on"]>[1]): void {
    this.hearers.set(event, (this.hearers.get(event) ?? new Set()).add(call));
  }

  off(event: string, call: Parameters<Model["on"]>[1]): void {
    this.hearers.get(event)?.delete(call);
  }

  send(content: Fields): void {
    this.sent.push(content);
  }

  say(content: Fields, buffers: DataView[] = [], event = "msg:custom"): void {
    for (const call of [...(this.hearers.get(event) ?? [])]) call(content, buffers);
  }
}

/** The arrays of a binary message at an address that is no multiple of anything. */
function apart(message: ArrayBuffer): { header: string; payload: DataView } {
  const length = new DataView(message).getUint32(0, true);
  const bytes = new Uint8Array(message);
  const odd = new Uint8Array(bytes.length + 3);
  odd.set(bytes, 3);
  return {
    header: new TextDecoder().decode(bytes.subarray(4, 4 + length)),
    payload: new DataView(odd.buffer, 7 + length),
  };
}

let model: FakeModel;
let line: Line;

function commWay(): Way {
  model = new FakeModel();
  line = lineOf(model);
  const clock = new RowServer();
  const { now, after } = clock.surroundings();
  const key = (): string => String(model.sent.at(-1)?.from);
  const hello = JSON.stringify({ op: "hello", protocol: 1, version: "0" });
  return {
    around: { ...commSurroundings(line.comm), now, after },
    asked: () =>
      model.sent.flatMap(({ op, request }): AskedRow[] =>
        op === "ask" ? [JSON.parse(String(request))] : [],
      ),
    greet: () => model.say({ op: "say", to: key(), header: hello }),
    answer: (asked) => {
      const { header, payload } = apart(answerTo(asked));
      model.say({ op: "say", to: key(), header }, [payload]);
    },
    lose: () => model.say({ op: "closed", to: key(), final: false }),
    end: () => {
      model.say({ op: "closed", to: "*", final: true });
      clock.advance(1000);
      model.say({ op: "closed", to: "*", final: true });
    },
  };
}

it.each([
  ["a WebSocket", socketWay],
  ["a comm", commWay],
])("%s: greets, asks, answers with arrays, and is lost", async (_, make) => {
  const way = make();
  const heard = new Heard();
  const connection = new Connection(way.around, dialect, heard);
  const [answers, failures]: [number[][], Failure[]] = [[], []];
  const ask = (row: number): void =>
    connection.ask("row", { op: "row", row }, {
      answered: ({ values }) => answers.push(values),
      failed: (failure) => failures.push(failure),
    });
  ask(1);
  expect(failures.map(({ code }) => code)).toEqual(["lost"]);
  connection.start();
  way.greet();
  expect(heard.hellos).toBe(1);
  ask(2);
  ask(3);
  ask(4);
  expect(way.asked().map(({ row }) => row)).toEqual([2]);
  way.answer(way.asked()[0]!);
  expect(way.asked().map(({ row }) => row)).toEqual([2, 4]);
  way.answer(way.asked()[1]!);
  expect(answers.at(-1)).toEqual([4, 0.5]);
  ask(5);
  way.lose();
  await Promise.resolve();
  expect(failures.at(-1)?.code).toBe("lost");
  expect(heard.phases.at(-1)?.kind).toBe("lost");
});

it.each([
  ["a WebSocket", socketWay],
  ["a comm", commWay],
])("%s: says when nothing comes back", async (_, make) => {
  const way = make();
  const heard = new Heard();
  new Connection(way.around, dialect, heard).start();
  way.greet();
  way.end();
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  expect(heard.phases.at(-1)?.kind).toBe("refused");
});

beforeEach(() => void commWay());

it("hears what is for it or for all, until it stops", () => {
  const heard: unknown[] = [];
  const stop = line.comm.listen(({ op }) => heard.push(op));
  line.comm.send({ op: "open" });
  const { from } = model.sent[0]!;
  model.say({ op: "a", to: from });
  model.say({ op: "b", to: "other" });
  model.say({ op: "c", to: "*" });
  stop();
  model.say({ op: "d", to: "*" });
  expect(heard).toEqual(["a", "c"]);
  line.comm.listen(({ op }) => heard.push(op));
  line.stop();
  model.say({ op: "e", to: "*" });
  expect(heard).toEqual(["a", "c"]);
  expect(model.sent.at(-1)).toEqual({ op: "close", from });
});

it("is dead when the kernel is", () => {
  const heard: unknown[] = [];
  line.comm.listen(({ op, final }) => heard.push(op, final));
  expect(line.comm.dead()).toBe(false);
  model.say({}, [], "comm:close");
  expect(line.comm.dead()).toBe(true);
  expect(heard).toEqual(["closed", true]);
});
