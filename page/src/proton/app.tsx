// The page of volumes: what of it is where in the frame.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { Toggle } from "../shell/frame/controls";
import { Frame } from "../shell/frame/frame";
import { Header, ThemeChoice } from "../shell/frame/header";
import { Help } from "../shell/frame/help";
import { serverVersion } from "../shell/live";
import { DifferenceSection, FactsSection, Warnings } from "./facts";
import { HistogramSection, Histograms } from "./histograms";
import { IsodoseSection } from "./isodose_section";
import { KEYS } from "./keyboard";
import { savePicture } from "./picture";
import { StructureSection } from "./outlines";
import { Planes } from "./plane_view";
import { Profiles } from "./profiles";
import "./proton.css";
import { Readout } from "./readout";
import {
  BaseSection,
  CrosshairSection,
  OverSection,
  VolumesSection,
} from "./sections";
import { lengthUnit } from "./space";
import { base, helpOpen, over, planes, sideColumn } from "./state";
import { showsHistograms } from "./structures";

function VolumeHeader(): ComponentChildren {
  const here = base.value;
  const size = here
    ? here.sides.map((side, i) => Number((side * here.spacing[i]!).toPrecision(4))).join(" × ")
    : "";
  const about = (
    <>
      <strong class="dataset-name" title={here?.path}>
        {here ? [here.name, over.value?.name].filter((name) => name).join(" + ") : "No volume"}
      </strong>
      <span class="sizes">{here && `${size} ${lengthUnit(here)}`}</span>
    </>
  );
  return (
    <Header about={about} help={() => (helpOpen.value = true)}>
      <button type="button" title="Save the planes as PNG, with isodoses and colours" onClick={() => void savePicture()}>
        Save PNG
      </button>
      <Toggle on={sideColumn.value} set={(on) => (sideColumn.value = on)} title="Side column (P)">
        Panel
      </Toggle>
      <ThemeChoice />
    </Header>
  );
}

function HelpDialog(): ComponentChildren {
  return (
    <Help
      keys={KEYS}
      close={() => (helpOpen.value = false)}
      intro="Positions are those of the files, in mm; of turned axes they are lengths along the stored axis. What lies over the base is interpolated linearly to its planes."
    >
      Sluice {serverVersion.value}
    </Help>
  );
}

function Side(): ComponentChildren {
  return (
    <>
      <VolumesSection />
      <CrosshairSection />
      <StructureSection />
      <HistogramSection />
      <DifferenceSection />
      <BaseSection />
      <OverSection />
      <IsodoseSection />
      <FactsSection />
    </>
  );
}

export function App(): ComponentChildren {
  const all = planes.value;
  return (
    <Frame
      name={base.value?.name}
      header={<VolumeHeader />}
      id="volumes"
      skip="To the planes"
      side={sideColumn.value ? <Side /> : null}
      dialog={helpOpen.value && <HelpDialog />}
    >
      <Warnings />
      <div class={all.length > 1 ? "planes three" : "planes"}>
        <Planes planes={all} />
        {showsHistograms.value ? <Histograms /> : <Profiles />}
      </div>
      <Readout />
    </Frame>
  );
}
