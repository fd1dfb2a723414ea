// What every page says when there is no server, and how often it said something.
// SPDX-License-Identifier: Apache-2.0
import { render } from "preact";
import { afterEach, beforeEach, expect, it } from "vitest";
import { phase } from "../live";
import { complain, dismissNewest } from "../notices";
import type { Phase } from "../protocol/connection";
import { Disconnected, Messages } from "./messages";

let place: HTMLElement;
beforeEach(() => {
  place = document.createElement("div");
});
afterEach(() => {
  render(null, place);
  phase.value = { kind: "connecting" };
});

/** What stands over the page, and its button. */
function said(now: Phase): [text: string, button: string | undefined] {
  phase.value = now;
  render(<Disconnected />, place);
  return [place.textContent ?? "", place.querySelector("button")?.textContent ?? undefined];
}

it("says nothing while there is a connection, or may be soon", () => {
  expect(said({ kind: "open" })).toEqual(["", undefined]);
  expect(said({ kind: "connecting" })).toEqual(["", undefined]);
});

it("says what to do for each way to have no server", () => {
  const [lost, none] = said({ kind: "lost", text: "It is gone.", retryIn: 500 });
  expect(lost).toMatch(/^Connection lost.*It is gone\..*tried again and again/);
  expect(none).toBeUndefined();
  const [refused, button] = said({ kind: "refused", text: "Wrong token." });
  expect(refused).toMatch(/^Cannot connect.*Wrong token\..*has a new token each time/);
  expect(button).toBe("Reload the page");
  const [mismatch] = said({ kind: "mismatch", text: "Version 2." });
  expect(mismatch).toMatch(/Version 2\..*another version of Sluice than the server/);
});

it("tells a message once, and how often it came", () => {
  render(<Messages>saving</Messages>, place);
  complain("The disk is full.");
  complain("The disk is full.");
  render(<Messages>saving</Messages>, place);
  expect(place.textContent).toBe("savingThe disk is full. (×2)");
  expect(place.querySelectorAll("[role=alert]")).toHaveLength(1);
  dismissNewest();
});
