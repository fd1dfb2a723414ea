// The pairs of files that are compared: an estimate and what it should be.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "audio/source.h"

namespace sluice::cli {

/// Two files that belong together.
struct StemFiles {
    std::string name, estimate, reference;
};

/// Two files, or of two folders the sound files whose names are equal but for the ending, sorted.
/// A reference without an estimate is an error, as is an estimate without a reference.
Result<std::vector<StemFiles>> pair_stems(std::string const& estimate,
                                          std::string const& reference);

/// The samples of a pair.
struct StemSamples {
    audio::Samples estimate, reference;
};

/// Reads pairs; rates, channels and lengths must be those of the first reference.
Result<std::vector<StemSamples>> read_stems(std::vector<StemFiles> const& files);

}  // namespace sluice::cli
