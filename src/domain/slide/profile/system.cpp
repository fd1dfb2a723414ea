// Counters of getrusage, of the process's clock and of /proc/stat.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/profile/system.h"

#include <sys/resource.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <sstream>

namespace sluice::slide {
namespace {

SystemCounts now() {
    timespec t{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    rusage u{};
    ::getrusage(RUSAGE_SELF, &u);
    SystemCounts c;
    c.cpu_s = static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
    c.minor_faults = static_cast<std::uint64_t>(u.ru_minflt);
    c.major_faults = static_cast<std::uint64_t>(u.ru_majflt);
    c.disk_bytes = static_cast<std::uint64_t>(u.ru_inblock) * 512;
    return c;
}

Ticks ticks_now() {
    std::ifstream file("/proc/stat");
    std::string line;
    std::getline(file, line);
    return parse_ticks(line);
}

}  // namespace

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

SystemClock::SystemClock() {
    Ticks const t = ticks_now();
    ticks_ = t.all;
    stolen_ = t.stolen;
    begin_ = now();
}

SystemCounts SystemClock::counts() const {
    SystemCounts c = now();
    c.cpu_s -= begin_.cpu_s;
    c.minor_faults -= begin_.minor_faults;
    c.major_faults -= begin_.major_faults;
    c.disk_bytes -= begin_.disk_bytes;
    Ticks const t = ticks_now();
    if (t.all > ticks_) c.steal = std::max(0.0, (t.stolen - stolen_) / (t.all - ticks_));
    return c;
}

}  // namespace sluice::slide
