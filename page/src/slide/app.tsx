// The page of slides: what of it is where in the frame.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { Toggle } from "../shell/frame/controls";
import { Frame } from "../shell/frame/frame";
import { Header, NameChoice, ThemeChoice } from "../shell/frame/header";
import { Help } from "../shell/frame/help";
import { Icon } from "../shell/frame/icons";
import { serverVersion } from "../shell/live";
import "../display/display.css";
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

function SlideHeader(): ComponentChildren {
  const [, , width, height] = slide.value?.bounds ?? [0, 0, 0, 0];
  const about = (
    <>
      <NameChoice
        label="Slide"
        here={slide.value}
        options={slides.value.map((one) => [one.id, one.name] as const)}
        choose={choose}
        none="No slide"
      />
      <span class="sizes">{width > 0 && `${width} × ${height} pixels`}</span>
    </>
  );
  return (
    <Header about={about} help={() => (helpOpen.value = true)}>
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
      <ThemeChoice />
    </Header>
  );
}

function HelpDialog(): ComponentChildren {
  return (
    <Help keys={KEYS} close={() => (helpOpen.value = false)}>
      Sluice {serverVersion.value}
    </Help>
  );
}

function Side(): ComponentChildren {
  return (
    <>
      <ChannelsSection />
      <PositionSection />
      <ScenesSection />
      <NotesSection />
      <PicturesSection />
      <FactsSection />
    </>
  );
}

export function App(): ComponentChildren {
  return (
    <Frame
      name={slide.value?.name}
      header={<SlideHeader />}
      id="slide"
      side={sideColumn.value ? <Side /> : null}
      dialog={helpOpen.value && <HelpDialog />}
    >
      <SlideView />
      <Readout />
    </Frame>
  );
}
