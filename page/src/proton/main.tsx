// Starts the page of volumes.
// SPDX-License-Identifier: Apache-2.0
import { render } from "preact";
import { surroundings } from "../shell/protocol/surroundings";
import { startAddress } from "./address";
import { App } from "./app";
import { startAsking } from "./asking";
import { startAskingStructures } from "./asking_structures";
import { installHooks } from "./hooks";
import { startKeyboard } from "./keyboard";
import { connect } from "./live";

const place = document.getElementById("app");
if (place) {
  installHooks();
  startKeyboard();
  startAddress();
  render(<App />, place);
  connect(surroundings());
  startAsking();
  startAskingStructures();
}
