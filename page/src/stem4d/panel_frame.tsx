// The frame that all panels have: title, controls, the image, and the buttons that all share.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type { Picture } from "../display/limits";
import { Toggle } from "../shell/frame/controls";
import { Icon } from "../shell/frame/icons";
import type { PanelWords } from "./remarks";
import { DisplayMenu } from "./display_menu";
import { profileLine, toggleProfile } from "./state/profile";
import { type PanelName, views } from "./state/settings";

export function PanelFrame(props: {
  panel: PanelName;
  title: string;
  picture: Picture | null;
  controls: ComponentChildren;
  /** A line about what is shown, as "every 4th scan point". */
  remark?: string | undefined;
  /** What is said where the image is not what was asked for. */
  words: PanelWords | null;
  /** Asks again. */
  again?: () => void;
  children: ComponentChildren;
}): ComponentChildren {
  const { panel, title, picture, controls, remark, words, again, children } = props;
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
      <div class={words?.veil ? "panel-body veiled" : "panel-body"} aria-busy={words?.veil}>
        {children}
        {remark && <p class="remark">{remark}</p>}
        <Words words={words} again={again} />
      </div>
    </section>
  );
}

/** Instead of an image, or over one that is not the one that was asked for. */
export function Words(props: {
  words: PanelWords | null;
  again?: (() => void) | undefined;
}): ComponentChildren {
  const { words, again } = props;
  if (!words) return null;
  return (
    <div class="empty" role={words.again ? "alert" : "status"}>
      <p>{words.text}</p>
      {words.again && again && (
        <button type="button" onClick={again}>
          Ask again
        </button>
      )}
    </div>
  );
}
