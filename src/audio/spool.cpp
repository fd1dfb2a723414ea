// Spool by a file that is removed as soon as it is open.
// SPDX-License-Identifier: Apache-2.0
#include "audio/spool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <utility>

namespace sluice::audio {
namespace {

Error cannot_spool(std::string const& folder, std::string_view what, int number) {
    bool const full = number == ENOSPC || number == EDQUOT || number == EFBIG;
    return {Code::io,
            fmt::format(
                "{} ({}) {}", what, std::strerror(number),
                full ? "free some space, or choose a folder with more" : "choose another folder"),
            folder};
}

}  // namespace

Result<Spool> Spool::create(std::string const& folder, index channels) {
    expects(channels > 0);
    Spool spool;
    spool.folder_ = folder;
    spool.channels_ = channels;
    spool.fd_ = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    // Some network file systems have no files without names.
    if (spool.fd_ < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) {
        std::string name = folder + "/.sluice-spool-XXXXXX";
        spool.fd_ = ::mkostemp(name.data(), O_CLOEXEC);
        if (spool.fd_ >= 0) ::unlink(name.c_str());
    }
    if (spool.fd_ < 0) return cannot_spool(folder, "cannot keep samples here for a while", errno);
    return spool;
}

Spool::Spool(Spool&& other) noexcept
    : folder_(std::move(other.folder_)),
      channels_(other.channels_),
      frames_(other.frames_),
      peak_(other.peak_),
      fd_(std::exchange(other.fd_, -1)) {}

Spool::~Spool() {
    if (fd_ >= 0) ::close(fd_);
}

Status Spool::write(std::span<float const> block) {
    index const frames = std::ssize(block) / channels_;
    expects(frames * channels_ == std::ssize(block));
    Bytes bytes = std::as_bytes(block);
    auto at = static_cast<off_t>(frames_ * channels_) * static_cast<off_t>(sizeof(float));
    while (!bytes.empty()) {
        ssize_t const n = ::pwrite(fd_, bytes.data(), bytes.size(), at);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return cannot_spool(folder_, "samples cannot be kept here", errno);
        bytes = bytes.subspan(static_cast<std::size_t>(n));
        at += n;
    }
    for (float const v : block) peak_ = std::max(peak_, std::fabs(v));
    frames_ += frames;
    return {};
}

Result<index> Spool::read(index first, std::span<float> block) const {
    index const frames = std::clamp<index>(frames_ - first, 0, std::ssize(block) / channels_);
    auto bytes = std::as_writable_bytes(block.first(static_cast<std::size_t>(frames * channels_)));
    auto at = static_cast<off_t>(first * channels_) * static_cast<off_t>(sizeof(float));
    while (!bytes.empty()) {
        ssize_t const n = ::pread(fd_, bytes.data(), bytes.size(), at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0)
            return cannot_spool(folder_, "kept samples cannot be read", n < 0 ? errno : EIO);
        bytes = bytes.subspan(static_cast<std::size_t>(n));
        at += n;
    }
    return frames;
}

}  // namespace sluice::audio
