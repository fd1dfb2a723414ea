// A page's own line on the comm that all views of a widget share.
// SPDX-License-Identifier: Apache-2.0
import type { Fields } from "../shell/protocol/check";
import type { Comm, Hear } from "../shell/protocol/comm";

/** What of anywidget's model is used. */
export interface Model {
  get(name: string): unknown;
  on(event: string, call: (content: Fields, buffers?: readonly DataView[]) => void): void;
  off(event: string, call: (content: Fields, buffers?: readonly DataView[]) => void): void;
  send(content: Fields, callbacks?: unknown, buffers?: readonly ArrayBuffer[]): void;
}

export interface Line {
  comm: Comm;
  /** Tells the kernel that the page is gone, and hears nothing more. */
  stop(): void;
}

const freshKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(3)), (n) => n.toString(36)).join("");

export function lineOf(model: Model): Line {
  const key = freshKey();
  const hearers = new Set<Hear>();
  let dead = false;
  const tell = (content: Fields, buffers: readonly DataView[] = []): void => {
    for (const hear of [...hearers]) hear(content, buffers);
  };
  const hear: Hear = (content, buffers) => {
    if (content.to === key || content.to === "*") tell(content, buffers);
  };
  const die = (): void => {
    dead = true;
    tell({ op: "closed", final: true });
  };
  const send: Comm["send"] = (content, buffers = []) =>
    model.send({ ...content, from: key }, undefined, buffers);
  model.on("msg:custom", hear as Parameters<Model["on"]>[1]);
  model.on("comm:close", die);
  return {
    comm: {
      send,
      listen: (one) => {
        hearers.add(one);
        return () => void hearers.delete(one);
      },
      dead: () => dead,
    },
    stop: () => {
      if (!dead) send({ op: "close" });
      model.off("msg:custom", hear as Parameters<Model["off"]>[1]);
      model.off("comm:close", die);
      hearers.clear();
    },
  };
}
