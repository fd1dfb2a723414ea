// Many reconstructions of the same patterns: halves against each other, orientations of the
// detector, sweeps over settings. All on one rank.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/ptychography_compare.h"
#include "sluice/ptychography_settings.h"

namespace sluice::stem4d {

/// The phases of all slices added up, in rad, over the lit part, without its ramp and its mean.
Result<Array<float>> lit_phase(PtychographyResult const& result);

/// Some of the patterns, by their numbers. Fails where there is no such pattern.
Result<Patterns> part_of(Patterns const& patterns, std::vector<index> const& numbers);

/// R of patterns under an object and a probe that were found without them. Positions are as in the
/// patterns that these were found from. Patterns whose windows leave the object are left out; it
/// fails where all do. Of `options` it takes what waves do: parts of pixels and slices.
Result<double> held_out_r(Patterns const& patterns, PtychographyResult const& result,
                          PtychographyOptions const& options);

/// How two reconstructions share the same scan.
enum class Halves : std::uint8_t {
    patterns,  ///< every other pattern: the overlap is less
    counts,    ///< each count goes to one of them by chance: the dose is halved; whole counts only
};
/// Reconstructs both halves and correlates what both lit. The resolution is that of half the data.
Result<RingCorrelation> correlate_halves(Patterns const& patterns,
                                         PtychographyOptions const& options, Halves halves);

/// One of the eight ways in which a detector may lie against its scan, done to the positions.
struct DetectorOrientation {
    bool transpose = false;  ///< rows and columns are exchanged, first
    bool flip_rows = false, flip_cols = false;
    double r = 0;             ///< of the last iteration
    Array<float> phase = {};  ///< as lit_phase() gives it
};
/// All eight, reconstructed with these options (few iterations tell), best R first. Turning a
/// position (r, c) to (-r, -c) gives a twin: conjugated and turned, it has the same patterns. Only
/// a given probe that is not its own twin tells them apart.
Result<std::vector<DetectorOrientation>> orientations(Patterns const& patterns,
                                                      PtychographyOptions const& options);

/// A setting and the values that it takes, as set() takes them.
struct SweepAxis {
    std::string name;
    std::vector<std::string> values;
};
struct SweepRun {
    SettingTexts settings = {};  ///< those that the sweep varies
    double r = 0, floor = 0;
    double held_out_r = 0;                   ///< 0: no patterns were held out
    double seconds = 0;                      ///< of all iterations
    std::vector<std::string> findings = {};  ///< names of what judge() found
    std::string error = {};                  ///< why there is no result; empty: there is one
    Array<float> phase = {};                 ///< as lit_phase() gives it
};
struct SweepOptions {
    PtychographyOptions base = {};
    std::vector<SweepAxis> axes = {};  ///< all combinations are run, the last axis fastest
    /// Part of the patterns (up to 0.2) that no run sees, evenly spread; runs are then ranked by
    /// the R of these, which does not fall when noise is fitted.
    double held_out = 0;
};
/// All runs, best first; those that failed come last. Keeps the pictures, not the results. Fails
/// where a setting or a value does not exist, or more than 1000 runs are asked for.
Result<std::vector<SweepRun>> ptychography_sweep(Patterns const& patterns,
                                                 SweepOptions const& options);

}  // namespace sluice::stem4d
