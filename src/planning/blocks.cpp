// Arithmetic on the sides of blocks.
// SPDX-License-Identifier: Apache-2.0
#include "planning/blocks.h"

#include <fmt/format.h>

#include <algorithm>

#include "planning/plan_of.h"

namespace sluice::planning {
namespace {

// From here on a viewer is slow, or a pass is.
constexpr double much_more = 8;
constexpr index often = 2;

double parts(index whole, index part) {
    index const n = (whole + part - 1) / part;
    return static_cast<double>(n);
}

}  // namespace

BlockCost block_cost(FrameBlock const& b, std::array<index, 2> scan, std::array<index, 2> detector,
                     int value_bytes) {
    BlockCost c{.block = b};
    double const one =
        static_cast<double>(b.scan[0] * b.scan[1] * b.detector[0] * b.detector[1]) * value_bytes;
    double const over_detector =
        parts(detector[0], b.detector[0]) * parts(detector[1], b.detector[1]);
    double const pattern = static_cast<double>(detector[0] * detector[1]) * value_bytes;
    c.pattern_bytes = one * over_detector;
    c.times_more = c.pattern_bytes / pattern;
    c.row_bytes = c.pattern_bytes * parts(scan[1], b.scan[1]);
    if (b.scan[0] > 1 && c.row_bytes > static_cast<double>(b.kept_bytes))
        c.times_a_pass = std::min(b.scan[0], scan[0]);
    return c;
}

void tell_blocks(WorkPlan& plan, BlockCost const& c) {
    auto const& b = c.block;
    plan.notes.push_back(fmt::format(
        "the file is read in blocks of {}x{} scan points and {}x{} pixels: a pattern that is "
        "looked at "
        "alone takes the decoding of {:.3g} MB, {:.3g} times its own",
        b.scan[0], b.scan[1], b.detector[0], b.detector[1], c.pattern_bytes / 1e6, c.times_more));
    if (c.times_a_pass >= often)
        plan.notes.push_back(fmt::format(
            "a row of these blocks is {:.3g} GB decoded, and {:.3g} GB stay: each pass decodes a "
            "block up to {} times",
            c.row_bytes / 1e9, static_cast<double>(b.kept_bytes) / 1e9, c.times_a_pass));
    if (c.times_a_pass < often && c.times_more < much_more) return;
    for (std::string& advice : plan.advice)
        if (advice == fits_as_it_is) advice = "It fits.";
    plan.advice.emplace_back(
        "blocks of the file cost more than their patterns; `sluice stem4d convert SCAN "
        "scan.zarr` writes patterns that are read one by one");
}

}  // namespace sluice::planning
