// PixelRules: which pixels of a frame count, and the tally of what was found in them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "sluice/dataset.h"

namespace sluice::store {

struct PixelRules {
    std::vector<std::uint32_t> bad = {};  ///< pixel numbers row * cols + col, ascending, once each
    bool sentinel = false;                ///< all-ones of an integer type marks no data
    bool keep_not_finite = false;         ///< infinite floats stay; else they become NaN
    std::optional<std::uint64_t> saturation = {};  ///< counts above it are reported, and kept
};

/// What decoding met; nothing of it is changed silently.
struct Tally {
    std::uint64_t sentinels = 0;   ///< all-ones pixels outside of the mask, taken as zero
    std::uint64_t saturated = 0;   ///< counts above the saturation value, kept
    std::uint64_t not_finite = 0;  ///< floats that are NaN now: they were not measured
    std::uint64_t missing = 0;     ///< frames that lack data and have the fill value there
    std::uint64_t blank = 0;       ///< of these, those whose fill value is not a count: zero
    std::uint64_t rounded = 0;     ///< values that float32 cannot hold, rounded to the nearest
    std::uint64_t beyond = 0;      ///< values too large for float32, taken as infinite

    void merge(Tally const& other) {
        sentinels += other.sentinels;
        saturated += other.saturated;
        not_finite += other.not_finite;
        missing += other.missing;
        blank += other.blank;
        rounded += other.rounded;
        beyond += other.beyond;
    }
};

}  // namespace sluice::store
