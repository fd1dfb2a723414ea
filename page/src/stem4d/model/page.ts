// The page's state as a test loads it: anew, with nothing kept from before.
// SPDX-License-Identifier: Apache-2.0

/** All modules of a page that has just been opened; call `vi.resetModules()` before. */
export async function openPage() {
  const [live, datasets, detectors, calibration, images, pattern, scan] = await Promise.all([
    import("../state/live"),
    import("../state/datasets"),
    import("../state/detectors"),
    import("../state/calibration"),
    import("../state/images"),
    import("../state/pattern"),
    import("../state/scan"),
  ]);
  const [gallery, compare, fft, profile, playback, path, settings, session, notices] = await Promise.all([
    import("../state/gallery"),
    import("../state/compare"),
    import("../state/fft"),
    import("../state/profile"),
    import("../state/playback"),
    import("../state/path"),
    import("../state/settings"),
    import("../state/session"),
    import("../../shell/notices"),
  ]);
  const [saving, sequences, report, analysis, timing] = await Promise.all([
    import("../saving"),
    import("../sequences"),
    import("../report_file"),
    import("../../analysis/fft"),
    import("../state/timing"),
  ]);
  return {
    live,
    datasets,
    detectors,
    calibration,
    images,
    pattern,
    scan,
    gallery,
    compare,
    fft,
    profile,
    playback,
    path,
    settings,
    session,
    notices,
    saving,
    sequences,
    report,
    analysis,
    timing,
  };
}

export type Page = Awaited<ReturnType<typeof openPage>>;
