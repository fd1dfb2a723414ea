// Where the page looks for its server.
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { liveAddress } from "./address";

describe("the address", () => {
  it("is the page's own, or the one in ?server=", () => {
    expect(liveAddress({ href: "http://127.0.0.1:8800/?token=a%20b" })).toBe(
      "ws://127.0.0.1:8800/live?token=a%20b",
    );
    expect(liveAddress({ href: "https://host/lab/?token=x" })).toBe("wss://host/live?token=x");
    expect(liveAddress({ href: "http://localhost:5173/?server=127.0.0.1:8800&token=dev" })).toBe(
      "ws://127.0.0.1:8800/live?token=dev",
    );
  });
});
