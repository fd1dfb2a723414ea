// The pause of `sluice_paused`: it waits at a moment until a test lets it go on.
// SPDX-License-Identifier: Apache-2.0
#include "base/pause.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace sluice {

// SLUICE_PAUSE=MOMENT: the file MOMENT.paused in the working folder says that the moment has come.
// Whoever removes it lets the program go on. It waits for 60 s at most (or SLUICE_PAUSE_SECONDS).
void pause_at(std::string_view moment) {
    char const* const wanted = std::getenv("SLUICE_PAUSE");
    if (!wanted || moment != wanted) return;
    static std::atomic_flag met;
    if (met.test_and_set()) return;  // the first time is the moment
    std::string const path = std::string(moment) + ".paused";
    int const made = ::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (made < 0) {
        std::perror(("sluice_paused: " + path).c_str());
        ::_exit(99);
    }
    ::close(made);
    char const* const given = std::getenv("SLUICE_PAUSE_SECONDS");
    int const limit = given ? std::atoi(given) : 60;
    for (int i = 0; i < limit * 100; ++i) {
        if (::access(path.c_str(), F_OK) != 0) return;
        timespec const wait{0, 10'000'000};
        ::nanosleep(&wait, nullptr);
    }
    std::fprintf(stderr, "sluice_paused: nobody removed %s within %d s\n", path.c_str(), limit);
    ::_exit(99);
}

}  // namespace sluice
