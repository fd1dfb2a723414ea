// How many values of a detector make a count, by the noise of a sample of patterns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/detect/sample.h"

namespace sluice::crystal {

/// variance = gain mean + read_noise^2, all in values.
struct Gain {
    double gain = 1, read_noise = 0;
};

/// The variance is that of what pixels differ by from their neighbours, in a row, in a column and
/// in the next pattern of the sample, whichever is least: edges of disks are seldom in all three.
/// Empty where too little was counted to say.
std::optional<Gain> measure_gain(Sample const& sample, std::span<std::uint8_t const> bad);

}  // namespace sluice::crystal
