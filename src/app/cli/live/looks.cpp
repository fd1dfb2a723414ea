// Looks at what has come until no more comes.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/live/looks.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "app/cli/shell/terminal.h"

namespace sluice::cli {
namespace {

constexpr index first_points = 64;
constexpr double between_looks_s = 0.5;
constexpr auto glance = std::chrono::milliseconds(20);

}  // namespace

void follow(stem4d::LiveScan const& live, std::span<LiveLook* const> looks, Device const& device) {
    index const first = std::min(first_points, live.dataset().frames);
    index looked = 0;
    double next = 0;
    stem4d::Options const run{.device = device,
                              .progress = [&](auto, auto) { return !live.state().ended; }};
    while (!live.state().ended) {
        index const points = live.kept()->ready();
        if (points < first || points == looked || now() < next) {
            std::this_thread::sleep_for(glance);
            continue;
        }
        double const begin = now();
        Scan const part = live.kept()->so_far();
        for (LiveLook* const each : looks) each->look(part, points, run);
        looked = points;
        double const end = now();
        next = end + std::max(between_looks_s, 2 * (end - begin));
    }
}

}  // namespace sluice::cli
