// TableUnits: the sums that a file of tables holds, as an analysis of units.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "domain/stem4d/compiled.h"
#include "fold/items.h"
#include "scan/ring_counts.h"
#include "store/plan.h"
#include "store/unit.h"

namespace sluice::stem4d {

/// Of bit planes.
struct TableUnits {
    static constexpr std::string_view name = "tables of sums";
    static constexpr index batch = RingCounts::batch;
    static constexpr index edge = 16;  ///< of a square of scan points

    /// Of consecutive frames.
    struct Run {
        std::vector<planes::Moment> moments = {};            ///< [frame]
        std::vector<std::vector<std::uint64_t>> rings = {};  ///< [ring][frame]
    };
    struct Partial {
        std::map<index, Run> runs = {};                            ///< by their first frames
        std::map<index, std::vector<std::uint64_t>> squares = {};  ///< [block * 64 + bit]
    };
    using Item = store::Unit;
    using Result = Partial;

    store::Plan const& plan;
    Compiled const& all;     ///< the whole detector
    RingMasks const* masks;  ///< null: no rings are wanted
    index rings;             ///< how many there are
    bool patterns;           ///< whether squares are wanted
    Device device;

    Partial begin(fold::Range units) const;
    void add(Partial& p, std::span<store::Unit const> units) const;
    void merge(Partial& a, Partial const& b) const;
    Result finish(Partial p) const { return p; }

  private:
    void add_squares(Partial& p, store::Unit const& unit) const;
};

}  // namespace sluice::stem4d
