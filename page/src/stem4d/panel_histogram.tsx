// Under a panel: the histogram of what it shows, with limits to drag.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Histogram } from "../display/histogram";
import { limitsOf, type Picture } from "../display/limits";
import { theme } from "../shell/frame/theme";
import { adjust, type PanelName, settings, STARTS } from "./state/settings";

const PAUSE = 100;

/** The newest picture, ten times a second at most: a drag must not wait for bars. */
function useUnhurried(picture: Picture | null): Picture | null {
  const [shown, setShown] = useState(picture);
  const newest = useRef(picture);
  const timer = useRef(0);
  newest.current = picture;
  useEffect(() => {
    if (shown === picture || timer.current !== 0) return;
    timer.current = window.setTimeout(() => {
      timer.current = 0;
      setShown(newest.current);
    }, PAUSE);
  }, [shown, picture]);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return shown;
}

export function PanelHistogram(props: {
  panel: PanelName;
  picture: Picture | null;
}): ComponentChildren {
  const { panel } = props;
  const picture = useUnhurried(props.picture);
  const now = settings[panel].value;
  const limits = picture ? limitsOf(picture, now) : { low: 0, high: 1 };
  const { knee } = limits;
  return (
    <div class="panel-histogram">
      <Histogram
        key={theme.value}
        picture={picture}
        settings={now}
        limits={limits}
        unit=""
        logCounts
        onLimits={({ low, high }) =>
          adjust(panel, { limits: { kind: "absolute", low, high, ...(knee && { knee }) } })
        }
        onAuto={() => adjust(panel, { limits: STARTS[panel].limits })}
      />
    </div>
  );
}
