// Starts the page.
// SPDX-License-Identifier: Apache-2.0
import { render } from "preact";
import { App } from "./app/app";
import { installHooks } from "./app/hooks";
import { startKeyboard } from "./app/keyboard";
import { startSession } from "./app/saving";
import { connect } from "./app/state/live";
import "./app/state/gallery";
import { browserSurroundings } from "./protocol/address";

const place = document.getElementById("app");
if (place) {
  installHooks();
  startKeyboard();
  startSession();
  render(<App />, place);
  connect(browserSurroundings());
}
