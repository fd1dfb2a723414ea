// Under a panel: the histogram of what it shows, with limits to drag.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { Histogram } from "../display/histogram";
import { limitsOf, type Picture } from "../display/limits";
import { adjust, type PanelName, settings, STARTS } from "./state/settings";

export function PanelHistogram(props: {
  panel: PanelName;
  picture: Picture | null;
}): ComponentChildren {
  const { panel, picture } = props;
  const now = settings[panel].value;
  return (
    <div class="panel-histogram">
      <Histogram
        picture={picture}
        settings={now}
        limits={picture ? limitsOf(picture, now) : { low: 0, high: 1 }}
        unit=""
        logCounts
        onLimits={(limits) => adjust(panel, { limits: { kind: "absolute", ...limits } })}
        onAuto={() => adjust(panel, { limits: STARTS[panel].limits })}
      />
    </div>
  );
}
