// Tests of pictures in the file: each stays with its own slide.
// SPDX-License-Identifier: Apache-2.0
import { expect, test, vi } from "vitest";
import { encodeBinary } from "../shell/protocol/encode";
import { type Asked, FakePeer } from "../shell/protocol/fake";
import type { WireArray } from "../types";
import { askAttachment, forgetPictures, pictureOf, pictures } from "./attachments";
import "./drawing";
import { connect } from "./live";
import { choose } from "./state";

const described = (id: string): object => ({
  id,
  name: `${id}.czi`,
  bounds: [0, 0, 100, 100],
  zooms: 1,
  channels: [{ at: 0 }],
});

class SlideServer extends FakePeer<Asked> {
  protected hello(): object {
    return { tile: 512, slides: ["s1", "s2"].map(described), notes: [] };
  }

  answer({ op, id, slot }: Asked): void {
    const values = Uint8Array.of(0xff, 0xd8, id);
    const bytes: WireArray = { name: "bytes", dtype: "uint8", shape: [3], values };
    this.push(encodeBinary({ op, id, slot }, [bytes]));
  }
}

test("a picture that comes after another slide was chosen is not shown as that one's", () => {
  const objects = { createObjectURL: () => "blob:x", revokeObjectURL: vi.fn() };
  vi.stubGlobal("URL", Object.assign(URL, objects));
  const server = new SlideServer();
  server.eager = false;
  connect(server.surroundings());
  server.greet();
  choose("s1");
  askAttachment(0);
  choose("s2");
  askAttachment(0);
  const [first, second] = server.received;
  expect([first, second]).toMatchObject([
    { op: "attachment", slot: "a0", slide: "s1" },
    { op: "attachment", slot: "a0", slide: "s2" },
  ]);
  server.answer(first!);
  expect(pictures.value.size).toBe(0);
  server.answer(second!);
  expect([...pictures.value.keys()]).toEqual([pictureOf("s2", 0)]);
  forgetPictures();
  expect(pictures.value.size).toBe(0);
});
