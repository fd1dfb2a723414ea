// Dither: noise that makes the errors of rounding independent of the sound.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/splitmix.h"

namespace sluice::audio {

/// Numbers between -1 and 1, in steps of a stored integer, of triangular density: the mean and the
/// power of the error then do not depend on the sample. S. P. Lipshitz, R. A. Wannamaker,
/// J. Vanderkooy, "Quantization and Dither", J. Audio Eng. Soc. 40 (1992) 355.
class Dither {
  public:
    explicit Dither(std::uint64_t seed) : state_(seed) {}

    double next() {
        std::uint64_t const bits = random();
        auto const a = static_cast<double>(bits >> 32), b = static_cast<double>(bits & 0xffffffff);
        return (a - b) * 0x1p-32;
    }

  private:
    std::uint64_t random() { return splitmix::mix(state_ += splitmix::golden); }

    std::uint64_t state_;
};

}  // namespace sluice::audio
