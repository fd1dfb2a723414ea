// The clocks of Linux.
// SPDX-License-Identifier: Apache-2.0
#include "bench/stopwatch.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <string>

namespace sluice::bench {
namespace {

double seconds_of(clockid_t clock) {
    timespec t{};
    ::clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double of_children() {
    rusage u{};
    ::getrusage(RUSAGE_CHILDREN, &u);
    auto const s = [](timeval const& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return s(u.ru_utime) + s(u.ru_stime);
}

// The second number of a thread's schedstat: nanoseconds on a run queue.
double waited_by(std::string const& path) {
    int const file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    std::array<char, 96> text{};
    ssize_t const n = ::read(file, text.data(), text.size() - 1);
    ::close(file);
    if (n <= 0) return 0;
    char* end = nullptr;
    std::strtoull(text.data(), &end, 10);
    return 1e-9 * static_cast<double>(std::strtoull(end, nullptr, 10));
}

double waited_by_all() {
    DIR* const folder = ::opendir("/proc/self/task");
    if (!folder) return 0;
    double sum = 0;
    while (dirent const* const entry = ::readdir(folder))
        if (entry->d_name[0] != '.')
            sum += waited_by(std::string("/proc/self/task/") + entry->d_name + "/schedstat");
    ::closedir(folder);
    return sum;
}

}  // namespace

Clock const& system_clock() {
    static Clock const clock{[] { return seconds_of(CLOCK_MONOTONIC); },
                             [] { return seconds_of(CLOCK_PROCESS_CPUTIME_ID) + of_children(); },
                             waited_by_all};
    return clock;
}

// The wall's clock is read last before the work and first after it: reading the others takes time.
Stopwatch::Stopwatch(Clock const& clock) : clock_(&clock) {
    begin_.waited_s = clock.waited();
    begin_.cpu_s = clock.cpu();
    begin_.wall_s = clock.wall();
}

Lap Stopwatch::lap() const {
    Lap now;
    now.wall_s = clock_->wall() - begin_.wall_s;
    now.cpu_s = clock_->cpu() - begin_.cpu_s;
    // Threads that ended in between took their count with them.
    now.waited_s = std::max(0.0, clock_->waited() - begin_.waited_s);
    return now;
}

}  // namespace sluice::bench
