// A notebook's comm as a way to the server, which is the kernel (docs/protocol.md).
// SPDX-License-Identifier: Apache-2.0
import { Parts } from "./arrays";
import type { Fields } from "./check";
import type { Socket, Surroundings, WayTexts } from "./connection";

/** Hears what the kernel says to this page. */
export type Hear = (content: Fields, buffers: readonly DataView[]) => void;

/** The line of one page to the kernel (src/notebook/host.ts). */
export interface Comm {
  send(content: Fields, buffers?: readonly ArrayBuffer[]): void;
  /** Until what it gives back is called. */
  listen(hear: Hear): () => void;
  /** Whether the kernel has ended. */
  dead(): boolean;
}

const TEXTS: WayTexts = {
  gone: "The kernel does not answer.",
  refused: "The data of this cell are not in memory any more.",
  advice: "Run the cell again to look at them.",
};

function connected(comm: Comm, ended: () => void): Socket {
  const socket: Socket = {
    binaryType: "",
    onmessage: null,
    onclose: null,
    send: (request) => comm.send({ op: "ask", request }),
    close: () => comm.send({ op: "close" }),
  };
  const stop = comm.listen(({ op, header, final }, [payload]) => {
    if (op === "say" && typeof header === "string")
      socket.onmessage?.({ data: payload ? new Parts(header, payload) : header });
    if (op !== "closed") return;
    if (final === true) ended();
    stop();
    socket.onclose?.({ code: 1006, reason: "" });
  });
  comm.send({ op: "open" });
  return socket;
}

/** The kernel, as a connection needs it. */
export function commSurroundings(comm: Comm): Surroundings {
  let ended = false;
  return {
    open: () => connected(comm, () => (ended = true)),
    probe: () => Promise.resolve(ended || comm.dead() ? "token" : "gone"),
    now: () => performance.now(),
    after: (milliseconds, call) => void setTimeout(call, milliseconds),
    texts: TEXTS,
  };
}

declare global {
  interface HTMLIFrameElement {
    /** Gives the page in it a line of its own; that of a page before ends. */
    sluice?: () => Comm;
  }
}

/** The line that the frame around this page gives; null: it is in a window of its own. */
function commOfFrame(): Comm | null {
  try {
    const frame = window.frameElement as HTMLIFrameElement | null;
    return frame?.sluice?.() ?? null;
  } catch {
    // A frame of another origin.
    return null;
  }
}

/** The page's line to a kernel; null: there is a server. */
export const kernel: Comm | null = commOfFrame();
