// Copies past the caches have the bytes of memcpy, wherever they begin and end.
// SPDX-License-Identifier: Apache-2.0
#include "device/past_caches.h"

#include <gtest/gtest.h>

#include <vector>

namespace sluice {
namespace {

TEST(PastCaches, TheBytesOfAPlainCopyAndNothingBeside) {
    std::vector<std::byte> from(600);
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i * 37 + 11);
    for (Isa const isa : compiled_isas()) {
        if (!runs_here(isa)) continue;
        for (index begin = 0; begin < 70; ++begin)
            for (index const n : {0, 1, 63, 64, 65, 127, 128, 200, 513}) {
                std::vector<std::byte> plain(700), past(700);
                std::copy_n(from.begin() + begin % 7, n, plain.begin() + begin);
                past_caches(isa).copy(from.data() + begin % 7, n, past.data() + begin);
                past_caches_done();
                ASSERT_EQ(plain, past) << name_of(isa) << ' ' << begin << ' ' << n;
            }
    }
}

}  // namespace
}  // namespace sluice
