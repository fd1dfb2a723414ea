// The connection of the page of volumes.
// SPDX-License-Identifier: Apache-2.0
import { live } from "../shell/live";
import { dialect } from "./messages";

export const { onHello, connect, ask, drop, isIdle } = live(dialect);
