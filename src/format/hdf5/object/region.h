// Region: which elements of a dataset a selection takes, as files store it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/object/source.h"

namespace sluice::hdf5::object {

/// One block of elements, both corners inside.
struct Corners {
    std::vector<std::uint64_t> low, high;
};

struct Region {
    enum class Kind : std::uint8_t { none, all, regular, blocks, points };
    /// Of a regular region and one dimension: `count` blocks of `block` elements, `stride` apart.
    struct Side {
        std::uint64_t start = 0, stride = 1, count = 1, block = 1;
    };
    static constexpr std::uint64_t unlimited = ~std::uint64_t{0};  ///< as count or block

    Kind kind = Kind::none;
    std::vector<Side> sides = {};      ///< regular
    std::vector<Corners> blocks = {};  ///< blocks
};

/// Takes a serialized selection off the front (specification 3.0, section VIII.A.8).
Result<Region> take_region(Source const& source, Cursor& c, std::uint64_t address);

}  // namespace sluice::hdf5::object
