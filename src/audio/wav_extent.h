// Whether a WAV file has all the samples that its header promises; libsndfile does not say.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "sluice/result.h"

namespace sluice::audio {

/// Reads exactly out.size() bytes at an offset.
using ReadAt = std::function<Status(std::uint64_t offset, std::span<std::byte> out)>;

/// Where samples are missing: what the header promises and what is there, in bytes.
struct Missing {
    std::uint64_t at = 0;  ///< the first byte of the samples
    std::uint64_t promised = 0, there = 0;
};

/// Of a file of `size` bytes. Nothing if the file is whole, is not a RIFF, RIFX or RF64 file, or
/// has one of the sizes that programs write into a pipe, where they cannot know it: 0, and those
/// near 2 and 4 GiB.
Result<std::optional<Missing>> missing_of_wav(std::uint64_t size, ReadAt const& read);

}  // namespace sluice::audio
