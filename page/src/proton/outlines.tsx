// Structures on the page: their lines over a plane, and the list that shows and hides them.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { numberText } from "../display/nice";
import { Check } from "../shell/frame/controls";
import { linesOf } from "./asking_structures";
import { base, hidden, outlined, structures } from "./state";
import { inPatient, pathOfLines, show, structureColour } from "./structures";
import type { PlaneKind, Structure } from "./types";

/** The lines of a plane, in its pixels; dark below, so that they are seen on any colour. */
export function Outlines({ plane }: { plane: PlaneKind }): ComponentChildren {
  const lines = linesOf(plane);
  const ids = [...new Set(lines.map(({ structure }) => structure.id))];
  return (
    <g class="outlines">
      <path class="shade" d={pathOfLines(lines)} />
      {ids.map((id) => (
        <path
          key={id}
          d={pathOfLines(lines.filter(({ structure }) => structure.id === id))}
          stroke={structureColour(id)}
          data-structure={id}
        />
      ))}
    </g>
  );
}

/** "PTV, 12.3 cm3". */
export const aboutStructure = ({ type, volume }: Structure): string =>
  [type, volume === null ? "" : `${numberText(volume, 3)} cm³`].filter((part) => part).join(", ");

function Entry({ of }: { of: Structure }): ComponentChildren {
  const { id, name, why } = of;
  return (
    <li>
      <label class="check" title={why || aboutStructure(of)}>
        <input
          type="checkbox"
          checked={why === "" && !hidden.value.has(id)}
          disabled={why !== ""}
          onChange={(event) => show([id], event.currentTarget.checked)}
        />
        <span class="swatch" style={{ background: structureColour(id) }} aria-hidden="true" />
        {name || `structure ${id}`} <small>{why === "" ? aboutStructure(of) : "not drawn"}</small>
      </label>
    </li>
  );
}

export function StructureSection(): ComponentChildren {
  const all = structures.value;
  const here = base.value;
  if (all.length === 0 || !here) return null;
  const ids = all.map(({ id }) => id);
  return (
    <details class="section" open>
      <summary>Structures</summary>
      <div class="row">
        <Check label="Lines (S)" checked={outlined.value} set={(on) => (outlined.value = on)} />
        <span class="gap" />
        <button type="button" onClick={() => show(ids, true)}>
          All
        </button>
        <button type="button" onClick={() => show(ids, false)}>
          None
        </button>
      </div>
      {!inPatient(here) && (
        <p class="hint">
          {`Not drawn over ${here.name}: it is not known where it lies in the patient.`}
        </p>
      )}
      <ul class="structures" aria-label="Structures">
        {all.map((one) => (
          <Entry key={one.id} of={one} />
        ))}
      </ul>
    </details>
  );
}
