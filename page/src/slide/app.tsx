// The page of slides: header, canvas, side column, dialogs.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import "../shell/frame/theme.css";
import "../shell/frame/controls.css";
import "../shell/frame/dialogs.css";
import "../shell/frame/frame.css";
import { Choice, Dialog, Toggle } from "../shell/frame/controls";
import { Icon } from "../shell/frame/icons";
import { SideEdge } from "../shell/frame/side_edge";
import { announcement, dismiss, notices } from "../shell/notices";
import { setTheme, theme, type Theme } from "../stem4d/state/settings";
import "../display/display.css";
import { phase, serverVersion as version } from "../shell/live";
import { ChannelsSection } from "./channels_section";
import { KEYS } from "./keyboard";
import { savePicture } from "./picture";
import { Readout } from "./readout";
import {
  FactsSection,
  NotesSection,
  PicturesSection,
  PositionSection,
  ScenesSection,
} from "./sections";
import "./slide.css";
import { SlideView } from "./slide_view";
import { choose, fit, helpOpen, sideColumn, slide, slides, zoomTo } from "./state";

const THEMES: readonly (readonly [Theme, string])[] = [
  ["system", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
];

function useDocument(): void {
  const name = slide.value?.name;
  const look = theme.value;
  useEffect(() => {
    document.title = name ? `${name} – Sluice` : "Sluice";
  }, [name]);
  useEffect(() => {
    if (look === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = look;
  }, [look]);
}

function Name(): ComponentChildren {
  const here = slide.value;
  if (slides.value.length > 1 && here)
    return (
      <Choice
        label="Slide"
        bare
        title={here.path}
        value={here.id}
        options={slides.value.map((one) => [one.id, one.name] as const)}
        choose={choose}
      />
    );
  return (
    <strong class="dataset-name" title={here?.path}>
      {here?.name ?? "No slide"}
    </strong>
  );
}

function Header(): ComponentChildren {
  const [, , width, height] = slide.value?.bounds ?? [0, 0, 0, 0];
  return (
    <header class="top">
      <h1>Sluice</h1>
      <Name />
      <span class="sizes">{width > 0 && `${width} × ${height} pixels`}</span>
      <span class="gap" />
      <button type="button" title="Show the whole slide (0)" onClick={fit}>
        <Icon name="fit" />
        <span class="word">Fit</span>
      </button>
      <button type="button" title="Full resolution (1)" onClick={() => zoomTo(1)}>
        1:1
      </button>
      <button
        type="button"
        title="Save what is seen as PNG, with the scale bar"
        onClick={savePicture}
      >
        Save PNG
      </button>
      <Toggle on={sideColumn.value} set={(on) => (sideColumn.value = on)} title="Side column (P)">
        Panel
      </Toggle>
      <Choice
        label="Theme"
        bare
        title="Light or dark"
        value={theme.value}
        options={THEMES}
        choose={setTheme}
      />
      <button
        type="button"
        title="Keys and help (?)"
        aria-label="Help"
        onClick={() => (helpOpen.value = true)}
      >
        <Icon name="help" />
      </button>
    </header>
  );
}

function Messages(): ComponentChildren {
  return (
    <div class="messages" role="region" aria-label="Messages">
      {notices.value.map(({ key, kind, text }) => (
        <div key={key} class={`message ${kind}`} role={kind === "error" ? "alert" : "status"}>
          <span>{text}</span>
          <button type="button" aria-label="Dismiss" onClick={() => dismiss(key)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
      <div class="unseen" role="status" aria-live="polite">
        {announcement.value}
      </div>
    </div>
  );
}

/** Said over the slide, which stays to be seen. */
function Disconnected(): ComponentChildren {
  const now = phase.value;
  if (now.kind === "open" || now.kind === "connecting") return null;
  const lost = now.kind === "lost";
  return (
    <div class="disconnected" role="alertdialog" aria-label="No connection">
      <div>
        <h2>{lost ? "Connection lost" : "Cannot connect"}</h2>
        <p>{now.text}</p>
        <p>
          {lost
            ? "It is tried again and again; what you set stays. If you stopped it, start it " +
              "again with the same --port and --token."
            : "Open the address that `sluice view` printed when it started."}
        </p>
      </div>
    </div>
  );
}

function Help(): ComponentChildren {
  return (
    <Dialog title="Help" close={() => (helpOpen.value = false)}>
      <table class="keys">
        <tbody>
          {KEYS.map(([keys, what]) => (
            <tr key={keys}>
              <th scope="row">{keys}</th>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">Sluice {version.value}</p>
    </Dialog>
  );
}

export function App(): ComponentChildren {
  useDocument();
  return (
    <>
      <Header />
      <div class={sideColumn.value ? "body" : "body wide"}>
        <main id="slide" tabIndex={-1}>
          <SlideView />
          <Readout />
        </main>
        {sideColumn.value && <SideEdge />}
        {sideColumn.value && (
          <aside aria-label="Settings">
            <ChannelsSection />
            <PositionSection />
            <ScenesSection />
            <NotesSection />
            <PicturesSection />
            <FactsSection />
          </aside>
        )}
      </div>
      {helpOpen.value && <Help />}
      <Messages />
      <Disconnected />
    </>
  );
}
