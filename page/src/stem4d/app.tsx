// The page: header, panels, side column, dialogs.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import "../shell/frame/theme.css";
import "../shell/frame/controls.css";
import "../shell/frame/dialogs.css";
import "../shell/frame/frame.css";
import "./panels.css";
import { CalibrationDialog } from "./calibration_dialog";
import { CompareView } from "./compare_view";
import { DetectorSection } from "./detector_section";
import { ReportDialog } from "./export_menu";
import { FftPanel } from "./fft_panel";
import { FramesBar } from "./frames_bar";
import { Gallery } from "./gallery";
import { Header } from "./header";
import { HelpDialog } from "./help_dialog";
import { ImagePanel } from "./image_panel";
import { DatasetSection, InfoSection, StatisticsSection } from "./info_section";
import { Announcer, Disconnected, Messages } from "./messages";
import { PatternPanel } from "./pattern_panel";
import { ProfileView } from "./profile_view";
import { SideEdge } from "../shell/frame/side_edge";
import { MomentSection, PathSection, ScanSection } from "./scan_section";
import { dataset } from "./state/datasets";
import { compareOpen, dialog, fftOpen, theme } from "./state/settings";

function useDocument(): void {
  const name = dataset.value?.name;
  const look = theme.value;
  useEffect(() => {
    document.title = name ? `${name} – Sluice` : "Sluice";
  }, [name]);
  useEffect(() => {
    if (look === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = look;
  }, [look]);
}

function Panels(): ComponentChildren {
  if (compareOpen.value) return <CompareView />;
  return (
    <div class={fftOpen.value ? "panels three" : "panels"}>
      <PatternPanel />
      <ImagePanel />
      {fftOpen.value && <FftPanel />}
    </div>
  );
}

export function App(): ComponentChildren {
  useDocument();
  return (
    <>
      <a class="skip" href="#panels">
        Skip to the images
      </a>
      <Header />
      <div class="body">
        <main id="panels" tabIndex={-1}>
          <Panels />
          <ProfileView />
          <FramesBar />
        </main>
        <SideEdge />
        <aside aria-label="Settings">
          <DetectorSection />
          <Gallery />
          <MomentSection />
          <ScanSection />
          <StatisticsSection />
          <DatasetSection />
          <PathSection />
          <InfoSection />
        </aside>
      </div>
      {dialog.value === "help" && <HelpDialog />}
      {dialog.value === "calibration" && <CalibrationDialog />}
      {dialog.value === "report" && <ReportDialog />}
      <Messages />
      <Announcer />
      <Disconnected />
    </>
  );
}
