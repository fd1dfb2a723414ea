// ScratchFile by a file that is removed as soon as it is open.
// SPDX-License-Identifier: Apache-2.0
#include "base/scratch_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace sluice {
namespace {

Error refused(std::string const& folder, std::string_view what, int number) {
    bool const full = number == ENOSPC || number == EDQUOT || number == EFBIG;
    return {Code::io,
            fmt::format(
                "{} ({}) {}", what, std::strerror(number),
                full ? "free some space, or choose a folder with more" : "choose another folder"),
            folder};
}

}  // namespace

Result<ScratchFile> ScratchFile::create(std::string const& folder) {
    ScratchFile file;
    file.folder_ = folder.empty() ? "." : folder;
    file.fd_ = ::open(file.folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    // Some network file systems have no files without names.
    if (file.fd_ < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) {
        std::string name = file.folder_ + "/.sluice-scratch-XXXXXX";
        file.fd_ = ::mkostemp(name.data(), O_CLOEXEC);
        if (file.fd_ >= 0) ::unlink(name.c_str());
    }
    if (file.fd_ < 0) return refused(file.folder_, "nothing can be kept here for a while", errno);
    return file;
}

ScratchFile::ScratchFile(ScratchFile&& other) noexcept
    : folder_(std::move(other.folder_)),
      size_(other.size_),
      fd_(std::exchange(other.fd_, -1)),
      direct_(std::exchange(other.direct_, -1)) {}

ScratchFile::~ScratchFile() {
    if (direct_ >= 0) ::close(direct_);
    if (fd_ >= 0) ::close(fd_);
}

Status ScratchFile::write(Bytes bytes) {
    std::uint64_t at = size_;
    while (!bytes.empty()) {
        ssize_t const n = ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(at));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return refused(folder_, "bytes cannot be kept here", errno);
        bytes = bytes.subspan(static_cast<std::size_t>(n));
        at += static_cast<std::uint64_t>(n);
    }
    size_ = at;
    return {};
}

Status ScratchFile::flush() const {
    while (::fdatasync(fd_) != 0)
        if (errno != EINTR) return refused(folder_, "bytes cannot be kept here", errno);
    return {};
}

Status ScratchFile::read(std::uint64_t at, std::span<std::byte> out) const {
    return read_by(fd_, at, out);
}

Status ScratchFile::read_past_cache(std::uint64_t at, std::span<std::byte> out) const {
    expects(at % direct_unit == 0 && out.size() % direct_unit == 0);
    if (direct_ < 0)  // a file without a name has one in /proc as long as it is open
        direct_ =
            ::open(fmt::format("/proc/self/fd/{}", fd_).c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC);
    if (direct_ < 0) return refused(folder_, "the cache cannot be passed by here", errno);
    return read_by(direct_, at, out);
}

Status ScratchFile::read_by(int fd, std::uint64_t at, std::span<std::byte> out) const {
    expects(at <= size_ && out.size() <= size_ - at);
    while (!out.empty()) {
        ssize_t const n = ::pread(fd, out.data(), out.size(), static_cast<off_t>(at));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return refused(folder_, "kept bytes cannot be read", n < 0 ? errno : EIO);
        out = out.subspan(static_cast<std::size_t>(n));
        at += static_cast<std::uint64_t>(n);
    }
    return {};
}

}  // namespace sluice
