// Calls that only Linux has.
// SPDX-License-Identifier: Apache-2.0
#include "base/system.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

namespace sluice {

void use_large_pages(void* begin, std::size_t bytes) {
    ::madvise(begin, bytes, MADV_HUGEPAGE);
}

int reserve_room(std::string const& path, std::uint64_t from, std::uint64_t to) {
    int const fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (fd < 0) return errno;
    int const failed =
        ::posix_fallocate(fd, static_cast<off_t>(from), static_cast<off_t>(to - from));
    ::close(fd);
    return failed;
}

int make_pipe(std::array<int, 2>& ends) {
    return ::pipe2(ends.data(), O_CLOEXEC) == 0 ? 0 : errno;
}

void end_with_parent() {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
}

std::uint64_t addresses_taken() {
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace sluice
