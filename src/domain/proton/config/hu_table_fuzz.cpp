// Fuzz target: any text as a table of HU and values.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "domain/proton/config/hu_table.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    auto const t = proton::parse_hu_table({reinterpret_cast<char const*>(data), size}, "fuzz");
    if (!t) return 0;
    expects(t->hu.size() >= 2 && t->hu.size() == t->value.size());
    expects(std::is_sorted(t->hu.begin(), t->hu.end()));
    for (double const hu : t->hu) expects(!(t->at(hu) < 0) && !std::isnan(t->at(hu)));
    return 0;
}
