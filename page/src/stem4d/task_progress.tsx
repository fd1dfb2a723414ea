// How far a long task is, with a button that ends it.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import type { Progress } from "./protocol/messages";
import { durationText, percentOf, sentence } from "./remarks";
import { during } from "./state/timing";

export function TaskProgress(props: {
  far: Progress | null;
  label: string;
  cancel: () => void;
}): ComponentChildren {
  const { far, label, cancel } = props;
  const known = far && far.total > 0 && far.done > 0;
  const left = known && far.left !== null ? `, ${durationText(far.left)} left` : "";
  return (
    <div class="row">
      <span class="progress">
        <progress aria-label={label} {...(known && { max: 100, value: percentOf(far) })} />
        <span>
          {far ? sentence(far.task ?? "at work").slice(0, -1) : "Waiting"}
          {known && ` ${Math.floor(percentOf(far))} %${left}`}
        </span>
      </span>
      <button type="button" onClick={() => during(cancel)}>
        Cancel
      </button>
    </div>
  );
}
