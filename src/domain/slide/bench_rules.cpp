// The arithmetic of benchmarks.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/bench_rules.h"

#include <algorithm>
#include <cstring>

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

std::uint64_t checksum(Bytes bytes) {
    std::uint64_t sum = 0;
    std::size_t const words = bytes.size() / 8;
    for (std::size_t i = 0; i < words; ++i) {
        std::uint64_t w = 0;
        std::memcpy(&w, bytes.data() + 8 * i, 8);
        sum += w * (2 * i + 1);
    }
    if (std::size_t const rest = bytes.size() - 8 * words; rest > 0) {
        std::uint64_t w = 0;
        std::memcpy(&w, bytes.data() + 8 * words, rest);
        sum += w * (2 * words + 1);
    }
    return sum;
}

int recommended(std::vector<WayTimes> const& ways) {
    double best = 0;
    for (WayTimes const& w : ways) best = best > 0 ? std::min(best, w.wall_s) : w.wall_s;
    int chosen = -1;
    for (int i = 0; i < static_cast<int>(ways.size()); ++i) {
        auto const& w = ways[static_cast<std::size_t>(i)];
        if (w.wall_s > 1.1 * best) continue;
        if (chosen < 0) chosen = i;
        auto const& c = ways[static_cast<std::size_t>(chosen)];
        if (std::pair(w.effort, w.wall_s) < std::pair(c.effort, c.wall_s)) chosen = i;
    }
    return chosen;
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
