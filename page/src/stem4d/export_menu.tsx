// The export menu: pictures, numbers, session, report, command.
// SPDX-License-Identifier: Apache-2.0
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { Check, Choice, Dialog, Menu, MenuItem } from "../shell/frame/controls";
import { saveReport } from "./report_file";
import {
  copyCommand,
  openSession,
  saveCsv,
  saveFigure,
  saveNpy,
  savePng,
  saveSession,
  saveTiff,
  withOverlays,
} from "./saving";
import { exportFrames, exporting, stopExport } from "./sequences";
import { series } from "./state/datasets";
import { dialog, fftOpen, type PanelName } from "./state/settings";

const PANELS: readonly (readonly [PanelName, string])[] = [
  ["image", "Image panel"],
  ["pattern", "Diffraction panel"],
  ["fft", "FFT panel"],
];

function OpenSession(): ComponentChildren {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <MenuItem act={() => input.current?.click()}>Open session…</MenuItem>
      <input
        ref={input}
        type="file"
        hidden
        accept=".json,application/json"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = "";
          if (file) void openSession(file);
        }}
      />
    </>
  );
}

export function ExportMenu(): ComponentChildren {
  const panel = useSignal<PanelName>("image");
  const which = panel.value === "fft" && !fftOpen.value ? "image" : panel.value;
  return (
    <Menu label="Export" title="Pictures, numbers, session and report" align="right">
      <Choice
        label="Of"
        value={which}
        options={PANELS.filter(([name]) => name !== "fft" || fftOpen.value)}
        choose={(next) => (panel.value = next)}
      />
      <Check
        label="With overlays in figures"
        title="Detectors, probe, region and profile are drawn in PNGs with bars"
        checked={withOverlays.value}
        set={(on) => (withOverlays.value = on)}
      />
      <MenuItem act={() => savePng(which, true)}>PNG with bars</MenuItem>
      <MenuItem act={() => savePng(which, false)}>PNG, pixel by pixel</MenuItem>
      <MenuItem act={() => saveTiff(which)}>TIFF, float32 values</MenuItem>
      <MenuItem act={() => saveNpy(which)}>NPY, exact values</MenuItem>
      <MenuItem act={() => saveCsv(which)}>CSV, all values</MenuItem>
      <hr />
      <MenuItem act={saveFigure}>Figure of both panels (PNG)</MenuItem>
      {series.value.length > 1 && (
        <MenuItem act={() => void exportFrames()}>All frames as PNGs (ZIP)</MenuItem>
      )}
      <MenuItem act={() => (dialog.value = "report")}>HTML report…</MenuItem>
      <hr />
      <MenuItem act={saveSession}>Save session</MenuItem>
      <OpenSession />
      <MenuItem act={() => void copyCommand()}>Copy the command for this image</MenuItem>
    </Menu>
  );
}

export function ReportDialog(): ComponentChildren {
  const notes = useSignal("");
  const close = (): void => {
    dialog.value = null;
  };
  return (
    <Dialog title="HTML report" close={close}>
      <p>
        One file with what is on the screen, the raw values, detectors, calibration, metadata and
        the session. It opens without a server.
      </p>
      <label class="notes">
        <span>Notes for the reader</span>
        <textarea
          rows={5}
          value={notes.value}
          onInput={(event) => (notes.value = event.currentTarget.value)}
        />
      </label>
      <div class="row">
        <button
          type="button"
          onClick={() => {
            saveReport(notes.value);
            close();
          }}
        >
          Save report
        </button>
      </div>
    </Dialog>
  );
}

/** While pictures of a sequence are made. */
export function Exporting(): ComponentChildren {
  const far = exporting.value;
  if (far === null) return null;
  return (
    <div class="message note exporting" role="status">
      <span>
        Making pictures <progress max={1} value={far} />
      </span>
      <button type="button" onClick={stopExport}>
        Cancel
      </button>
    </div>
  );
}
