// The middle of a song, as a chunk.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::music {

/// [2][samples] at `rate`, from the middle of a file; mono is on both channels. Errors: a song that
/// is shorter, or has more than two channels.
Result<std::vector<float>> chunk_of_song(std::string const& path, index samples, index rate);

}  // namespace sluice::music
