// The fast step's lines against those of the plain step in double, on every instruction set.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "domain/ptychography/step/test_fast.h"

namespace sluice::ptycho {
namespace {

using namespace fast_test;

class FastLineTest : public testing::TestWithParam<Case> {};

TEST_P(FastLineTest, IsThatOfThePlainStep) {
    Case const c = GetParam();
    Model const model = model_of(c);
    Measured measured = measured_of<std::uint16_t>(c.side, c.bad);
    auto const positions = measured.patterns.positions;
    auto truth = state_of<double>(c, positions);
    auto state = state_of<float>(c, positions);
    auto const true_way = state_of<double>(c, positions, 77);
    auto const way = state_of<float>(c, positions, 77);
    add_background(c, truth);
    add_background(c, state);
    index const group[] = {3, 0, 2, 1};
    std::array<Line, 4> wanted;
    make_plain_step<double>(model, measured).value()->lines(truth, true_way, group, wanted, 1);
    order_for_passes(measured, 1);
    for (Isa isa : compiled_isas()) {
        if (!runs_here(isa)) continue;
        SCOPED_TRACE(std::string(name_of(isa)));
        auto const fast = make_fast_step(model, measured, isa).value();
        std::array<Line, 4> found, again;
        fast->lines(state, way, group, found, 1);
        fast->lines(state, way, group, again, 3);
        for (std::size_t i = 0; i < 4; ++i) {
            EXPECT_NEAR(found[i].slope, wanted[i].slope, 2e-5 * std::abs(wanted[i].slope));
            EXPECT_NEAR(found[i].curvature, wanted[i].curvature, 2e-4 * wanted[i].curvature);
            EXPECT_EQ(found[i].slope, again[i].slope);
            EXPECT_EQ(found[i].curvature, again[i].curvature);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, FastLineTest,
    testing::Values(Case{64, 1, false, false, Likelihood::amplitude},
                    Case{64, 3, true, true, Likelihood::poisson},
                    Case{64, 2, false, true, Likelihood::gaussian, true},
                    Case{128, 1, true, true, Likelihood::amplitude, false, 1, true},
                    Case{192, 2, false, true, Likelihood::poisson},
                    Case{256, 1, true, false, Likelihood::gaussian},
                    Case{64, 1, true, true, Likelihood::amplitude, false, 2},
                    Case{64, 3, false, false, Likelihood::poisson, false, 3},
                    Case{128, 2, false, true, Likelihood::gaussian, false, 3, true},
                    Case{192, 1, true, true, Likelihood::amplitude, false, 2},
                    Case{256, 1, false, true, Likelihood::gaussian, true, 2}),
    [](auto const& info) {
        return std::to_string(info.param.side) + "_" + std::to_string(info.param.modes) + "_" +
               std::to_string(static_cast<int>(info.param.likelihood)) + "_slices_" +
               std::to_string(info.param.slices);
    });

}  // namespace
}  // namespace sluice::ptycho
