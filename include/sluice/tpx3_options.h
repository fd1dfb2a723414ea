// Tpx3Options: how the hits of Timepix3 readouts become the frames of a scan.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice {

/// A signal to a Timepix3 readout.
enum class TdcEdge : std::uint8_t { tdc1_rise, tdc1_fall, tdc2_rise, tdc2_fall };

/// Of Timepix3, which sends hits, and no images: of files of them (TPX3), and of streams.
struct Tpx3Options {
    static constexpr std::string_view of_format = "tpx3";
    TdcEdge line_edge = TdcEdge::tdc1_rise;  ///< begins a line of the scan
    bool one_edge = false;                   ///< the first one begins the whole scan
    double point_s = 0;      ///< seconds of a point; 0: the points of a line divide its time
    double window_s = 1e-3;  ///< hits come so much out of their order
    /// Where its chips lie: of each "CHIP:ROW:COL", and ":180" where it is turned, separated by
    /// commas; empty: one chip, whatever its number.
    std::string chip_layout = {};
    /// Of files: images after each line that belong to no point; of streams the scan's path says
    /// it.
    std::uint64_t tpx3_flyback = 0;
};

}  // namespace sluice
