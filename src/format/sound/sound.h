// Which files hold sound, and who decodes each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sluice/view.h"

namespace sluice::sound {

/// Who reads a file.
enum class Reader : std::uint8_t { libsndfile, ffmpeg, nobody };

/// Told by its first bytes, `most_first` of them or the whole file. Other files reach neither
/// library nor program, which know dozens of formats that nobody separates and few have tested.
Reader reader_of(Bytes first);
inline constexpr std::uint64_t most_first = 192;

}  // namespace sluice::sound
