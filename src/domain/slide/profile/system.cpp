// Counters of getrusage, of the process's clock and of the processors.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/profile/system.h"

#include <sys/resource.h>

#include <ctime>

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

}  // namespace

SystemClock::SystemClock() {
    ticks_ = bench::ticks_now();
    begin_ = now();
}

SystemCounts SystemClock::counts() const {
    SystemCounts c = now();
    c.cpu_s -= begin_.cpu_s;
    c.minor_faults -= begin_.minor_faults;
    c.major_faults -= begin_.major_faults;
    c.disk_bytes -= begin_.disk_bytes;
    c.steal = bench::stolen_share(ticks_, bench::ticks_now());
    return c;
}

}  // namespace sluice::slide
