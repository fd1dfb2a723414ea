// Narrow: numbers come back, in no more bytes than their largest needs.
// SPDX-License-Identifier: Apache-2.0
#include "store/narrow.h"

#include <gtest/gtest.h>

#include <random>

namespace sluice::store {
namespace {

TEST(Narrow, GivesBackWhatWasPut) {
    std::mt19937_64 random(3);
    constexpr std::size_t count = 3000, at = 77;
    for (auto const& [largest, width] : {std::pair<std::uint64_t, std::uint64_t>{0, 0},
                                         {1, 1},
                                         {255, 1},
                                         {256, 2},
                                         {65535, 2},
                                         {65536, 4},
                                         {0xffffffff, 4},
                                         {0x100000000, 8},
                                         {~std::uint64_t{0}, 8}}) {
        std::vector<std::uint64_t> numbers(count);
        for (auto& n : numbers)
            n = largest == ~std::uint64_t{0} ? random() : random() % (largest + 1);
        numbers[5] = largest;
        Narrow wide(count, ~std::uint64_t{0});
        wide.put(0, std::span(numbers).first(at));
        wide.put(at, std::span(numbers).subspan(at));
        Narrow const few = wide.packed();
        EXPECT_EQ(wide.bytes(), count * 8);
        EXPECT_EQ(few.bytes(), count * width) << largest;
        for (Narrow const* n : {static_cast<Narrow const*>(&wide), &few}) {
            std::vector<std::uint64_t> sums(count - at, 1);
            n->add_to(sums, at);
            for (std::size_t i = 0; i < sums.size(); ++i) ASSERT_EQ(sums[i], numbers[at + i] + 1);
            tables::cpu_kernels(Isa::baseline).take(n->numbers(at), sums.data(), sums.size());
            for (std::uint64_t const s : sums) ASSERT_EQ(s, 1U);
        }
    }
}

}  // namespace
}  // namespace sluice::store
