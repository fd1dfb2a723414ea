// The header's words about a scan that is being measured, and the section about its stream.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { ProfilePlot } from "../display/profile_plot";
import { Toggle } from "../shell/frame/controls";
import { comingDetails, comingPercent, comingText, diskText, driftCurves, driftText, sourceText } from "./live_words";
import { sentence } from "./remarks";
import { cancel, dataset } from "./state/datasets";
import { tell } from "./state/live";
import { coming, follow, following, sources } from "./state/live_scans";
import { during } from "./state/timing";

/** How the selected scan comes. */
export function ComingState(): ComponentChildren {
  const [here, now] = [dataset.value, coming.value];
  if (!here?.live?.running) return null;
  return (
    <>
      {now && (
        <span
          class={now.lost > 0 ? "progress coming lossy" : "progress coming"}
          title={comingDetails(now)}
        >
          <progress max={100} value={comingPercent(now)} aria-label="Received" />
          <span>{comingText(now)}</span>
        </span>
      )}
      <button
        type="button"
        title="Ends the series here; what came is kept"
        onClick={() => cancel(here.id)}
      >
        End
      </button>
    </>
  );
}

/** Each series that begins is shown; choosing an older one switches it off. */
export function FollowToggle(): ComponentChildren {
  if (sources.value.length === 0) return null;
  return (
    <Toggle
      on={following.value}
      set={(on) => during(() => follow(on))}
      title="Shows each series as soon as it begins"
    >
      Follow
    </Toggle>
  );
}

/** How far the scan has drifted, and those before and after it. */
function Drifted(): ComponentChildren {
  const [list, id] = [sources.value, dataset.value?.id ?? ""];
  const found = useMemo(() => driftCurves(list, id), [list, id]);
  const curves = useMemo(
    () => [
      { label: "rows", y: found?.row ?? [] },
      { label: "columns", color: "#e8710a", y: found?.col ?? [] },
    ],
    [found],
  );
  const text = driftText(list, id);
  return (
    <>
      {text !== "" && <p class="hint">{text}</p>}
      {found && (
        <div class="drift">
          <ProfilePlot
            label="Drift of each scan from the first one"
            x={found.scan}
            curves={curves}
            xLabel="Scan"
            xUnit=""
            yLabel="Drift"
            yUnit="points"
            mark={found.here}
            wholeX
            dots
          />
        </div>
      )}
    </>
  );
}

/** Of the stream: what came, what is lost, and on what the disk was found. */
export function LiveSection(): ComponentChildren {
  const list = sources.value;
  const here = dataset.value;
  const series = here?.live;
  if (list.length === 0) return null;
  const problems = series?.problems ?? [];
  return (
    <details class="section live" open>
      <summary>Live</summary>
      {list.map((one) => (
        <p key={one.address} class="hint" role={one.message === "" ? undefined : "alert"}>
          {sourceText(one)}
        </p>
      ))}
      {coming.value && <p class="hint">{comingDetails(coming.value)}</p>}
      {problems.length > 0 && (
        <ul class="problems" role="alert">
          {problems.map((text) => (
            <li key={text}>{sentence(text)}</li>
          ))}
        </ul>
      )}
      <Drifted />
      {here && series && (
        <div class="row">
          <span class="hint">{diskText(series)}</span>
          <button
            type="button"
            title="On all points that have come"
            onClick={() => tell({ op: "find_disk", dataset: here.id }, "find disk")}
          >
            Find it again
          </button>
        </div>
      )}
      <FollowToggle />
    </details>
  );
}
