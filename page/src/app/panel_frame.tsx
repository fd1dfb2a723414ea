// The frame that all panels have: title, controls, the image, and the buttons that all share.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type { Picture } from "../display/limits";
import { Toggle } from "./controls";
import { DisplayMenu } from "./display_menu";
import { Icon } from "./icons";
import { profileLine, toggleProfile } from "./state/profile";
import { type PanelName, views } from "./state/settings";

export function PanelFrame(props: {
  panel: PanelName;
  title: string;
  picture: Picture | null;
  controls: ComponentChildren;
  /** A line about what is shown, as "every 4th scan point". */
  remark?: string | undefined;
  /** What is said instead of an image. */
  empty: string;
  children: ComponentChildren;
}): ComponentChildren {
  const { panel, title, picture, controls, remark, empty, children } = props;
  const box = useRef<HTMLElement>(null);
  const fullScreen = (): void => {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void box.current?.requestFullscreen();
  };
  return (
    <section ref={box} class={`panel of-${panel}`} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {controls}
        <span class="gap" />
        <Toggle
          on={profileLine.value?.panel === panel}
          set={() => picture && toggleProfile(panel, picture.rows, picture.cols)}
          name="Profile"
          title="Line profile: drag its ends on the image"
          disabled={!picture}
        >
          <Icon name="profile" />
          <span class="word">Profile</span>
        </Toggle>
        <DisplayMenu panel={panel} picture={picture} />
        <button
          type="button"
          title="Fit the image into the panel (0)"
          aria-label="Fit"
          onClick={() => (views[panel].value = null)}
        >
          <Icon name="fit" />
        </button>
        <button type="button" title="Full screen" aria-label="Full screen" onClick={fullScreen}>
          <Icon name="fullScreen" />
        </button>
      </header>
      <div class="panel-body">
        {children}
        {remark && <p class="remark">{remark}</p>}
        {!picture && <p class="empty">{empty}</p>}
      </div>
    </section>
  );
}
