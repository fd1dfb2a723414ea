// Which file stands at a path.
// SPDX-License-Identifier: Apache-2.0
#include "net/files/stamps.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sluice::net::files {

namespace {

std::int64_t in_ns(std::int64_t seconds, std::int64_t ns) {
    return seconds * 1'000'000'000 + ns;
}

std::int64_t born_ns(std::string const& path) {
#ifdef STATX_BTIME
    struct statx s {};
    if (::statx(AT_FDCWD, path.c_str(), 0, STATX_BTIME, &s) == 0 && (s.stx_mask & STATX_BTIME) != 0)
        return in_ns(s.stx_btime.tv_sec, s.stx_btime.tv_nsec);
#endif
    return 0;
}

}  // namespace

std::optional<Stamp> stamp_of(std::string const& path) {
    struct stat s {};
    if (::stat(path.c_str(), &s) != 0) return {};
    return Stamp{{s.st_dev, s.st_ino, born_ns(path)},
                 static_cast<std::uint64_t>(s.st_size),
                 in_ns(s.st_mtim.tv_sec, s.st_mtim.tv_nsec),
                 S_ISDIR(s.st_mode)};
}

bool ends_in_hole(std::string const& path) {
    bool hole = false;
#ifdef SEEK_HOLE
    int const fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return false;
    struct stat s {};
    if (::fstat(fd, &s) == 0 && s.st_size > 0)
        hole = ::lseek(fd, s.st_size - 1, SEEK_HOLE) == s.st_size - 1;
    ::close(fd);
#endif
    return hole;
}

}  // namespace sluice::net::files
