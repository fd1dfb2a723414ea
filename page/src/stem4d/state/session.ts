// The session: everything the user set, as one value and back.
// SPDX-License-Identifier: Apache-2.0
import { batch } from "@preact/signals";
import type { DisplaySettings } from "../../types";
import type { DatasetName, Panel, Session, SessionView } from "../files/session";
import { calibration, calibrations, isSet, rotation } from "./calibration";
import { compared } from "./compare";
import { dataset, datasets, select } from "./datasets";
import { detectors, selectedKey, setDetectors } from "./detectors";
import { galleryOpen } from "./gallery";
import { diskOptions } from "./disks";
import { descan, mask, mode } from "./images";
import { clearPath, path, pathLoop, pathSpeed } from "./path";
import { bounce, fps, loop, reverse } from "./playback";
import { orientationOptions } from "./orientation";
import { profileLine } from "./profile";
import { saved, setSaved } from "./saved";
import { patternSource, probe, region, regionKind } from "./scan";
import { compareOpen, disksOpen, fftOpen, settings, showDisk, views } from "./settings";
import { axisDegrees, reference } from "./strain";

const PANELS: readonly Panel[] = ["pattern", "image", "fft"];

function perPanel<T>(of: (panel: Panel) => T): Record<Panel, T> {
  return { pattern: of("pattern"), image: of("image"), fft: of("fft") };
}

const nameOf = ({ name, path: at }: DatasetName): DatasetName => ({ name, path: at });

/** What is set now. */
export function currentSession(): Session {
  const list = datasets.value;
  const index = list.findIndex((one) => one.id === dataset.value?.id);
  const indices = compared.value.map((id) => list.findIndex((one) => one.id === id));
  return {
    datasets: list.map(nameOf),
    dataset: index >= 0 ? index : null,
    detectors: detectors.value,
    selected: selectedKey.value,
    saved: saved.value,
    mode: mode.value,
    mask: mask.value,
    descan: descan.value,
    calibration: calibration.value,
    calibrations: list.flatMap((one, at) => {
      const own = calibrations.value.get(one.path);
      return own && isSet(own) ? [{ dataset: at, ...own }] : [];
    }),
    scan: {
      probe: probe.value,
      region: region.value,
      regionKind: regionKind.value,
      source: patternSource.value,
    },
    display: perPanel<DisplaySettings>((panel) => settings[panel].value),
    views: perPanel<SessionView | null>((panel) => views[panel].value),
    playback: { loop: loop.value, bounce: bounce.value, reverse: reverse.value, fps: fps.value },
    path: { points: path.value, loop: pathLoop.value, speed: pathSpeed.value },
    profile: profileLine.value,
    compare: { open: compareOpen.value, datasets: indices.filter((one) => one >= 0) },
    disks: {
      open: disksOpen.value,
      options: diskOptions.value,
      reference: reference.value,
      axisDegrees: axisDegrees.value,
    },
    orientation: orientationOptions.value,
    open: { fft: fftOpen.value, gallery: galleryOpen.value, disk: showDisk.value },
  };
}

/** The dataset here that a session means: the same path, else the same name. */
function idOf(meant: DatasetName | undefined): string | null {
  if (!meant) return null;
  const list = datasets.value;
  const found =
    list.find((one) => one.path === meant.path) ?? list.find((one) => one.name === meant.name);
  return found?.id ?? null;
}

/** Each dataset's own; a session of before knew only that of its selected one. */
function applyCalibrations({ calibration: of, calibrations: each, datasets: names, dataset: at }: Session): void {
  const { rotation: turn, ...own } = of;
  rotation.value = turn;
  const next = new Map(calibrations.value);
  const set = (index: number, value: typeof own): void => {
    const id = idOf(names[index]);
    const found = datasets.value.find((one) => one.id === id);
    if (found) next.set(found.path, value);
  };
  if (at !== null) set(at, own);
  for (const { dataset: index, ...value } of each) set(index, value);
  calibrations.value = next;
}

/** Sets everything as in a session; false when its dataset is not here. */
export function applySession(session: Session): boolean {
  return batch(() => {
    const id = idOf(session.datasets[session.dataset ?? -1]);
    if (id !== null) select(id);
    if (session.detectors.length > 0) setDetectors(session.detectors, session.selected);
    const names = new Set(session.saved.map((one) => one.name));
    setSaved([...saved.value.filter((one) => !names.has(one.name)), ...session.saved]);
    mode.value = session.mode;
    mask.value = session.mask;
    descan.value = session.descan;
    applyCalibrations(session);
    probe.value = session.scan.probe;
    region.value = session.scan.region;
    regionKind.value = session.scan.regionKind;
    patternSource.value = session.scan.source;
    for (const panel of PANELS) {
      settings[panel].value = session.display[panel];
      views[panel].value = session.views[panel];
    }
    loop.value = session.playback.loop;
    bounce.value = session.playback.bounce;
    reverse.value = session.playback.reverse;
    fps.value = Math.min(30, session.playback.fps);
    clearPath();
    path.value = session.path.points;
    pathLoop.value = session.path.loop;
    pathSpeed.value = session.path.speed;
    profileLine.value = session.profile;
    compared.value = session.compare.datasets.flatMap((at) => idOf(session.datasets[at]) ?? []);
    compareOpen.value = session.compare.open;
    disksOpen.value = session.disks.open;
    diskOptions.value = session.disks.options;
    reference.value = session.disks.reference;
    axisDegrees.value = session.disks.axisDegrees;
    orientationOptions.value = session.orientation;
    fftOpen.value = session.open.fft;
    galleryOpen.value = session.open.gallery;
    showDisk.value = session.open.disk;
    return id !== null || session.dataset === null;
  });
}
