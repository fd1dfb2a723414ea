// The header of WAV files that are written: of one length, whatever comes behind it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "audio/format.h"

namespace sluice::audio {

/// Of a file with so many bytes of samples, in 32 bits; beyond 4 GiB it is that of an RF64 file
/// (EBU Tech 3306), for whose sizes a chunk JUNK keeps room. Its length depends on the target only.
std::vector<std::byte> wav_header(Target const& target, std::uint64_t bytes);

/// Of a frame.
index frame_bytes(Target const& target);

}  // namespace sluice::audio
