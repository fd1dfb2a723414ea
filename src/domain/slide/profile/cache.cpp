// The system's cache of files, by posix_fadvise and mincore.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/profile/cache.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "base/file.h"

namespace sluice::slide {
namespace {

// A file of 1 TB has so many pages that they are asked for by pieces.
constexpr std::size_t piece = std::size_t{1} << 30;

double share_in_memory(Bytes mapped) {
    auto const page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    std::size_t held = 0, all = 0;
    std::vector<unsigned char> states;
    for (std::size_t at = 0; at < mapped.size(); at += piece) {
        std::size_t const length = std::min(piece, mapped.size() - at);
        states.assign((length + page - 1) / page, 0);
        if (::mincore(const_cast<std::byte*>(mapped.data() + at), length, states.data()) != 0)
            return 1;
        all += states.size();
        held += static_cast<std::size_t>(
            std::count_if(states.begin(), states.end(), [](unsigned char s) { return s & 1; }));
    }
    return all ? static_cast<double>(held) / static_cast<double>(all) : 1;
}

}  // namespace

Result<double> forget_file(std::string const& path) {
    SLUICE_TRY(File const file, File::open(path));
    if (file.size() == 0) return 1.0;
    // Pages that are not written yet are not given up. Where the file cannot be opened for writing,
    // this program did not write it.
    if (int const fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC); fd >= 0) {
        ::fdatasync(fd);
        ::close(fd);
    }
    file.drop_cache();
    SLUICE_TRY(Bytes const mapped, file.map());
    double const share = share_in_memory(mapped);
    ::munmap(const_cast<std::byte*>(mapped.data()), mapped.size());
    return share;
}

}  // namespace sluice::slide
