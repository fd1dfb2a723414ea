// AllStats: sum, squares and maximum of each pixel over chosen frames, of planes or of values.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fold/items.h"
#include "fold/packer.h"
#include "kernel/dense/kernels.h"
#include "store/unit.h"

namespace sluice::stem4d {

struct AllStats {
    static constexpr std::string_view name = "sums, squares and maxima of pixels";
    using Item = store::Unit;
    using Partial = std::vector<dense::PixelStats>;  ///< [row][col]
    using Result = Partial;

    std::span<std::uint16_t const> masks;  ///< [tile], bit f: frame f of it takes part
    std::span<std::uint8_t const> take;    ///< [frame], 1: takes part
    Device device;
    planes::Grid grid;

    Partial begin(fold::Range) const {
        return Partial(static_cast<std::size_t>(grid.rows * grid.cols), dense::PixelStats{});
    }
    void add(Partial& p, std::span<store::Unit const> units) const;
    void merge(Partial& a, Partial const& b) const;
    Result finish(Partial p) const { return p; }

    std::vector<index> sizes() const { return {grid.rows, grid.cols}; }
    void pack(Partial const& p,
              fold::Packer& out) const;  ///< {sum, squares, max, lacks} of each pixel
    sluice::Result<Partial> unpack(fold::Unpacker& in, fold::Range) const;

  private:
    void add_tile(Partial& p, store::Unit const& u) const;
    void add_values(Partial& p, store::Unit const& u) const;
};

}  // namespace sluice::stem4d
