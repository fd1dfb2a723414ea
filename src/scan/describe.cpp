// Sentences about what decoding met.
// SPDX-License-Identifier: Apache-2.0
#include "scan/describe.h"

#include <fmt/format.h>

namespace sluice::fold {
namespace {

constexpr std::string_view not_finite =
    " NaN or infinite values were not measured: no result uses them";

std::string blank_text(store::Tally const& tally) {
    if (tally.blank == 0) return {};
    return fmt::format(
        "; in {} of them that value is not a count (NaN, infinite or the detector's mark for no "
        "data), "
        "and missing values read as NaN (floats) or zero (counts)",
        tally.blank);
}

}  // namespace

void describe(store::Tally const& tally, Dataset const& dataset, std::vector<std::string>& notes) {
    if (tally.sentinels)
        notes.push_back(
            fmt::format("{} all-ones pixels outside of the mask taken as zero (the detector's mark "
                        "for no data)",
                        tally.sentinels));
    if (tally.saturated)
        notes.push_back(fmt::format("{} counts above the saturation value {} (kept as they are)",
                                    tally.saturated, dataset.saturation.value_or(0)));
    if (tally.not_finite) notes.push_back(fmt::format("{}{}", tally.not_finite, not_finite));
    if (tally.rounded)
        notes.push_back(fmt::format(
            "{} values of the frames that were read do not fit float32 and were rounded to "
            "24 bits",
            tally.rounded));
    if (tally.beyond)
        notes.push_back(fmt::format("{} values are beyond the range of float32 and became infinite",
                                    tally.beyond));
    if (tally.missing)
        notes.push_back(
            fmt::format("{} frames lack data, which reads as the file's fill value (zero if it has "
                        "none){}",
                        tally.missing, blank_text(tally)));
}

bool says_not_finite(std::string_view note) {
    return note.ends_with(not_finite);
}

}  // namespace sluice::fold
