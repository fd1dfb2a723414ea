// WindowFrames: the origin of each frame by a window, as an analysis of units.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/calibrate/window.h"
#include "domain/stem4d/frame_values.h"
#include "store/unit.h"

namespace sluice::crystal {

struct WindowFrames {
    static constexpr std::string_view name = "origins of frames";
    static constexpr index numbers = 6;  ///< reason, row, col, and the covariance
    using Item = store::Unit;
    using Partial = stem4d::FrameValues;
    using Result = std::vector<double>;  ///< [frame][number]

    WindowSetup const& setup;
    planes::Grid grid;
    index frames;                        ///< of the scan
    std::span<std::uint8_t const> lost;  ///< [frame], 1: it was not measured; empty: all were

    Partial begin(fold::Range units) const {
        return {stem4d::frames_of(units, frames), 1, numbers};
    }
    void add(Partial& p, std::span<store::Unit const> units) const;
    void merge(Partial& a, Partial const& b) const { a.place(b); }
    Result finish(Partial p) const { return std::move(p).take(); }

    bool merges_exactly() const { return true; }
    std::vector<index> sizes() const { return {frames, grid.rows, grid.cols}; }
    void pack(Partial const& p, fold::Packer& out) const { p.pack(out); }
    sluice::Result<Partial> unpack(fold::Unpacker& in, fold::Range units) const {
        return stem4d::FrameValues::unpack(in, stem4d::frames_of(units, frames), 1, numbers);
    }
};

}  // namespace sluice::crystal
