// Ticks of /proc/stat.
// SPDX-License-Identifier: Apache-2.0
#include "bench/ticks.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace sluice::bench {

// user nice system idle iowait irq softirq steal; later fields are already counted in user.
Ticks parse_ticks(std::string const& line) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    if (name != "cpu") return {};
    Ticks t;
    double value = 0;
    for (int i = 0; i < 8 && words >> value; ++i) {
        t.all += value;
        if (i == 7) t.stolen = value;
    }
    return t;
}

Ticks ticks_now() {
    std::ifstream file("/proc/stat");
    std::string line;
    std::getline(file, line);
    return parse_ticks(line);
}

double stolen_share(Ticks const& before, Ticks const& after) {
    double const all = after.all - before.all;
    return all > 0 ? std::max(0.0, (after.stolen - before.stolen) / all) : 0;
}

}  // namespace sluice::bench
