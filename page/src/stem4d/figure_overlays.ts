// The overlays of a panel as an exported figure draws them.
// SPDX-License-Identifier: Apache-2.0
import { outline, polylineOutline } from "./geometry/outline";
import type { Overlay } from "./figure_extras";
import { disk } from "./state/calibration";
import { dataset } from "./state/datasets";
import { disksOnPattern, onArray } from "./state/disks";
import { detectors } from "./state/detectors";
import { corners, path } from "./state/path";
import { profileLine } from "./state/profile";
import { probe, region } from "./state/scan";
import { type PanelName, showDisk } from "./state/settings";

export const REGION_COLOR = "#ffd54f";

const DISK_COLOR = "#69f0ae";

function diskOverlays(): Overlay[] {
  const [found, of] = [disksOnPattern.value, dataset.value];
  if (!found || !of) return [];
  const outer = found.plan.template.radius / of.grid.bin;
  return found.disks.map(({ row, col }) => ({
    path: outline({ shape: "disk", center: onArray(of, row, col), outer }),
    color: DISK_COLOR,
  }));
}

/** What lies over a panel on the screen. */
export function overlaysOf(panel: PanelName): Overlay[] {
  const all: Overlay[] = [];
  if (panel === "pattern") {
    const { row, col, radius } = disk.value;
    const circle = outline({ shape: "disk", center: [row, col], outer: radius });
    if (showDisk.value) all.push({ path: circle, color: "#ffffff" });
    for (const one of detectors.value) all.push({ path: outline(one.region), color: one.color });
    all.push(...diskOverlays());
  }
  if (panel === "image") {
    const walk = corners.value.length > 0 ? corners.value : path.value;
    if (walk.length > 0) all.push({ path: polylineOutline(walk), color: "#ff80ab" });
    if (region.value) all.push({ path: outline(region.value), color: REGION_COLOR });
    const [row, col] = probe.value;
    const cross = `M${col - 2} ${row}H${col + 2}M${col} ${row - 2}V${row + 2}`;
    all.push({ path: cross, color: "#ffffff" });
  }
  const line = profileLine.value;
  if (line?.panel === panel)
    all.push({ path: polylineOutline([line.from, line.to]), color: "#7fffd4" });
  return all;
}
