// MomentFrames: mass and first moments of each frame, as an analysis of units.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/stem4d/compiled.h"
#include "domain/stem4d/frame_values.h"
#include "store/unit.h"

namespace sluice::stem4d {

struct MomentFrames {
    static constexpr std::string_view name = "moments of frames";
    static constexpr index batch = 16;  ///< tiles at a time, so that the next one is fetched ahead
    using Item = store::Unit;
    using Partial = FrameValues;
    using Result = std::vector<double>;  ///< [frame][{sum, row, col}]

    Compiled const& mask;
    Device device;
    planes::Grid grid;
    index frames;  ///< of the scan

    Partial begin(fold::Range units) const { return {frames_of(units, frames), 1, 3}; }
    void add(Partial& p, std::span<store::Unit const> units) const;
    void merge(Partial& a, Partial const& b) const { a.place(b); }
    Result finish(Partial p) const { return std::move(p).take(); }

    bool merges_exactly() const { return true; }
    std::vector<index> sizes() const { return {frames}; }
    void pack(Partial const& p, fold::Packer& out) const { p.pack(out); }
    sluice::Result<Partial> unpack(fold::Unpacker& in, fold::Range units) const {
        return FrameValues::unpack(in, frames_of(units, frames), 1, 3);
    }
};

}  // namespace sluice::stem4d
