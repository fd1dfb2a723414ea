// How much memory of this process is resident, as Linux reports it.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/selftest/resident.h"

#include <unistd.h>

#include <fstream>

namespace sluice::music {

double resident_bytes() {
    std::ifstream in("/proc/self/statm");
    double all = 0, resident = 0;
    in >> all >> resident;
    return in ? resident * static_cast<double>(sysconf(_SC_PAGESIZE)) : 0;
}

}  // namespace sluice::music
