// Spool on a scratch file.
// SPDX-License-Identifier: Apache-2.0
#include "audio/spool.h"

#include <algorithm>
#include <cmath>

namespace sluice::audio {

Result<Spool> Spool::create(std::string const& folder, index channels) {
    expects(channels > 0);
    SLUICE_TRY(ScratchFile file, ScratchFile::create(folder));
    return Spool(std::move(file), channels);
}

Status Spool::write(std::span<float const> block) {
    index const frames = std::ssize(block) / channels_;
    expects(frames * channels_ == std::ssize(block));
    SLUICE_CHECK(file_.write(std::as_bytes(block)));
    for (float const v : block) peak_ = std::max(peak_, std::fabs(v));
    frames_ += frames;
    return {};
}

Result<index> Spool::read(index first, std::span<float> block) const {
    index const frames = std::clamp<index>(frames_ - first, 0, std::ssize(block) / channels_);
    auto const at = static_cast<std::uint64_t>(first * channels_) * sizeof(float);
    auto const some = block.first(static_cast<std::size_t>(frames * channels_));
    if (frames > 0) SLUICE_CHECK(file_.read(at, std::as_writable_bytes(some)));
    return frames;
}

}  // namespace sluice::audio
