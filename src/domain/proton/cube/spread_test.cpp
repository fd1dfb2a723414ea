// The kernel beside its twin, on all instruction sets.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/cube/spread.h"

#include <gtest/gtest.h>

#include <random>

namespace sluice::proton::cube {
namespace {

struct Case {
    index rows, columns, margin;
    std::vector<float> weight[2], narrow[2], out[2];
    std::vector<int> reach;

    Case(index r, index c, index m, unsigned seed) : rows(r), columns(c), margin(m) {
        std::mt19937 random(seed);
        auto const u = [&](float a, float b) {
            return std::uniform_real_distribution(a, b)(random);
        };
        for (int k = 0; k < 2; ++k)
            for (index i = 0; i < r * c; ++i) {
                weight[k].push_back(u(0, 1) < 0.3F ? 0 : u(0, 2));
                narrow[k].push_back(u(0.02F, 2.4F));
            }
        for (index y = 0; y < r; ++y)
            reach.push_back(static_cast<int>(u(-1.99F, static_cast<float>(m) + 0.99F)));
    }
    Pencils pencils(int channels) {
        Pencils p{.rows = rows, .columns = columns, .line = columns, .channels = channels};
        p.margin = margin;
        p.reach = reach.data();
        for (int k = 0; k < 2; ++k) {
            p.weight[k] = weight[k].data();
            p.narrow[k] = narrow[k].data();
            out[k].assign(static_cast<std::size_t>((rows + 2 * margin) * (columns + 2 * margin)),
                          0.25F);
            p.out[k] = out[k].data();
        }
        return p;
    }
};

TEST(Spread, EveryInstructionSetIsItsTwin) {
    unsigned seed = 1;
    for (index const columns : {4, 31, 32, 33, 70})
        for (index const margin : {0, 1, 5, 17})
            for (int const channels : {1, 2}) {
                Case wanted(5, columns, margin, seed), found(5, columns, margin, seed);
                ++seed;
                SpreadScratch scratch;
                scratch.make_room(columns, margin);
                spread_slowly(wanted.pencils(channels), scratch);
                for (Isa const isa : {Isa::baseline, Isa::avx2, Isa::avx512}) {
                    if (isa > Device::cpu().isa()) continue;
                    spread_kernels(isa).spread(found.pencils(channels), scratch);
                    ASSERT_EQ(wanted.out[0], found.out[0]) << columns << " " << margin;
                    ASSERT_EQ(wanted.out[1], found.out[1]) << columns << " " << margin;
                }
            }
}

TEST(Spread, ExponentialsAreRight) {
    for (float x = 0; x > -60; x -= 0.37F)
        EXPECT_NEAR(static_cast<double>(exp_below(x)) / std::exp(static_cast<double>(x)), 1, 5e-6)
            << x;
    EXPECT_EQ(exp_below(0), 1);
}

}  // namespace
}  // namespace sluice::proton::cube
