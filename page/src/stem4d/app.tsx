// The page of scans: what of it is where in the frame.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { Frame } from "../shell/frame/frame";
import { CalibrationDialog } from "./calibration_dialog";
import { CompareView } from "./compare_view";
import { DetectorSection } from "./detector_section";
import { Exporting, ReportDialog } from "./export_menu";
import { FftPanel } from "./fft_panel";
import { FramesBar } from "./frames_bar";
import { Gallery } from "./gallery";
import { DisksSection } from "./disks_section";
import { ScanHeader } from "./header";
import { LiveSection } from "./live_bar";
import { HelpDialog } from "./help_dialog";
import { ImagePanel } from "./image_panel";
import { DatasetSection, InfoSection, StatisticsSection } from "./info_section";
import "./panels.css";
import { OrientationPanel } from "./orientation_panel";
import { PatternPanel } from "./pattern_panel";
import { ProfileView } from "./profile_view";
import { MomentSection, PathSection, ScanSection } from "./scan_section";
import { dataset } from "./state/datasets";
import { compareOpen, dialog, fftOpen } from "./state/settings";
import { orientationPanelOpen } from "./state/orientation";
import { strainPanelOpen } from "./state/strain";
import { StrainPanel } from "./strain_panel";

function Panels(): ComponentChildren {
  if (compareOpen.value) return <CompareView />;
  const [strain, orientation] = [strainPanelOpen.value, orientationPanelOpen.value];
  const wide = fftOpen.value ? "panels three" : "panels";
  return (
    <div class={strain || orientation ? `${wide} strained` : wide}>
      <PatternPanel />
      <ImagePanel />
      {fftOpen.value && <FftPanel />}
      {strain && <StrainPanel />}
      {orientation && <OrientationPanel />}
    </div>
  );
}

function OpenDialog(): ComponentChildren {
  return (
    <>
      {dialog.value === "help" && <HelpDialog />}
      {dialog.value === "calibration" && <CalibrationDialog />}
      {dialog.value === "report" && <ReportDialog />}
    </>
  );
}

function Side(): ComponentChildren {
  return (
    <>
      <LiveSection />
      <DisksSection />
      <DetectorSection />
      <Gallery />
      <MomentSection />
      <ScanSection />
      <StatisticsSection />
      <DatasetSection />
      <PathSection />
      <InfoSection />
    </>
  );
}

export function App(): ComponentChildren {
  return (
    <Frame
      name={dataset.value?.name}
      header={<ScanHeader />}
      id="panels"
      skip="Skip to the images"
      side={<Side />}
      dialog={<OpenDialog />}
      messages={<Exporting />}
    >
      <Panels />
      <ProfileView />
      <FramesBar />
    </Frame>
  );
}
