// What is on the screen of a scan that is being measured is asked for again when there is more.
// SPDX-License-Identifier: Apache-2.0
import { effect, untracked } from "@preact/signals";
import type { Query } from "./keys";
import { drop, isBusy, tell } from "./live";
import type { Bound, Question, Wish } from "./question";

/** Milliseconds until what was refused is asked for again. */
const AGAIN = 1000;

type Ask<R, A> = (
  slot: string,
  wish: Wish<R>,
  done: (answer: A) => void,
  failed: (why: string) => void,
  after: number,
) => void;

/** Once the browser has painted what was drawn: a page that nobody sees, or that is slow, asks
 *  for no more than it shows. */
const afterPaint = (call: () => void): void => void requestAnimationFrame(() => setTimeout(call));

/** Keeps what answers a question as new as the scan. The request that waits at the server is in a
 *  slot of its own: a drag does not wait for it. Returns what ends it. */
export function keepFresh<R extends Query, A extends Bound<R>>(
  question: Question<R, A>,
  slot: string,
  ask: Ask<R, A>,
): () => void {
  const more = `${slot} more`.slice(0, 32);
  const forget = (of: string): void => {
    if (!isBusy(more)) return;
    drop(more);
    tell({ op: "stop", dataset: of }, more);
  };
  let last = "";
  const end = effect(() => {
    const now = question.standing.value;
    const answer = now.kind === "answered" ? now.answer : null;
    untracked(() => {
      if (last !== "") forget(last);
      last = "";
      if (!answer?.live || answer.live.final) return;
      const { points } = answer.live;
      const { key, subject, request } = answer;
      const put = (): void => {
        const still = question.standing.peek();
        if (still.kind !== "answered" || still.answer !== answer) return;
        last = request.dataset;
        const again = (): void => void setTimeout(put, AGAIN);
        ask(more, { key, subject, request }, (newer) => question.renew(newer), again, points);
      };
      afterPaint(put);
    });
  });
  return () => {
    end();
    if (last !== "") forget(last);
  };
}
