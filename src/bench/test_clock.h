// A clock that stands still until a test moves it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "bench/contestant.h"

namespace sluice::bench {

struct FakeClock {
    Lap time;
    Clock clock{[this] { return time.wall_s; }, [this] { return time.cpu_s; },
                [this] { return time.waited_s; }};

    void pass(double wall, double cpu, double waited = 0) {
        time.wall_s += wall, time.cpu_s += cpu, time.waited_s += waited;
    }
};

/// A contestant whose rounds take the times of a list, again and again; `log` gets its turns.
inline Contestant ticking(FakeClock& time, std::string name, std::vector<double> walls,
                          std::string* log = nullptr) {
    Contestant who;
    who.contest = "race";
    who.name = name;
    auto const turn = std::make_shared<std::size_t>(0);
    who.run = timed(
        [&time, name, walls = std::move(walls), log, turn]() -> Status {
            if (log) *log += name + " ";
            double const wall = walls[(*turn)++ % walls.size()];
            time.pass(wall, 2 * wall);
            return {};
        },
        time.clock);
    return who;
}

}  // namespace sluice::bench
