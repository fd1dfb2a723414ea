// ScanPath: the order in which a stream's images visit the points of a scan.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "config/field.h"
#include "sluice/view.h"

namespace sluice::net {

enum class Order : std::uint8_t { raster, serpentine };
constexpr auto words(Order /*of_this_type*/) {
    return std::to_array<config::Word<Order>>(
        {{"raster", Order::raster}, {"serpentine", Order::serpentine}});
}

struct ScanPath {
    std::array<index, 2> scan = {};
    Order order = Order::raster;
    index flyback = 0;               ///< images after each row that belong to no point
    std::vector<index> points = {};  ///< instead of both: [image] the number of its point, or -1
};
/// [image] the frame of the scan, -1: none; empty: image i is frame i.
std::vector<index> frame_of(ScanPath const& path);

}  // namespace sluice::net
