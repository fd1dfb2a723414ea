// Starts the page.
// SPDX-License-Identifier: Apache-2.0
import { render } from "preact";
import { App } from "./app";
import { installHooks } from "./hooks";
import { startKeyboard } from "./keyboard";
import { startNotebook } from "./notebook";
import { startSession } from "./saving";
import { connect } from "./state/live";
import "./state/gallery";
import { kernel } from "../shell/protocol/comm";
import { surroundings } from "../shell/protocol/surroundings";

const place = document.getElementById("app");
if (place) {
  installHooks();
  startKeyboard();
  if (kernel) startNotebook(kernel);
  else startSession();
  // The line opens while the page is laid out.
  connect(surroundings());
  render(<App />, place);
}
