// Starts the page of reconstructions.
// SPDX-License-Identifier: Apache-2.0
import { render } from "preact";
import { kernel } from "../shell/protocol/comm";
import { surroundings } from "../shell/protocol/surroundings";
import { App } from "./app";
import { startAsking } from "./asking";
import { installHooks } from "./hooks";
import { startKeyboard } from "./keyboard";
import { connect } from "./live";
import { startNotebook } from "./notebook";

const place = document.getElementById("app");
if (place) {
  installHooks();
  startKeyboard();
  render(<App />, place);
  connect(surroundings());
  startAsking();
  if (kernel) startNotebook(kernel);
}
