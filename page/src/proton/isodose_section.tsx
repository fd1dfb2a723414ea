// The side column's isodoses: on or off, their levels, and what 100 % are.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { numberText } from "../display/nice";
import { Check, NumberField } from "../shell/frame/controls";
import { complain } from "../shell/notices";
import { Legend } from "./isodoses";
import { levelsOf, MOST_LEVELS } from "./looks";
import { difference, levels, lined, reference, subject, typedReference } from "./state";

function LevelsField(): ComponentChildren {
  const text = levels.value.join(", ");
  return (
    <label class="field">
      <span>Levels</span>
      <input
        type="text"
        value={text}
        title="In % of the reference, with commas between"
        onChange={(event) => {
          const typed = levelsOf(event.currentTarget.value);
          if (typed) levels.value = typed;
          else {
            event.currentTarget.value = text;
            complain(`Levels are up to ${MOST_LEVELS} numbers in %, above 0 and up to 1000.`);
          }
        }}
      />
      <span class="unit">%</span>
    </label>
  );
}

export function IsodoseSection(): ComponentChildren {
  const of = subject.value;
  if (!of || difference.value) return null;
  return (
    <details class="section" open>
      <summary>{`Isodoses of ${of.name}`}</summary>
      <Check label="Lines (I)" checked={lined.value} set={(on) => (lined.value = on)} />
      <LevelsField />
      <div class="row values">
        <NumberField
          label="100 % are"
          value={reference.value}
          unit={of.unit}
          set={(v) => (typedReference.value = v > 0 ? v : null)}
        />
        <button
          type="button"
          title={`The highest value of the volume, ${numberText(of.most ?? NaN, 5)} ${of.unit}`}
          disabled={typedReference.value === null}
          onClick={() => (typedReference.value = null)}
        >
          Maximum
        </button>
      </div>
      {lined.value && <Legend />}
    </details>
  );
}
