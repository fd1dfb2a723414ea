// Positioned reads and writes.
// SPDX-License-Identifier: Apache-2.0
#include "domain/conversion/part_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace sluice::conversion {
namespace {

Error failed(std::string const& path, std::string_view what, int number) {
    return {Code::io,
            fmt::format("{} ({}); free some space or choose another folder", what,
                        std::strerror(number)),
            path};
}

}  // namespace

Result<PartFile> PartFile::open(std::string const& path) {
    PartFile f;
    f.path_ = path;
    f.fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (f.fd_ < 0) return failed(path, "cannot create the file", errno);
    return f;
}

PartFile::PartFile(PartFile&& other) noexcept
    : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)) {}

PartFile& PartFile::operator=(PartFile&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(fd_, other.fd_);
    return *this;
}

PartFile::~PartFile() {
    if (fd_ >= 0) ::close(fd_);
}

Status PartFile::write(std::uint64_t offset, Bytes bytes) const {
    while (!bytes.empty()) {
        ssize_t const n = ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return failed(path_, "writing failed", errno);
        bytes = bytes.subspan(static_cast<std::size_t>(n));
        offset += static_cast<std::uint64_t>(n);
    }
    return {};
}

Status PartFile::read(std::uint64_t offset, std::span<std::byte> out) const {
    while (!out.empty()) {
        ssize_t const n = ::pread(fd_, out.data(), out.size(), static_cast<off_t>(offset));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return failed(path_, "reading failed", errno);
        if (n == 0) return Error{Code::truncated, "ends early; begin again with --force", path_};
        out = out.subspan(static_cast<std::size_t>(n));
        offset += static_cast<std::uint64_t>(n);
    }
    return {};
}

}  // namespace sluice::conversion
