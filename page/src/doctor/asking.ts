// Runs of the doctor that the page asks for, and what it hears of all runs.
// SPDX-License-Identifier: Apache-2.0
import { announce, complain, note } from "../shell/notices";
import { ask, onHello, onMessage, tell } from "./live";
import { refusal, report, running } from "./state";
import { verdict } from "./words";

/** Measures again; the server refuses it in words where another page was faster. */
export function examine(quick: boolean): void {
  if (refusal.peek()) return note(refusal.peek());
  announce(`A ${quick ? "quick" : "full"} examination begins.`);
  ask("run", { op: "examine", quick }, {
    answered: () => undefined,
    failed: ({ message, code }) => {
      if (code === "cancelled") note("The examination was stopped. What was found before stays.");
      else complain(`The machine was not measured: ${message}.`);
    },
    // Until it is done or stopped.
    patient: true,
  });
}

export function stop(): void {
  if (running.peek()) tell({ op: "stop" }, "stop");
}

export function startAsking(): void {
  onHello((hello) => {
    report.value = hello.report;
    running.value = hello.running;
  });
  onMessage((message) => {
    if (message.op === "state") running.value = message.running;
    if (message.op !== "report") return;
    report.value = message.report;
    announce(`The examination is done. ${verdict(message.report.findings.length)}`);
  });
}
