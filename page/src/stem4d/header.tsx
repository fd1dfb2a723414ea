// The top of the page: which dataset, how far it is loaded, and what concerns the whole page.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { Toggle } from "../shell/frame/controls";
import { Header, NameChoice, ThemeChoice } from "../shell/frame/header";
import { Icon } from "../shell/frame/icons";
import { ExportMenu } from "./export_menu";
import { ComingState } from "./live_bar";
import { bytesText, percentOf, progressText } from "./remarks";
import {
  cancel,
  dataset,
  datasets,
  load,
  progress,
  select,
  STATE_TEXTS,
  usableSoon,
} from "./state/datasets";
import { openDisks } from "./state/disks";
import { compareOpen, dialog, disksOpen, fftOpen } from "./state/settings";
import { during } from "./state/timing";

function DatasetChoice(): ComponentChildren {
  const options = datasets.value.map((one) => {
    const bad = !usableSoon(one);
    return [one.id, bad ? `${one.name} (${STATE_TEXTS[one.state]})` : one.name] as const;
  });
  return (
    <NameChoice
      label="Dataset"
      here={dataset.value}
      options={options}
      choose={(id) => during(() => select(id))}
      none="No dataset"
    />
  );
}

function State(): ComponentChildren {
  const here = dataset.value;
  if (!here) return null;
  const far = progress.value.get(here.id);
  const busy = far && (here.state === "preview" || here.state === "waiting");
  const [scan, detector] = [here.scan.join("×"), here.detector.join("×")];
  const size = here.scan[0] > 0 ? `${scan} scan, ${detector} px` : "";
  const memory = here.state === "ready" ? here.bytes.resident : 0;
  return (
    <>
      {/* While it comes there is more to say, and the size is in that. */}
      {!here.live?.running && <span class="sizes">{size}</span>}
      <span class={`badge ${here.state}`} title={here.message}>
        {STATE_TEXTS[here.state]}
        {memory > 0 && ` · ${bytesText(memory)}`}
      </span>
      <ComingState />
      {far && (busy || here.state === "streaming") && (
        <span class="progress">
          <progress max={100} value={percentOf(far)} aria-label="Loading" />
          <span>{progressText(far)}</span>
        </span>
      )}
      {(here.state === "preview" || here.state === "waiting") && (
        <button type="button" onClick={() => cancel(here.id)}>
          Cancel
        </button>
      )}
      {(here.state === "stopped" || !usableSoon(here) || here.changed) && (
        <button type="button" title={here.message} onClick={() => load(here.id)}>
          {here.changed ? "Load again" : "Load"}
        </button>
      )}
    </>
  );
}

function fullScreen(): void {
  if (document.fullscreenElement) void document.exitFullscreen();
  else void document.documentElement.requestFullscreen();
}

export function ScanHeader(): ComponentChildren {
  const about = (
    <>
      <DatasetChoice />
      <State />
    </>
  );
  return (
    <Header about={about} help={() => (dialog.value = "help")}>
      <Toggle
        on={fftOpen.value}
        set={(on) => (fftOpen.value = on)}
        title="Fourier transform of the image"
      >
        FFT
      </Toggle>
      <Toggle
        on={disksOpen.value}
        set={(on) => during(() => openDisks(on))}
        title="Bragg disks of the frame at the probe, and strain of the scan"
      >
        Disks
      </Toggle>
      {datasets.value.length > 1 && (
        <Toggle
          on={compareOpen.value}
          set={(on) => (compareOpen.value = on)}
          title="Several datasets or frames side by side"
        >
          Compare
        </Toggle>
      )}
      <button type="button" onClick={() => (dialog.value = "calibration")}>
        Calibration
      </button>
      <ExportMenu />
      <ThemeChoice />
      <button type="button" title="Full screen" aria-label="Full screen" onClick={fullScreen}>
        <Icon name="fullScreen" />
      </button>
    </Header>
  );
}
