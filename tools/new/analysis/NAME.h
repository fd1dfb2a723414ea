// @Name@: one sentence on what it says of a scan.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/stem4d/sum_frames.h"
#include "sluice/stem4d.h"

namespace sluice::stem4d {

/// How many frames have a sum above a threshold, as an analysis of units (fold/analysis.h).
struct @Name@ {
    static constexpr std::string_view name = "@name@";
    static constexpr index batch = SumFrames::batch;
    using Item = store::Unit;
    using Partial = index;
    using Result = index;

    SumFrames sums;  ///< of one detector
    double above = 0;

    Partial begin(fold::Range) const { return 0; }
    void add(Partial& p, std::span<store::Unit const> units) const;
    void merge(Partial& a, Partial const& b) const { a += b; }
    Result finish(Partial p) const { return p; }

    // With these three it runs on several processes (fold/packed.h).
    std::vector<index> sizes() const { return sums.sizes(); }
    void pack(Partial const& p, fold::Packer& out) const { out.number(p); }
    sluice::Result<Partial> unpack(fold::Unpacker& in, fold::Range) const {
        return in.number<index>();
    }
};

/// The frames of a scan whose counts inside of a detector are more than `above`.
Result<index> @name@(Scan const& scan, Detector const& detector, double above,
                     Options const& options = {});

}  // namespace sluice::stem4d
