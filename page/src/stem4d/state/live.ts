// The connection of the page of scans.
// SPDX-License-Identifier: Apache-2.0
import { signal } from "@preact/signals";
import { live } from "../../shell/live";
import { dialect } from "../protocol/wire";

export { phase, serverVersion } from "../../shell/live";
export const { onHello, onMessage, connect, ask, tell, drop, isBusy, isIdle, counters } =
  live(dialect);

/** So many detectors the server takes in one request. */
export const mostDetectors = signal(16);
onHello((hello) => (mostDetectors.value = Math.max(1, hello.maxDetectors)));
