// Whether times can be trusted: not those of tiny, starved or restless runs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "sluice/measured.h"

namespace sluice::bench {

/// Repeats of the same work, as far as they tell whether their times mean anything.
struct Trial {
    int threads = 1;
    double wall_s = 0, cpu_s = 0;  ///< of the one in the middle; cpu_s of the whole process
    double idle = 0;               ///< share of threads * wall_s without work
    double starved = 0;            ///< share of it that waited for a processor
    int repeats = 3;
    double spread = 0;  ///< of wall_s: (longest - shortest) / the middle one
    double steal = 0;   ///< share of the processors' time that the host gave away
};

// Repeats that differ by more, processors that were given away, or waiting: other things were
// measured.
inline constexpr double unsteady_spread = 0.5, much_steal = 0.05, much_waiting = 0.15;
// Handing work to threads takes some 50 microseconds: a twentieth of this.
inline constexpr double enough_s = 1e-3;
// With two there is no one in the middle.
inline constexpr int enough_repeats = 3;

/// Fewer rounds than tell what is usual.
std::optional<Finding> too_few(std::span<Trial const> rounds);
/// Processors that other programs or other machines had.
std::optional<Finding> starved(std::span<Trial const> trials, int processors);
/// The same `what` took times that differ by too much.
std::optional<Finding> unsteady(std::span<Trial const> trials, int processors,
                                std::string_view what);
/// The first reason why nothing can be told from these rounds, with how to get some that do; none
/// where they can be trusted.
std::optional<Finding> cannot_tell(std::span<Trial const> rounds, int processors);

}  // namespace sluice::bench
