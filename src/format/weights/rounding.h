// Weights of one type of numbers as those of another, and what that changes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/weights/weights.h"

namespace sluice::weights {

/// What became of numbers.
struct Rounded {
    std::uint64_t numbers = 0;
    std::uint64_t changed = 0;     ///< that are not what they were
    double signal = 0, noise = 0;  ///< sums of squares: of the numbers, and of the changes
};

/// Whether numbers of a type are real ones.
bool is_real(Element element);

/// Real numbers as the nearest ones of another real type, ties to even. `name` is the tensor's, for
/// errors: a number that is beyond the type's range.
Result<std::vector<std::byte>> rounded(std::vector<std::byte> bytes, Element from, Element to,
                                       std::string const& name, Rounded& tally);

}  // namespace sluice::weights
