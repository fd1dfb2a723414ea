// ScanMap: an image of one quantity over a scan, with its unit, and why pixels have no value.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sluice/view.h"

namespace sluice {

/// Why a pixel of a map has no value. No analysis says `masked` or `not_converged` yet, and none
/// fills ScanMap::error: maps of strain come next, and say all three. Writers save them already.
enum class Missing : std::uint8_t {
    no,             ///< it has a value
    not_measured,   ///< no file holds its frame
    masked,         ///< the caller left it out
    no_counts,      ///< its frame has no counts (their sum is not above 0)
    no_neighbour,   ///< a pixel beside it, which it is made of, has no value
    not_converged,  ///< a fit found no answer there
};
/// As in "not measured"; of Missing::no: "measured".
std::string_view name_of(Missing reason);

/// `values` are [row][col] of the scan, or [member][row][col] of a series; NaN where `reason` says
/// why. An image of a detector has the same parts.
struct ScanMap : Array<double> {
    std::string name = {};           ///< as files have it, e.g. "com_row"
    std::string unit = {};           ///< e.g. "px"; empty: a number without one
    std::vector<double> error = {};  ///< [pixel] one standard error, in the unit; empty: not known
    std::vector<Missing> reason = {};  ///< [pixel]; empty: every pixel has a value, or none is told
    bool counts = false;               ///< whole numbers: NPY has them as uint64
};

/// A map of the values; every one that is NaN is missing for the reason.
ScanMap make_map(std::string name, std::string unit, Array<double> values, Missing reason);

/// How many pixels have no value and why, as in "3 of 64 pixels have no value: 2 not measured, 1 no
/// counts"; empty where each has one.
std::string describe_missing(ScanMap const& map);

}  // namespace sluice
