// Units of a master file.
// SPDX-License-Identifier: Apache-2.0
#include "format/nxmx/units.h"

#include <gtest/gtest.h>

namespace sluice::nxmx {
namespace {

TEST(Units, OfLengthTimeAndEnergy) {
    for (auto const& [unit, base, factor] :
         std::vector<std::tuple<std::string, std::string, double>>{{"", "m", 1},
                                                                   {"m", "m", 1},
                                                                   {"mm", "m", 1e-3},
                                                                   {"um", "m", 1e-6},
                                                                   {"\xC2\xB5m", "m", 1e-6},
                                                                   {"\xCE\xBCm", "m", 1e-6},
                                                                   {"microns", "m", 1e-6},
                                                                   {"nm", "m", 1e-9},
                                                                   {"s", "s", 1},
                                                                   {"ms", "s", 1e-3},
                                                                   {"us", "s", 1e-6},
                                                                   {"seconds", "s", 1},
                                                                   {"eV", "eV", 1},
                                                                   {"keV", "eV", 1e3}}) {
        ASSERT_TRUE(in_base(unit, base)) << unit;
        EXPECT_DOUBLE_EQ(*in_base(unit, base), factor) << unit;
    }
    EXPECT_FALSE(in_base("keV", "m"));
    EXPECT_FALSE(in_base("furlong", "m"));
}

}  // namespace
}  // namespace sluice::nxmx
