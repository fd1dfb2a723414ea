// Starts the page.
// SPDX-License-Identifier: Apache-2.0
import { render } from "preact";
import { App } from "./app";
import { installHooks } from "./hooks";
import { startKeyboard } from "./keyboard";
import { startSession } from "./saving";
import { connect } from "./state/live";
import "./state/gallery";
import { browserSurroundings } from "../shell/protocol/address";

const place = document.getElementById("app");
if (place) {
  installHooks();
  startKeyboard();
  startSession();
  // The line opens while the page is laid out.
  connect(browserSurroundings());
  render(<App />, place);
}
