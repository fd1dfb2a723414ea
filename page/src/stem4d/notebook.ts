// In a notebook: the kernel hears what is set here, sets it, and keeps the last picture.
// SPDX-License-Identifier: Apache-2.0
import { effect } from "@preact/signals";
import { complain } from "../shell/notices";
import type { Comm } from "../shell/protocol/comm";
import { figurePng } from "./figures";
import { readSession } from "./files/session";
import { schema } from "./files/session_schema";
import { dataset, usable } from "./state/datasets";
import { onHello, phase } from "./state/live";
import { applySession, currentSession } from "./state/session";
import { subjectOf } from "./subjects";

/** Milliseconds between two reports of a drag, and of rest before a picture. */
const BETWEEN = 100;
const REST = 1500;
/** Pixels of a panel's longer side in the picture. */
const SIDE = 384;

/** How often the kernel has set something, of what is here. */
let revision = 0;

function sendPicture(comm: Comm): void {
  const [pattern, image] = [subjectOf("pattern"), subjectOf("image")];
  if (!pattern.ok || !image.ok) return;
  const png = figurePng([pattern.value, image.value], SIDE);
  if (png) comm.send({ op: "picture" }, [png.slice().buffer]);
}

/** Calls back soon, and then with the newest of what comes within `BETWEEN`. */
function paced(call: () => void): () => void {
  let [timer, again] = [0, false];
  const run = (): void => {
    again = false;
    call();
    timer = window.setTimeout(() => {
      timer = 0;
      if (again) run();
    }, BETWEEN);
  };
  return () => {
    again = true;
    if (timer === 0) timer = window.setTimeout(run);
  };
}

function report(comm: Comm): void {
  let [told, timer] = ["", 0];
  const tell = paced(() => {
    const state = { schema, ...currentSession() };
    const text = JSON.stringify([revision, state]);
    if (text !== told) comm.send({ op: "state", revision, state });
    told = text;
  });
  effect(() => {
    currentSession();
    const here = dataset.value;
    const answers = [subjectOf("pattern"), subjectOf("image")].every(({ ok }) => ok);
    // Before there are data, what is set here means nothing.
    if (phase.value.kind !== "open" || !here || !usable(here)) return;
    tell();
    clearTimeout(timer);
    if (answers) timer = window.setTimeout(() => sendPicture(comm), REST);
  });
}

/** What the kernel has set: a session, or sections of one. */
function set(state: unknown): void {
  if (typeof state !== "object" || state === null) return;
  const read = readSession(state, currentSession());
  if (!read.ok) {
    complain(`The kernel set what this page cannot show: ${read.message}`);
    return;
  }
  if ("revision" in state && typeof state.revision === "number") revision = state.revision;
  applySession(read.value);
}

export function startNotebook(comm: Comm): void {
  onHello(({ session }) => set(session));
  comm.listen(({ op, state }) => {
    if (op === "state") set(state);
  });
  report(comm);
}
