// The sections of the page: what is wrong, measuring again, and what was measured.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { phase } from "../shell/live";
import { examine, stop } from "./asking";
import { refusal, report, running } from "./state";
import { GroupTable, NoiseTable, ScalingTable } from "./tables";
import type { Finding, Report } from "./types";
import { aboutText, disturbed, groupsOf, runText, verdict } from "./words";

function FindingView({ found }: { found: Finding }): ComponentChildren {
  return (
    <li>
      <h3>{found.text}</h3>
      {found.advice && (
        <p>
          <strong>What to do:</strong> {found.advice}
        </p>
      )}
      <p class="hint">
        Rule “{found.rule}”, from {found.evidence}.
      </p>
    </li>
  );
}

/** In words, before any number: what is wrong, and what to do. */
export function Verdict({ found }: { found: Report }): ComponentChildren {
  const { rates, of } = disturbed(found.rows);
  return (
    <section class="verdict" aria-labelledby="verdict">
      <h2 id="verdict">{verdict(found.findings.length)}</h2>
      <p class="hint">{aboutText(found)}</p>
      {of > 0 && (
        <p class="disturbed-rates">
          Other programs disturbed {of} of {rates} rates. These are shown and not judged; measure again when the
          machine is at rest.
        </p>
      )}
      {found.findings.length > 0 && (
        <ol class="findings">
          {found.findings.map((one) => (
            <FindingView key={`${one.rule} ${one.text}`} found={one} />
          ))}
        </ol>
      )}
    </section>
  );
}

/** Measures again, and stops that. */
export function Again(): ComponentChildren {
  const [now, why] = [running.value, refusal.value];
  return (
    <section class="again" aria-label="Measure again">
      <div class="row">
        <button type="button" disabled={why !== ""} title="Some seconds (Q)" onClick={() => examine(true)}>
          Measure again, quickly
        </button>
        <button type="button" disabled={why !== ""} title="Half a minute (F)" onClick={() => examine(false)}>
          Measure again, fully
        </button>
        <button type="button" disabled={!now || now.stopping} title="What was found before stays (S)" onClick={stop}>
          Stop measuring
        </button>
      </div>
      {now && (
        <div class="row">
          <progress max={now.total} value={now.done} aria-label="Steps done" />
          <output aria-live="off">{runText(now)}</output>
        </div>
      )}
      {why && !now && <p class="hint">{why}</p>}
      {!why && (
        <p class="hint">
          A quick examination takes some seconds, a full one half a minute, and more on a busy machine. Leave the
          machine at rest meanwhile; nothing is left on the disk.
        </p>
      )}
    </section>
  );
}

/** What stands above the rows of some groups. */
const INTROS: Readonly<Record<string, string>> = {
  limits: "What control groups (docker, Kubernetes) or a batch system (SLURM) leave to this process.",
  noise: "What the host and other programs took while it was measured.",
};

export function Measured({ found }: { found: Report }): ComponentChildren {
  return (
    <div class="parts">
      <section aria-labelledby="scaling">
        <h2 id="scaling">Cores: all threads beside one</h2>
        <ScalingTable scaling={found.scaling} />
      </section>
      {groupsOf(found.rows).map((group) => (
        <section key={group.key} aria-labelledby={`part-${group.key}`}>
          <h2 id={`part-${group.key}`}>{group.title}</h2>
          {INTROS[group.key] && <p class="hint">{INTROS[group.key]}</p>}
          <GroupTable group={group} />
          {group.key === "noise" && <NoiseTable rows={found.rows} />}
        </section>
      ))}
    </div>
  );
}

export function Findings(): ComponentChildren {
  const found = report.value;
  if (!found) return phase.value.kind === "open" ? <Again /> : null;
  return (
    <>
      <Verdict found={found} />
      <Again />
      <p class="legend hint">
        A bar is what was measured, and the upright line what such a machine gives at least. The thin line in a bar is
        where half of the rounds lie. Bars of one unit in one table have one scale.
      </p>
      <Measured found={found} />
    </>
  );
}
