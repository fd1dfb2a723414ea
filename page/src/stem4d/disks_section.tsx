// The side column's disks: what they are found with, and why.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { numberText } from "../display/nice";
import { Choice, NumberField, Slider } from "../shell/frame/controls";
import { ELLIPSE_SIGMAS } from "./disk_overlays";
import { countText, templateText } from "./disk_words";
import { emptyText, sentence } from "./remarks";
import { dataset } from "./state/datasets";
import {
  changedOptions,
  diskOptions,
  disksQuestion,
  setDiskOptions,
  shownDisks,
  USUAL,
} from "./state/disks";
import { patternSource } from "./state/scan";
import { disksOpen } from "./state/settings";
import { during } from "./state/timing";
import { OrientationSearch } from "./orientation_section";
import { CopyMenu, StrainSearch } from "./strain_section";

/** Scores spread over powers of ten; the slider's steps are even in them. */
const toScore = (x: number): number => Number((10 ** x).toPrecision(x < 1 ? 2 : 3));

const change = (of: Parameters<typeof setDiskOptions>[0]): void => during(() => setDiskOptions(of));

function Template(): ComponentChildren {
  const now = shownDisks.value;
  const { template_radius: radius, template_edge: edge } = diskOptions.value;
  const given = radius > 0;
  const fitted = now?.plan.template;
  return (
    <>
      <Choice
        label="Template"
        title="What a disk looks like"
        value={given ? "given" : "fitted"}
        options={[
          ["fitted", "fitted to the scan"],
          ["given", "by numbers"],
        ]}
        choose={(kind: "fitted" | "given") =>
          change(
            kind === "fitted"
              ? { template_radius: 0, template_edge: USUAL.template_edge }
              : {
                  template_radius: Number((fitted?.radius ?? 6).toFixed(2)),
                  template_edge: Number((fitted?.edge ?? 1).toFixed(2)),
                },
          )
        }
      />
      {given ? (
        <div class="numbers">
          <NumberField
            label="Radius"
            value={radius}
            min={0.5}
            max={200}
            step={0.1}
            unit="px"
            set={(template_radius) => change({ template_radius })}
          />
          <NumberField
            label="Edge"
            value={edge}
            min={0.1}
            max={50}
            step={0.1}
            unit="px"
            set={(template_edge) => change({ template_edge })}
          />
        </div>
      ) : (
        now?.plan.template.fitted && (
          <p class="hint" title={sentence(now.plan.template.source)}>
            {templateText(now)}
          </p>
        )
      )}
    </>
  );
}

/** 0 is at the slider's left end: what the scan decides. */
function decided(value: number, by: number | undefined): string {
  if (value > 0) return `${value} px`;
  return by === undefined ? "auto" : `auto: ${by.toFixed(1)} px`;
}

function Options(): ComponentChildren {
  const now = diskOptions.value;
  const plan = shownDisks.value?.plan;
  const radius = plan?.template.radius ?? 6;
  const least = Math.floor(radius);
  return (
    <>
      <Slider
        label="Least SNR"
        min={1}
        max={15}
        step={0.1}
        value={now.least_snr}
        set={(least_snr) => change({ least_snr })}
        text={now.least_snr.toFixed(1)}
      />
      <Slider
        label="Least score"
        min={0}
        max={4}
        step={0.02}
        value={Math.log10(Math.max(now.least_score, 1))}
        set={(x) => change({ least_score: toScore(x) })}
        text={numberText(now.least_score, 3)}
      />
      <Slider
        label="Least distance"
        min={0}
        max={Math.ceil(4 * radius)}
        step={0.5}
        value={now.least_distance}
        set={(least_distance) => change({ least_distance })}
        text={decided(now.least_distance, plan?.options.least_distance)}
      />
      <Slider
        label="Fit radius"
        min={least}
        max={Math.ceil(3 * radius)}
        step={0.5}
        value={now.fit_radius > 0 ? now.fit_radius : least}
        set={(v) => change({ fit_radius: v > radius ? v : 0 })}
        text={decided(now.fit_radius, plan?.options.fit_radius)}
      />
    </>
  );
}

function Why(): ComponentChildren {
  const now = shownDisks.value;
  if (!now) return null;
  const { template, why, notes } = now.plan;
  return (
    <details class="why">
      <summary>Why</summary>
      <ul>
        {[template.source, ...why, ...notes].map((text) => (
          <li key={text}>{sentence(text)}</li>
        ))}
        <li>
          The small ellipses are {ELLIPSE_SIGMAS} standard deviations of the position, at most a
          radius.
        </li>
      </ul>
    </details>
  );
}

/** How many disks there are, or what is the matter. */
function Found(): ComponentChildren {
  const standing = disksQuestion.standing.value;
  const now = shownDisks.value;
  if (standing.kind === "failed")
    return (
      <div class="hint" role="alert">
        <p>{sentence(standing.why)}</p>
        <button type="button" onClick={() => disksQuestion.retry()}>
          Ask again
        </button>
      </div>
    );
  if (standing.kind === "nothing") return <p class="hint">{emptyText(dataset.value)}</p>;
  if (!now) return <p class="hint">Looking at a sample of the scan…</p>;
  const { row, col } = now.request;
  const late = standing.kind === "trailing" && disksQuestion.late.value;
  const where = `at row ${row}, column ${col}`;
  return (
    <p class="hint" role="status">
      {now.disks.length > 0 ? `${countText(now)} ${where}.` : `${countText(now)} (${where}).`}
      {late && " Deciding anew for these options…"}
      {patternSource.value !== "probe" && " The panel shows another pattern: choose “At the probe”."}
    </p>
  );
}

export function DisksSection(): ComponentChildren {
  if (!disksOpen.value) return null;
  return (
    <details class="section disks" open>
      <summary>Disks</summary>
      <Found />
      <Template />
      <Options />
      <div class="row">
        <button
          type="button"
          disabled={Object.keys(changedOptions(diskOptions.value)).length === 0}
          onClick={() => change(USUAL)}
        >
          Usual values
        </button>
      </div>
      <Why />
      <StrainSearch />
      <OrientationSearch />
      <CopyMenu />
    </details>
  );
}
