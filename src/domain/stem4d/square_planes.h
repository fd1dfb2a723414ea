// SquarePlanes: sums of pixels and of their squares over chosen frames of bit planes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fold/items.h"
#include "fold/packer.h"
#include "sluice/device.h"
#include "store/unit.h"

namespace sluice::stem4d {

struct SquarePlanes {
    static constexpr std::string_view name = "sums and squares of pixels";
    static constexpr index batch = 15;  ///< as many tiles as pattern_squares() takes
    using Item = store::Unit;
    /// [sum, squares][block * 64 + bit], exact below 2^53
    using Partial = std::vector<double>;
    using Result = Partial;

    std::span<std::uint16_t const> masks;  ///< [tile], bit f: frame f of it takes part
    Device device;
    planes::Grid grid;

    Partial begin(fold::Range) const {
        return Partial(static_cast<std::size_t>(2 * grid.blocks() * 64));
    }
    void add(Partial& p, std::span<store::Unit const> units) const;
    void merge(Partial& a, Partial const& b) const;
    Result finish(Partial p) const { return p; }

    std::vector<index> sizes() const { return {grid.rows, grid.cols}; }
    void pack(Partial const& p, fold::Packer& out) const {
        out.numbers(std::span<double const>(p));
    }
    sluice::Result<Partial> unpack(fold::Unpacker& in, fold::Range) const {
        return in.numbers<double>(static_cast<std::uint64_t>(2 * grid.blocks() * 64));
    }
};

}  // namespace sluice::stem4d
