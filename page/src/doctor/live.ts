// The connection of the page of the doctor.
// SPDX-License-Identifier: Apache-2.0
import { live } from "../shell/live";
import { dialect } from "./messages";

export const { onHello, onMessage, connect, ask, tell } = live(dialect);
