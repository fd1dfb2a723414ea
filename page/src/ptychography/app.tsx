// The page of a reconstruction, at work or finished: what of it is where in the frame.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { Toggle } from "../shell/frame/controls";
import { Frame } from "../shell/frame/frame";
import { Header, NameChoice, ThemeChoice } from "../shell/frame/header";
import { Help } from "../shell/frame/help";
import { serverVersion } from "../shell/live";
import { chooseResult } from "./asking";
import { Curve } from "./curve";
import { KEYS } from "./keyboard";
import { ModesSection } from "./modes";
import { savePicture } from "./picture";
import { ObjectAmplitude, ObjectPhase, Probe } from "./pictures";
import { PositionsView } from "./positions_view";
import "./ptychography.css";
import {
  JobSection,
  NotesSection,
  OriginSection,
  PictureSection,
  PositionsSection,
  SliceSection,
} from "./sections";
import { helpOpen, job, lacking, object, over, results, saved, sideColumn, status } from "./state";
import { statusText } from "./texts";

function MonitorHeader(): ComponentChildren {
  const [here, now] = [job.value, status.value];
  const about = (
    <>
      <NameChoice
        label="Result"
        here={here && { id: String(here.number), name: here.name, path: here.path || here.name }}
        options={results.value.map((one) => [String(one.job.number), one.job.name] as const)}
        choose={(id) => chooseResult(Number(id))}
        none="Ptychography"
      />
      {now && (
        <output class={`state ${now.state}`} aria-live="off">
          {statusText(now)}
        </output>
      )}
      {now?.state === "running" && now.total > 0 && (
        <progress max={now.total} value={now.done} aria-label="Patterns done" />
      )}
    </>
  );
  return (
    <Header about={about} help={() => (helpOpen.value = true)}>
      <button type="button" title="Save object and probe as one PNG" onClick={savePicture}>
        Save PNG
      </button>
      <Toggle on={sideColumn.value} set={(on) => (sideColumn.value = on)} title="Side column (P)">
        Panel
      </Toggle>
      <ThemeChoice />
    </Header>
  );
}

function Side(): ComponentChildren {
  return (
    <>
      <JobSection />
      <SliceSection />
      <PictureSection of="phase" />
      <PictureSection of="amplitude" />
      <ModesSection />
      <PictureSection of="probe" />
      <PositionsSection />
      <NotesSection />
      <OriginSection />
    </>
  );
}

function waitingText(): string {
  if (saved.value)
    return lacking.value
      ? `The object could not be had: ${lacking.value}.`
      : "The pictures are on their way.";
  if (status.value?.state === "running") return "The first pictures are on their way.";
  return over.value
    ? "The job has ended, and this page has no picture of it. Look at the files that it wrote."
    : "The data are being read; the pictures come with the first patterns.";
}

/** What is said while there is nothing to see. */
const Waiting = (): ComponentChildren => status.value && <p class="nothing">{waitingText()}</p>;

function HelpDialog(): ComponentChildren {
  return (
    <Help
      keys={KEYS}
      close={() => (helpOpen.value = false)}
      intro={`${saved.value ? "This is a finished result; nothing that is done here changes it." : "This page watches. Nothing that is done here changes the result, and the job goes on when the page is closed."} R is √(Σ(√M−√I)² / ΣI) before the updates of an iteration; an R far above what counting alone leaves says that something in the model is missing.`}
    >
      Sluice {serverVersion.value}
    </Help>
  );
}

export function App(): ComponentChildren {
  return (
    <Frame
      name={job.value?.name ?? "Ptychography"}
      header={<MonitorHeader />}
      id="reconstruction"
      skip="To the pictures"
      side={sideColumn.value ? <Side /> : null}
      dialog={helpOpen.value && <HelpDialog />}
      complete={over.value}
    >
      {object.value ? (
        <div class="pictures">
          <ObjectPhase />
          <ObjectAmplitude />
          <Probe />
          <Curve />
          <PositionsView />
        </div>
      ) : (
        <Waiting />
      )}
    </Frame>
  );
}
