// Whose hits count where nobody said how the chips of a readout lie.
// SPDX-License-Identifier: Apache-2.0
#include "format/tpx3/chips.h"

#include <fmt/format.h>

namespace sluice::tpx3 {

// A number that is damaged comes once in a while; a chip that is there goes on and on.
Result<bool> Chips::counts(int chip, std::string& problem) {
    if (said_) {
        if (!layout_->has(chip)) problem = "chunks of a chip without a place";
        return true;
    }
    constexpr index some = 4, share = 16;
    if (!chip_) chip_ = chip;
    index const its = ++chunks_[static_cast<std::size_t>(chip)];
    if (chip == *chip_) return true;
    problem = "chunks of another chip";
    if (its < some || its * share < chunks_[static_cast<std::size_t>(*chip_)]) return false;
    return Error{Code::unsupported,
                 fmt::format("the readout sends hits of chip {} and of chip {} (how its chips lie "
                             "is not in what it sends, and hits of one alone would be a part of "
                             "each pattern) say where each lies by --chip-layout, or read out one "
                             "chip",
                             *chip_, chip)};
}

}  // namespace sluice::tpx3
