// The compare grid: images of several datasets or frames, with linked contrast, zoom and cursor.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { ImageView } from "../display/image_view";
import { Check, Menu } from "../shell/frame/controls";
import { Icon } from "../shell/frame/icons";
import type { Dataset } from "./types";
import { DisplayMenu } from "./display_menu";
import { handleKey } from "./keyboard";
import { panelWords } from "./remarks";
import { scanStepOf } from "./state/calibration";
import {
  cellOf,
  cellPicture,
  chosen,
  commonLimits,
  compared,
  linkedContrast,
  linkedCursor,
  linkedView,
  setCompared,
} from "./state/compare";
import { datasets, select, selectedId } from "./state/datasets";
import { mode, imageUnit, MODE_NAMES } from "./state/images";
import { moveProbe, probe } from "./state/scan";
import { compareOpen, settings } from "./state/settings";
import { during } from "./state/timing";
import { PatternPanel } from "./pattern_panel";
import { ProbeOverlay } from "./overlays";
import { Words } from "./panel_frame";

function Cell({ of }: { of: Dataset }): ComponentChildren {
  const cell = cellOf(of);
  const picture = cellPicture(of);
  const cursor = linkedCursor.value;
  const here = of.id === selectedId.value;
  return (
    <figure class={here ? "here" : ""}>
      <figcaption>
        <button
          type="button"
          class="quiet"
          title={here ? "This one is looked at" : "Look at this one"}
          aria-pressed={here}
          onClick={() => during(() => select(of.id))}
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
          unit={imageUnit(mode.value, of)}
          step={scanStepOf(of)}
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
        <Words
          words={panelWords(cell.standing.value, cell.late.value, of)}
          again={() => cell.retry()}
        />
      </div>
    </figure>
  );
}

export function CompareView(): ComponentChildren {
  const count = chosen.value.length;
  const columns = Math.ceil(Math.sqrt(count));
  const [first] = chosen.value;
  return (
    <div class="panels beside">
      <PatternPanel />
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
          <DisplayMenu panel="image" picture={first ? cellPicture(first) : null} />
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
            <Cell key={one.id} of={one} />
          ))}
        </div>
      </section>
    </div>
  );
}
