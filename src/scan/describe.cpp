// Sentences about what decoding met.
// SPDX-License-Identifier: Apache-2.0
#include "scan/describe.h"

#include <fmt/format.h>

#include "base/plural.h"

namespace sluice::fold {
namespace {

constexpr std::string_view not_finite = "NaN or infinite value was not measured: no result uses it";
constexpr std::string_view some_not_finite =
    "NaN or infinite values were not measured: no result uses them";

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
            fmt::format("{} outside of the mask taken as zero (the detector's mark for no data)",
                        plural(tally.sentinels, "all-ones pixel")));
    if (tally.saturated)
        notes.push_back(fmt::format(
            "{} above the saturation value {} (kept as {})", plural(tally.saturated, "count"),
            dataset.saturation.value_or(0), tally.saturated == 1 ? "it is" : "they are"));
    if (tally.not_finite) notes.push_back(plural(tally.not_finite, not_finite, some_not_finite));
    if (tally.rounded)
        notes.push_back(
            fmt::format("{} of the frames that were read {}", plural(tally.rounded, "value"),
                        tally.rounded == 1 ? "does not fit float32 and was rounded to 24 bits"
                                           : "do not fit float32 and were rounded to 24 bits"));
    if (tally.beyond)
        notes.push_back(fmt::format("{} beyond the range of float32 and became infinite",
                                    plural(tally.beyond, "value is", "values are")));
    if (tally.missing)
        notes.push_back(
            fmt::format("{} data, which reads as the file's fill value (zero if it has "
                        "none){}",
                        plural(tally.missing, "frame lacks", "frames lack"), blank_text(tally)));
}

bool says_not_finite(std::string_view note) {
    return note.ends_with(not_finite) || note.ends_with(some_not_finite);
}

}  // namespace sluice::fold
