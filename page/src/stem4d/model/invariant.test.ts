// A page driven at random against a server that is late, refuses, stalls and dies: what a panel
// shows and what is saved is the answer to what its label says, at any moment.
// SPDX-License-Identifier: Apache-2.0
import { env, stdout, uptime } from "node:process";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { actionsOf, choose } from "./actions";
import type { DrawnPanel } from "./derived";
import { Episode } from "./episode";
import type { SavedFile } from "./exports";
import type * as Figures from "../figures";
import { curvesOf, isLine } from "../figure_extras";
import { openPage } from "./page";
import { Random } from "./random";
import { World } from "./world";

const files: SavedFile[] = [];
vi.mock("../../export/download", () => ({
  download: (name: string, content: Uint8Array | string) => void files.push({ name, content }),
}));
// Without a browser nothing is drawn: the file says what would be.
vi.mock("../figures", async (original) => ({
  ...(await original<typeof Figures>()),
  figurePng: (subjects: Figures.Subject[]) => {
    const panels = subjects.map(({ about, picture }): DrawnPanel => {
      const curves = isLine(picture) ? curvesOf(picture).map(({ y }) => [...y]) : null;
      return { about, curves };
    });
    return new TextEncoder().encode(JSON.stringify(panels));
  },
}));

/** Of the wall, in seconds; 0: so many episodes as the unit tests have time for. */
const LONG = Number(env["SLUICE_INVARIANT_SECONDS"] ?? 0);
const EPISODES = 12;
const STEPS = 250;
const FIRST_SEED = Number(env["SLUICE_INVARIANT_SEED"] ?? 1);

async function episode(seed: number): Promise<Episode> {
  vi.resetModules();
  files.length = 0;
  localStorage.clear();
  const random = new Random(seed);
  const world = new World(random);
  const page = await openPage();
  const run = new Episode(page, world, random, files);
  page.live.connect(world.surroundings());
  await vi.advanceTimersByTimeAsync(5);
  const actions = actionsOf(page, random);
  try {
    for (let step = 0; step < STEPS; ++step) {
      const roll = random.next();
      if (roll < 0.03) {
        run.trace.push("the server dies");
        world.kill();
      } else if (roll < 0.08) {
        if (world.down) world.start();
      } else if (roll < 0.13) {
        run.trace.push("a dataset changes");
        world.change();
      } else if (roll < 0.25) {
        run.save();
      } else if (roll < 0.28) {
        run.trace.push("save the series");
        run.saveSeries();
      } else if (page.datasets.datasets.value.length > 0) {
        const [name, , act] = choose(actions, random);
        run.trace.push(name);
        act();
      }
      run.check();
      const wait = random.pick([0, 0, 1, 5, 30, 120, 500, 4000, random.chance(0.1) ? 70_000 : 0]);
      run.trace.push(`  ${wait} ms`);
      await vi.advanceTimersByTimeAsync(wait);
      run.check();
    }
    await run.settle();
  } catch (error) {
    const last = run.trace.slice(-25).join("\n");
    throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : ""}\n${last}`, {
      cause: error,
    });
  } finally {
    page.sequences.stopExport();
    page.playback.playing.value = false;
    vi.clearAllTimers();
  }
  return run;
}

describe("what a panel shows and what is saved", () => {
  beforeEach(() => {
    vi.useFakeTimers({
      toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance", "Date"],
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is the answer to what its label says", async () => {
    const end = uptime() + LONG;
    let [saved, refused, count] = [0, 0, 0];
    for (let seed = FIRST_SEED; count < EPISODES || uptime() < end; ++seed, ++count) {
      const run = await episode(seed);
      saved += run.saved;
      refused += run.refused;
    }
    const told = `${count} episodes of ${STEPS} steps, ${saved} files, ${refused} refused\n`;
    if (LONG > 0) stdout.write(told);
    expect(saved).toBeGreaterThan(20);
    expect(refused).toBeGreaterThan(0);
  }, (LONG + 300) * 1000);
});
