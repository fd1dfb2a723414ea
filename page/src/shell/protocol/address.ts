// Where the server is: the page's own origin, or `?server=` while one works on the page.
// SPDX-License-Identifier: Apache-2.0
import type { Socket, Surroundings } from "./connection";

/** The address of the WebSocket for a page at `location`. */
export function liveAddress(location: { href: string }): string {
  const page = new URL(location.href);
  const server = page.searchParams.get("server") ?? page.host;
  const scheme = page.protocol === "https:" ? "wss" : "ws";
  const token = page.searchParams.get("token") ?? "";
  return `${scheme}://${server}/live?token=${encodeURIComponent(token)}`;
}

/** A browser hides why a socket did not open; a plain request to the same server tells. */
async function probe(): Promise<"token" | "gone"> {
  try {
    const page = new URL(location.href);
    page.hash = "";
    const answer = await fetch(page, { method: "HEAD", cache: "no-store" });
    return answer.status === 403 || answer.status === 401 ? "token" : "gone";
  } catch {
    return "gone";
  }
}

/** The browser, as a connection needs it. */
export function browserSurroundings(): Surroundings {
  return {
    open: (): Socket => {
      const socket = new WebSocket(liveAddress(location));
      const adapter: Socket = {
        binaryType: "arraybuffer",
        onmessage: null,
        onclose: null,
        send: (data) => socket.send(data),
        close: () => socket.close(),
      };
      socket.binaryType = "arraybuffer";
      socket.onmessage = (event) => adapter.onmessage?.(event);
      socket.onclose = (event) => adapter.onclose?.(event);
      return adapter;
    },
    probe,
    now: () => performance.now(),
    after: (milliseconds, call) => void setTimeout(call, milliseconds),
  };
}
