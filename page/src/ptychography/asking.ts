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
  lacking,
  modes,
  object,
  over,
  positions,
  results,
  saved,
  shownSlice,
  slice,
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
  ask(slot, saved.peek() && of !== undefined ? { ...body, job: of } : body, {
    answered: (answer) => {
      // Of an earlier job.
      if (answer.op === "pong" || answer.job !== of || of !== job.peek()?.number) return;
      batch(() => take(answer));
      sayWhenAllIsHere();
    },
    failed: ({ message, code }) => {
      // The page says that already, over everything.
      if (code !== "lost" && of === job.peek()?.number) {
        complain(message);
        if (slot === "object") keepToObject(message);
      }
      sayWhenAllIsHere();
    },
  });
}

/** The slice that is shown is the chosen one again. */
function keepToObject(why: string): void {
  lacking.value = why;
  slice.value = object.peek()?.slice ?? slice.peek();
}

function wantObject(now: Status): void {
  const of = shownSlice.value;
  want("object", `${now.snapshot} ${of}`, { op: "object", slice: of }, (answer) => {
    if (answer.op !== "object") return;
    lacking.value = "";
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

const isHere = (next: Job | null): boolean =>
  next?.number === job.peek()?.number && next?.name === job.peek()?.name && next?.path === job.peek()?.path;

/** What is on its way is of no interest any more. */
function forgetAsked(): void {
  asked.clear();
  for (let k = 0; k < (job.peek()?.modes ?? 0); ++k) drop(`probe ${k}`);
  ["object", "positions", "curve"].forEach(drop);
}

function hear(next: Job | null, now: Status): void {
  if (!isHere(next)) beginJob(next);
  status.value = now;
}

onHello((hello) => {
  // After the line was down what was on its way is asked for anew.
  asked.clear();
  results.value = hello.results;
  if (greetings.peek() === 0) hello.notes.forEach(complain);
  // The one that was looked at, where it is still there.
  const here = hello.results.find((one) => isHere(one.job)) ?? hello;
  hear(here.job, here.state);
  greetings.value++;
});

onMessage((message) => {
  if (message.op === "job") {
    forgetAsked();
    beginJob(message.job);
  } else if (message.op === "state") status.value = message.state;
});

/** Another one of the results. */
export function chooseResult(number: number): void {
  const next = results.peek().find((one) => one.job.number === number);
  if (!next || isHere(next.job)) return;
  forgetAsked();
  batch(() => hear(next.job, next.state));
}

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
