// How near separated stems are to the true ones: SDR, SI-SDR and BSS Eval v4.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "sluice/progress.h"
#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::music {

/// An estimate and what it should be, both as [frames][channels]; they must outlive the call.
struct StemPair {
    std::string name;
    std::span<float const> estimate, reference;
};

/// Ratios of energies in dB. Infinite where nothing is in the denominator, NaN where nothing can be
/// said.
struct BssEval {
    double sdr = std::numeric_limits<double>::quiet_NaN();  ///< signal to all distortion
    double isr = sdr;  ///< to what a filter of the stem itself explains
    double sir = sdr;  ///< to what filters of the other stems explain; needs two stems
    double sar = sdr;  ///< to what nothing explains
};

struct StemScore {
    std::string name;
    /// 10 log10((sum s^2 + e) / (sum (s - t)^2 + e)) over all samples, dB; s the reference, t the
    /// estimate, e = sdr_epsilon.
    double sdr = 0;
    /// 10 log10(sum (a s)^2 / sum (a s - t)^2), a = sum s t / sum s^2, dB; NaN of a silent stem.
    double si_sdr = 0;
    /// BSS Eval v4: a value for each window, and their medians, over the windows that have one.
    std::vector<BssEval> windows;
    BssEval median;
};

struct Score {
    std::vector<StemScore> stems;  ///< as they were given
    index windows = 0;             ///< of BSS Eval
    index silent = 0;              ///< in which a reference or an estimate is silent: all NaN
};

/// Of MDX21 and of the trainings of today; it matters for silent stems only.
inline constexpr double sdr_epsilon = 1e-8;
/// Taps of the filters of BSS Eval.
inline constexpr index bss_taps = 512;
/// Stems times channels; their filters are one system of equations.
inline constexpr index most_bss_channels = 16;

struct ScoreOptions {
    bool bss = true;  ///< BSS Eval, too: it takes nearly all of the time and memory
    int threads = 1;
    Progress progress = {};
};

/// Compares stems of one song; `rate` frames per second. All have the same number of frames.
///
/// BSS Eval v4 as in SiSEC 2018 (Vincent et al. 2006; Stöter et al. 2018): images of stems, windows
/// of one second side by side (a song shorter than that is one window; what is left at the end is
/// left out), filters of 512 taps that are found once for the song. The same bits for any number of
/// threads.
///
/// Memory beside the samples, for S stems of C channels: 2.2 MiB times (S C)^2 for correlations and
/// equations (141 MiB for four stereo stems), and then 0.5 MiB times (S C)^2 for the filters'
/// spectra at 44.1 kHz, with 0.4 MiB times S C for each thread. Nothing grows with the length but
/// the values of windows. Errors: no frames, sizes that do not fit, more than `most_bss_channels`.
Result<Score> score(std::span<StemPair const> stems, index channels, int rate,
                    ScoreOptions const& options = {});

}  // namespace sluice::music
