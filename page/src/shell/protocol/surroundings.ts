// Which way leads to the server: a notebook's comm, or the page's own origin.
// SPDX-License-Identifier: Apache-2.0
import { browserSurroundings } from "./address";
import { commSurroundings, kernel } from "./comm";
import type { Surroundings } from "./connection";

export const surroundings = (): Surroundings =>
  kernel ? commSurroundings(kernel) : browserSurroundings();
