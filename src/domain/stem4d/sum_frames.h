// SumFrames: the sums of virtual detectors over each frame, as an analysis of units.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/stem4d/compiled.h"
#include "domain/stem4d/frame_values.h"
#include "store/unit.h"

namespace sluice::stem4d {

struct SumFrames {
    /// Which detectors a group of masks has, in its order.
    struct Group {
        planes::MaskGroup masks;
        std::vector<index> detectors;
    };
    using Groups = std::vector<Group>;
    static Groups groups_of(std::span<Compiled const> detectors, Device const& device);

    static constexpr std::string_view name = "sums of frames";
    static constexpr index batch = 16;  ///< tiles at a time, so that the next one is fetched ahead
    using Item = store::Unit;
    using Partial = FrameValues;
    using Result = std::vector<double>;  ///< [detector][frame]

    std::span<Compiled const> detectors;
    Device device;
    index frames;  ///< of the scan
    /// The detectors without weights, where one pass counts several.
    Groups groups = groups_of(detectors, device);

    Partial begin(fold::Range units) const {
        return {frames_of(units, frames), std::ssize(detectors), 1};
    }
    void add(Partial& p, std::span<store::Unit const> units) const;
    void merge(Partial& a, Partial const& b) const { a.place(b); }
    Result finish(Partial p) const { return std::move(p).take(); }

    bool merges_exactly() const { return true; }
    std::vector<index> sizes() const { return {std::ssize(detectors), frames}; }
    void pack(Partial const& p, fold::Packer& out) const { p.pack(out); }
    sluice::Result<Partial> unpack(fold::Unpacker& in, fold::Range units) const {
        return FrameValues::unpack(in, frames_of(units, frames), std::ssize(detectors), 1);
    }
};

}  // namespace sluice::stem4d
