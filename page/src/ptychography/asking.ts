// Asks for what is shown, whenever the job has newer.
// SPDX-License-Identifier: Apache-2.0
import { batch, effect, signal } from "@preact/signals";
import { complain } from "../shell/notices";
import { phase } from "../shell/live";
import { ask, disconnect, drop, isIdle, onHello, onMessage, tell } from "./live";
import type { Answer, Request } from "./messages";
import {
  addToCurve,
  beginJob,
  curve,
  forgetCurve,
  job,
  modes,
  object,
  over,
  positions,
  shownSlice,
  status,
} from "./state";
import type { Job, Status } from "./types";

/** Counts greetings: after each all is asked anew. */
const greetings = signal(0);
/** A page that nobody sees asks for nothing, and the job copies nothing for it. */
const seen = signal(true);
/** What was asked last in a slot. */
const asked = new Map<string, string>();
/** The job and greeting whose end the server knows that this page has. */
let told = "";

/** The newest count of returns to an earlier state: R from before one is not R any more. */
let curveOf = 0;

/** Asks once for what `key` names. */
function want(slot: string, key: string, body: Request, take: (answer: Answer) => void): void {
  const full = `${greetings.peek()} ${job.peek()?.number} ${key}`;
  if (asked.get(slot) === full) return;
  asked.set(slot, full);
  const of = job.peek()?.number;
  ask(slot, body, {
    answered: (answer) => {
      // Of an earlier job.
      if (answer.op === "pong" || answer.job !== of || of !== job.peek()?.number) return;
      batch(() => take(answer));
      sayWhenAllIsHere();
    },
    failed: ({ message, code }) => {
      // The page says that already, over everything.
      if (code !== "lost" && of === job.peek()?.number) complain(message);
      sayWhenAllIsHere();
    },
  });
}

function wantObject(now: Status): void {
  const of = shownSlice.value;
  want("object", `${now.snapshot} ${of}`, { op: "object", slice: of }, (answer) => {
    if (answer.op !== "object") return;
    object.value = { wave: answer.wave, slice: of, iteration: answer.iteration };
  });
}

function wantModes(here: Job, now: Status): void {
  for (let k = 0; k < here.modes; ++k)
    want(`probe ${k}`, String(now.snapshot), { op: "probe", mode: k }, (answer) => {
      if (answer.op === "probe") modes.value = { ...modes.peek(), [k]: answer.wave };
    });
}

function wantPositions(here: Job, now: Status): void {
  // Those that no stage moves are asked for once.
  const key = here.stages.some(({ refines }) => refines) ? String(now.snapshot) : "once";
  want("positions", key, { op: "positions" }, (answer) => {
    if (answer.op === "positions") positions.value = answer.positions;
  });
}

function wantCurve(now: Status): void {
  if (now.curve !== curveOf) {
    curveOf = now.curve;
    forgetCurve();
  }
  const from = curve.value.length;
  if (now.iteration <= from) return;
  want("curve", `${now.curve} ${from} ${now.iteration}`, { op: "curve", from }, (answer) => {
    if (answer.op === "curve" && now.curve === curveOf) addToCurve(from, answer.r, answer.stages);
  });
}

/** The job's program ends when its pages have the last of it. */
function sayWhenAllIsHere(): void {
  const now = status.peek();
  const which = `${greetings.peek()} ${now?.job ?? 0}`;
  if (!over.peek() || told === which || !isIdle()) return;
  if (!now || now.iteration > curve.peek().length) return;
  told = which;
  tell({ op: "shown" });
}

/** Whether all that is shown has come. */
export const isSettled = (): boolean => isIdle() && greetings.peek() > 0;

function hear(next: Job | null, now: Status): void {
  if (next?.number !== job.peek()?.number || next?.name !== job.peek()?.name) beginJob(next);
  status.value = now;
}

onHello((hello) => {
  // After the line was down what was on its way is asked for anew.
  asked.clear();
  hear(hello.job, hello.state);
  greetings.value++;
});

onMessage((message) => {
  if (message.op === "job") {
    asked.clear();
    for (let k = 0; k < (job.peek()?.modes ?? 0); ++k) drop(`probe ${k}`);
    ["object", "positions", "curve"].forEach(drop);
    beginJob(message.job);
  } else if (message.op === "state") status.value = message.state;
});

/** Asks from now on whenever something of it changes. */
export function startAsking(): void {
  const look = (): void => void (seen.value = document.visibilityState !== "hidden");
  document.addEventListener("visibilitychange", look);
  look();
  effect(() => {
    const [here, now] = [job.value, status.value];
    if (greetings.value === 0 || !here || !now || now.job !== here.number) return;
    wantCurve(now);
    // What has ended is fetched at once: later there is nobody to give it.
    if (now.snapshot > 0 && (seen.value || over.value)) {
      wantObject(now);
      wantModes(here, now);
      wantPositions(here, now);
    }
    sayWhenAllIsHere();
  });
  effect(() => {
    if (over.value && phase.value.kind === "lost") disconnect();
  });
}
