// A bar beside its expectation. Its numbers stand next to it, so that screen readers pass it over.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import type { Bar } from "./scales";
import type { Judgement } from "./words";

export function BarView(props: { bar: Bar; judgement: Judgement }): ComponentChildren {
  const { value, expected, quartiles } = props.bar;
  return (
    <svg class={`bar ${props.judgement}`} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class="whole" x="0" y="2" width="100" height="6" />
      <rect class="value" x="0" y="2" width={Math.max(100 * value, 0.5)} height="6" />
      {quartiles && (
        <line class="quartiles" x1={100 * quartiles[0]} x2={100 * quartiles[1]} y1="5" y2="5" />
      )}
      {expected !== null && (
        <line class="expected" x1={100 * expected} x2={100 * expected} y1="0" y2="10" />
      )}
    </svg>
  );
}
