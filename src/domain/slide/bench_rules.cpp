// Classes of speed, and where squares lie.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/bench_rules.h"

#include <algorithm>

#include "base/splitmix.h"

namespace sluice::slide {
namespace {

// A number for each step.
std::uint64_t mixed(std::uint64_t x) {
    return splitmix::mix(x + splitmix::golden);
}

}  // namespace

std::string_view class_of(double pixels_per_s) {
    return pixels_per_s > 100e6 ? "fast" : pixels_per_s >= 20e6 ? "moderate" : "slow";
}

std::vector<Rect> random_squares(Rect const& area, index side, index count) {
    std::vector<Rect> out;
    index const width = std::min(side, area.width), height = std::min(side, area.height);
    auto const within = [](std::uint64_t random, index room) {
        return static_cast<index>(random % static_cast<std::uint64_t>(room + 1));
    };
    for (index i = 0; i < count; ++i) {
        auto const n = static_cast<std::uint64_t>(2 * i);
        out.push_back({area.x + within(mixed(n), area.width - width),
                       area.y + within(mixed(n + 1), area.height - height), width, height});
    }
    return out;
}

}  // namespace sluice::slide
