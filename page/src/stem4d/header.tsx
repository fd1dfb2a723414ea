// The top of the page: which dataset, how far it is loaded, and what concerns the whole page.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { Choice, Toggle } from "../shell/frame/controls";
import { ExportMenu } from "./export_menu";
import { Icon } from "../shell/frame/icons";
import { bytesText, percentOf, progressText } from "./remarks";
import { cancel, dataset, datasets, load, progress, select, STATE_TEXTS, usableSoon } from "./state/datasets";
import { compareOpen, dialog, fftOpen, setTheme, theme, type Theme } from "./state/settings";
import { during } from "./state/timing";

const THEMES: readonly (readonly [Theme, string])[] = [
  ["system", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
];

function DatasetChoice(): ComponentChildren {
  const list = datasets.value;
  const here = dataset.value;
  if (!here) return <strong class="dataset-name">No dataset</strong>;
  if (list.length < 2)
    return (
      <strong class="dataset-name" title={here.path}>
        {here.name}
      </strong>
    );
  return (
    <Choice
      label="Dataset"
      bare
      title={here.path}
      value={here.id}
      options={list.map((one) => {
        const bad = !usableSoon(one);
        return [one.id, bad ? `${one.name} (${STATE_TEXTS[one.state]})` : one.name] as const;
      })}
      choose={(id) => during(() => select(id))}
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
      <span class="sizes">{size}</span>
      <span class={`badge ${here.state}`} title={here.message}>
        {STATE_TEXTS[here.state]}
        {memory > 0 && ` · ${bytesText(memory)}`}
      </span>
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

export function Header(): ComponentChildren {
  return (
    <header class="top">
      <h1>Sluice</h1>
      <DatasetChoice />
      <State />
      <span class="gap" />
      <Toggle
        on={fftOpen.value}
        set={(on) => (fftOpen.value = on)}
        title="Fourier transform of the image"
      >
        FFT
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
      <Choice
        label="Theme"
        bare
        title="Light or dark"
        value={theme.value}
        options={THEMES}
        choose={setTheme}
      />
      <button type="button" title="Full screen" aria-label="Full screen" onClick={fullScreen}>
        <Icon name="fullScreen" />
      </button>
      <button
        type="button"
        title="Keys and help (?)"
        aria-label="Help"
        onClick={() => (dialog.value = "help")}
      >
        <Icon name="help" />
      </button>
    </header>
  );
}
