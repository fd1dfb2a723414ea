// The page of a reconstruction at work: what of it is where in the frame.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { Toggle } from "../shell/frame/controls";
import { Frame } from "../shell/frame/frame";
import { Header, ThemeChoice } from "../shell/frame/header";
import { Help } from "../shell/frame/help";
import { serverVersion } from "../shell/live";
import { Curve } from "./curve";
import { KEYS } from "./keyboard";
import { ModesSection } from "./modes";
import { ObjectAmplitude, ObjectPhase, Probe } from "./pictures";
import { PositionsView } from "./positions_view";
import "./ptychography.css";
import { JobSection, NotesSection, PictureSection, PositionsSection, SliceSection } from "./sections";
import { helpOpen, job, object, over, sideColumn, status } from "./state";
import { statusText } from "./texts";

function MonitorHeader(): ComponentChildren {
  const now = status.value;
  const about = (
    <>
      <strong class="dataset-name" title={job.value?.name}>
        {job.value?.name ?? "Ptychography"}
      </strong>
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
    </>
  );
}

/** What is said while there is nothing to see. */
function Waiting(): ComponentChildren {
  const now = status.value;
  const text =
    now?.state === "running"
      ? "The first pictures are on their way."
      : over.value
        ? "The job has ended, and this page has no picture of it. Look at the files that it wrote."
        : "The data are being read; the pictures come with the first patterns.";
  return now && <p class="nothing">{text}</p>;
}

function HelpDialog(): ComponentChildren {
  return (
    <Help
      keys={KEYS}
      close={() => (helpOpen.value = false)}
      intro="This page watches. Nothing that is done here changes the result, and the job goes on when the page is closed. R is √(Σ(√M−√I)² / ΣI) before the updates of an iteration; an R far above what counting alone leaves says that something in the model is missing."
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
