// What pages are told of a reconstruction, at work or finished.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "app/view/wire.h"
#include "sluice/ptychography.h"

namespace sluice::app {

/// What pages are told of a job before it has computed anything.
struct MonitoredJob {
    std::string name = {};
    index patterns = 0;
    index size = 0;    ///< pixels of a pattern's side; 0: not known
    index window = 0;  ///< pixels of the probe's side; 0: as many as a pattern
    double pixel_nm = 0, wavelength_nm = 0;
    index slices = 1, modes = 1;
    double slice_nm = 0;
    /// It is of the same scan as the job before, mostly with more of its points.
    bool follows = false;
    struct Stage {
        std::string solver;  ///< empty: not known
        index iterations = 0;
        bool refines = false;  ///< positions
    };
    std::vector<Stage> stages = {};
};

/// `number` tells it from other jobs.
Json told_job(MonitoredJob const& job, std::uint64_t number);

/// [real, imaginary][row][col] of a plane; the message's last array.
void add_wave(ArrayMessage& message, index rows, index cols,
              std::span<std::complex<float> const> plane);
/// Moves are left out where `started` is empty: how positions moved is not known then.
void add_positions(ArrayMessage& message, std::span<stem4d::Position const> now,
                   std::span<stem4d::Position const> started);
void add_curve(ArrayMessage& message, std::span<stem4d::PtychographyRound const> rounds);

/// "there is no slice 7".
Error no_such(std::string const& what, std::int64_t number);

}  // namespace sluice::app
