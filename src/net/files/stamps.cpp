// Which file stands at a path.
// SPDX-License-Identifier: Apache-2.0
#include "net/files/stamps.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sluice::net::files {

std::optional<Stamp> stamp_of(std::string const& path) {
    struct stat s {};
    if (::stat(path.c_str(), &s) != 0) return {};
    return Stamp{{s.st_dev, s.st_ino},
                 static_cast<std::uint64_t>(s.st_size),
                 s.st_mtim.tv_sec * std::int64_t{1'000'000'000} + s.st_mtim.tv_nsec,
                 S_ISDIR(s.st_mode)};
}

std::optional<std::uint64_t> first_hole(std::string const& path) {
    std::optional<std::uint64_t> hole;
#ifdef SEEK_HOLE
    int const fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return hole;
    off_t const at = ::lseek(fd, 0, SEEK_HOLE);
    struct stat s {};
    // Every file has one at its end.
    if (at >= 0 && ::fstat(fd, &s) == 0 && at < s.st_size) hole = static_cast<std::uint64_t>(at);
    ::close(fd);
#endif
    return hole;
}

}  // namespace sluice::net::files
