// How long it takes to match the disks of a scan that is planned, from those of some squares.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "planning/subject.h"
#include "sluice/match_orientations.h"

namespace sluice::planning {

/// Seconds of groups of patterns, one on each thread at a time, as matching a scan takes them.
struct MatchRates {
    double begin_s = 0;           ///< before the first group, once
    std::vector<double> group_s;  ///< of several rounds; empty: nothing was measured
    index group_patterns = 0;
};

/// Adds the patterns of one square below those of others of the same width.
void append(stem4d::BraggVectors& all, stem4d::BraggVectors const& square);

/// Matches the patterns of `found`, again and again, until each thread has had whole groups. A
/// square shows one crystal often, by which no scan can be calibrated: `found` is of all squares.
Result<MatchRates> measure_matching(stem4d::BraggVectors const& found,
                                    stem4d::Calibration const& calibration,
                                    stem4d::OrientationLibrary const& library,
                                    stem4d::MatchOptions const& options,
                                    stem4d::Options const& run);

/// How many groups the thread with the most of them has, a part of a group counted as such.
double rounds_of(index patterns, index group_patterns, int threads);

}  // namespace sluice::planning
