// Classes of speed, and where squares lie.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/bench_rules.h"

#include <algorithm>

namespace sluice::slide {
namespace {

// SplitMix64 (public domain): a number for each step, the same on every machine.
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
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
