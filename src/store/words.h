// The words of LoadOptions' enumerations.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "config/words.h"
#include "sluice/load.h"

namespace sluice {

constexpr auto words(BinMode /*of_this_type*/) {
    return std::to_array<config::Word<BinMode>>({{"sum", BinMode::sum}, {"mean", BinMode::mean}});
}
constexpr auto words(BinEdge /*of_this_type*/) {
    return std::to_array<config::Word<BinEdge>>(
        {{"floor", BinEdge::floor}, {"partial", BinEdge::partial}});
}
constexpr auto words(Layout /*of_this_type*/) {
    return std::to_array<config::Word<Layout>>({{"auto", Layout::automatic},
                                                {"planes", Layout::planes},
                                                {"lines", Layout::lines},
                                                {"dense", Layout::dense}});
}
constexpr auto words(Tables /*of_this_type*/) {
    return std::to_array<config::Word<Tables>>(
        {{"auto", Tables::automatic}, {"all", Tables::all}, {"none", Tables::none}});
}
constexpr auto words(Residency /*of_this_type*/) {
    return std::to_array<config::Word<Residency>>({{"auto", Residency::automatic},
                                                   {"memory", Residency::memory},
                                                   {"stream", Residency::stream}});
}

}  // namespace sluice
