// SumPlanes: sums of pixels over chosen frames of bit planes, never expanded to counts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fold/items.h"
#include "fold/packer.h"
#include "sluice/device.h"
#include "store/unit.h"

namespace sluice::stem4d {

struct SumPlanes {
    static constexpr std::string_view name = "sums of pixels";
    static constexpr index batch = 15;  ///< as many tiles as pattern_sum() takes
    using Item = store::Unit;
    using Partial = std::vector<std::uint64_t>;  ///< [block * 64 + bit]
    using Result = Partial;

    std::span<std::uint16_t const> masks;  ///< [tile], bit f: frame f of it takes part
    Device device;
    planes::Grid grid;

    Partial begin(fold::Range) const {
        return Partial(static_cast<std::size_t>(grid.blocks() * 64));
    }
    void add(Partial& p, std::span<store::Unit const> units) const;
    void merge(Partial& a, Partial const& b) const;
    Result finish(Partial p) const { return p; }

    bool merges_exactly() const { return true; }
    std::vector<index> sizes() const { return {grid.rows, grid.cols}; }
    void pack(Partial const& p, fold::Packer& out) const {
        out.numbers(std::span<std::uint64_t const>(p));
    }
    sluice::Result<Partial> unpack(fold::Unpacker& in, fold::Range) const {
        return in.numbers<std::uint64_t>(static_cast<std::uint64_t>(grid.blocks() * 64));
    }
};

}  // namespace sluice::stem4d
