// The page of the doctor: what of it is where in the frame.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { download } from "../export/download";
import { Frame } from "../shell/frame/frame";
import { Header, ThemeChoice } from "../shell/frame/header";
import { Help } from "../shell/frame/help";
import { serverVersion } from "../shell/live";
import "./doctor.css";
import { KEYS } from "./keyboard";
import { Findings } from "./sections";
import { helpOpen, report } from "./state";

function save(): void {
  const found = report.peek();
  if (found) download("machine.json", JSON.stringify(found.raw, null, 2));
}

function DoctorHeader(): ComponentChildren {
  return (
    <Header
      about={<strong class="dataset-name">What this machine can do</strong>}
      help={() => (helpOpen.value = true)}
    >
      <button
        type="button"
        disabled={!report.value}
        title="The report as a file, as that of sluice doctor --json"
        onClick={save}
      >
        Save JSON
      </button>
      <ThemeChoice />
    </Header>
  );
}

function HelpDialog(): ComponentChildren {
  return (
    <Help
      keys={KEYS}
      close={() => (helpOpen.value = false)}
      intro="The doctor measures this machine beside what such a machine gives at least. It judges no rate that other programs disturbed. A run goes on when the page is closed."
    >
      Sluice {serverVersion.value}
    </Help>
  );
}

export function App(): ComponentChildren {
  return (
    <Frame
      name="Doctor"
      header={<DoctorHeader />}
      id="doctor"
      skip="To the findings"
      side={null}
      dialog={helpOpen.value && <HelpDialog />}
      complete={report.value !== null}
    >
      <Findings />
    </Frame>
  );
}
