// Starts the page of the doctor.
// SPDX-License-Identifier: Apache-2.0
import { render } from "preact";
import { surroundings } from "../shell/protocol/surroundings";
import { App } from "./app";
import { startAsking } from "./asking";
import { startKeyboard } from "./keyboard";
import { connect } from "./live";

const place = document.getElementById("app");
if (place) {
  startKeyboard();
  render(<App />, place);
  startAsking();
  connect(surroundings());
}
