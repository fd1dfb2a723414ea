// Encoder: what a Sink gives its samples to; one for WAV and one for FLAC.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>

#include "audio/format.h"

namespace sluice::audio {

class Encoder {
  public:
    virtual ~Encoder() = default;
    /// Whole numbers of the target's bits, or float samples, as the target's encoding says.
    virtual Status write(std::span<int const> whole) = 0;
    virtual Status write(std::span<float const> samples) = 0;
    virtual Status finish() = 0;
};

Result<std::unique_ptr<Encoder>> wav_encoder(std::string const& path, Target const& target);
/// By libsndfile.
Result<std::unique_ptr<Encoder>> flac_encoder(std::string const& path, Target const& target);

}  // namespace sluice::audio
