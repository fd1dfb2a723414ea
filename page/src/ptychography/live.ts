// The connection of the page of reconstructions.
// SPDX-License-Identifier: Apache-2.0
import { live } from "../shell/live";
import { dialect } from "./messages";

export const { onHello, onMessage, connect, disconnect, ask, tell, drop, isIdle } = live(dialect);
