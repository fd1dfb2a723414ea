// SumFrames: the sums of virtual detectors over each frame, as an analysis of units.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/stem4d/compiled.h"
#include "domain/stem4d/frame_values.h"
#include "store/unit.h"

namespace sluice::stem4d {

struct SumFrames {
    static constexpr index batch = 16;  ///< tiles at a time, so that the next one is fetched ahead
    using Item = store::Unit;
    using Partial = FrameValues;
    using Result = std::vector<double>;  ///< [detector][frame]

    std::span<Compiled const> detectors;
    Device device;
    index frames;  ///< of the scan

    Partial begin(stream::Range units) const {
        return {frames_of(units, frames), std::ssize(detectors), 1};
    }
    void add(Partial& p, std::span<store::Unit const> units) const;
    void merge(Partial& a, Partial const& b) const { a.place(b); }
    Result finish(Partial p) const { return std::move(p).take(); }
};

}  // namespace sluice::stem4d
