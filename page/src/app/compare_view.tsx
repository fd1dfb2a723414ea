// The compare grid: images of several datasets or frames, with linked contrast, zoom and cursor.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { Icon } from "./icons";
import { ImageView } from "../display/image_view";
import { Check, Menu } from "./controls";
import { DisplayMenu } from "./display_menu";
import { handleKey } from "./keyboard";
import { emptyText } from "./remarks";
import { scanStep } from "./state/calibration";
import {
  chosen,
  commonLimits,
  compared,
  linkedContrast,
  linkedCursor,
  linkedView,
  pictureOf,
  setCompared,
} from "./state/compare";
import { datasets, select } from "./state/datasets";
import { mode, MODE_NAMES, UNITS } from "./state/images";
import { moveProbe, probe } from "./state/scan";
import { compareOpen, settings } from "./state/settings";
import { during } from "./state/timing";
import { ProbeOverlay } from "./overlays";

function Cell({ id }: { id: string }): ComponentChildren {
  const of = datasets.value.find((one) => one.id === id);
  const picture = pictureOf(id);
  if (!of) return null;
  const cursor = linkedCursor.value;
  return (
    <figure>
      <figcaption>
        <button
          type="button"
          class="quiet"
          title="Look at this one"
          onClick={() => during(() => select(id))}
        >
          {of.name}
        </button>
      </figcaption>
      <div class="cell">
        <ImageView
          picture={picture}
          settings={{ ...settings.image.value, colorBar: false }}
          limits={commonLimits.value ?? undefined}
          view={linkedView}
          label={`${of.name}: ${MODE_NAMES[mode.value]}`}
          unit={UNITS[mode.value]}
          step={scanStep.value}
          stepUnit="nm"
          marker={cursor ?? probe.value}
          onHover={(pointer) => (linkedCursor.value = pointer?.point ?? null)}
          onPointerDown={(pointer) => {
            during(() => moveProbe(pointer.point));
            return true;
          }}
          onPointerMove={(pointer) => during(() => moveProbe(pointer.point))}
          onKeyDown={(event) => handleKey(event)}
        >
          {(zoom: number) => (
            <>
              <ProbeOverlay at={probe.value} zoom={zoom} />
              {cursor && <circle class="linked" cx={cursor[1]} cy={cursor[0]} r={4 / zoom} />}
            </>
          )}
        </ImageView>
        {!picture && <p class="empty">{emptyText(of)}</p>}
      </div>
    </figure>
  );
}

export function CompareView(): ComponentChildren {
  const count = chosen.value.length;
  const columns = Math.ceil(Math.sqrt(count));
  return (
    <section class="compare" aria-label="Compare">
      <header>
        <h2>Compare: {MODE_NAMES[mode.value]}</h2>
        <Menu label={`Datasets (${count})`} title="Which ones stand side by side">
          <div class="form">
            {datasets.value.map((one) => (
              <Check
                key={one.id}
                label={one.name}
                checked={compared.value.includes(one.id)}
                set={(on) => setCompared(one.id, on)}
              />
            ))}
          </div>
        </Menu>
        <Check
          label="Same contrast"
          checked={linkedContrast.value}
          set={(on) => (linkedContrast.value = on)}
        />
        <span class="gap" />
        <DisplayMenu panel="image" picture={pictureOf(compared.value[0] ?? "")} />
        <button type="button" onClick={() => (linkedView.value = null)}>
          Fit
        </button>
        <button type="button" aria-label="Close" onClick={() => (compareOpen.value = false)}>
          <Icon name="close" />
        </button>
      </header>
      <div
        class="grid"
        style={{ gridTemplateColumns: `repeat(${Math.max(1, columns)}, minmax(0, 1fr))` }}
      >
        {chosen.value.map((one) => (
          <Cell key={one.id} id={one.id} />
        ))}
      </div>
    </section>
  );
}
