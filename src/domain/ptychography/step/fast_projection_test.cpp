// Projections of the fast step against the plain one in double, on every instruction set here.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>

#include "domain/ptychography/step/test_fast.h"

namespace sluice::ptycho {
namespace {

using namespace fast_test;

constexpr index patterns[] = {3, 0, 2, 1, 2};

// Where a pixel is modelled with less than 1e-9 counts, the fast step takes a shorter way.
constexpr double near_enough = 1e-4;

// The stored waves of these patterns, which differ from probe times object.
template <class Real>
std::vector<Planar<Real>> stored(Case const& c, Measured const& measured) {
    std::vector<Planar<Real>> waves;
    for (index j : patterns)
        for (auto& wave :
             state_of<Real>(c, measured.patterns.positions, 50 + static_cast<std::uint64_t>(j))
                 .probe)
            waves.push_back(std::move(wave));
    return waves;
}

template <class Real>
void project(PatternStep<Real> const& step, State<Real> const& state, Projection const& projection,
             std::vector<Planar<Real>>& waves, std::vector<Errors>& errors, int threads) {
    errors.assign(std::size(patterns), {});
    step.project(state, patterns, projection, waves, errors, threads);
}

template <class T>
void compare(Case const& c, Projection const& projection) {
    Model const model = model_of(c);
    Measured measured = measured_of<T>(c.side, c.bad);
    auto const truth = state_of<double>(c, measured.patterns.positions);
    auto const state = state_of<float>(c, measured.patterns.positions);
    auto wanted = stored<double>(c, measured);
    std::vector<Errors> errors, found_errors;
    project(*make_plain_step<double>(model, measured).value(), truth, projection, wanted, errors,
            1);
    order_for_passes(measured, 1);
    for (Isa isa : compiled_isas()) {
        if (!runs_here(isa)) continue;
        SCOPED_TRACE(std::string(name_of(isa)));
        auto const fast = make_fast_step(model, measured, isa).value();
        auto const before = stored<float>(c, measured);
        std::vector<Planar<float>> first;
        for (int threads : {1, 3}) {
            auto waves = before;
            project(*fast, state, projection, waves, found_errors, threads);
            if (threads == 1) first = waves;
            for (std::size_t i = 0; i < waves.size(); ++i) {
                EXPECT_LT(apart(waves[i], wanted[i]), near_enough);
                EXPECT_EQ(0, std::memcmp(waves[i].re(0), first[i].re(0),
                                         static_cast<std::size_t>(waves[i].size()) * 4));
            }
        }
        for (std::size_t i = 0; i < errors.size(); ++i) {
            Errors const &f = found_errors[i], &w = errors[i];
            EXPECT_NEAR(f.amplitude, w.amplitude, 2e-5 * w.amplitude);
            EXPECT_NEAR(f.model, w.model, 2e-5 * w.model);
            EXPECT_NEAR(f.difference, w.difference, 2e-5 * w.difference);
            EXPECT_NEAR(f.counts, w.counts, 1e-9 * w.counts);
            EXPECT_NEAR(f.squares, w.squares, 1e-9 * w.squares);
        }
    }
}

class FastProjection : public testing::TestWithParam<Case> {};

TEST_P(FastProjection, MovesWavesAsThePlainOneDoes) {
    // All patterns are above a bound of 0; one of 1 leaves most of what is wrong; all patterns are
    // below 100.
    for (Projection const& projection :
         {Projection{0, 1, 1, 1}, Projection{-1, 1, 2, 0}, Projection{-1, 1, 2, 1},
          Projection{-1, 1, 2, 100}, Projection{-0.5, 0.75, 2, 1}}) {
        SCOPED_TRACE(std::to_string(projection.a) + ", bound " +
                     std::to_string(projection.power_bound));
        compare<std::uint16_t>(GetParam(), projection);
    }
}

INSTANTIATE_TEST_SUITE_P(All, FastProjection,
                         testing::Values(Case{64, 1, false, false, Likelihood::amplitude},
                                         Case{64, 3, true, true, Likelihood::poisson},
                                         Case{128, 1, true, false, Likelihood::gaussian},
                                         Case{128, 2, false, true, Likelihood::amplitude},
                                         Case{192, 1, false, true, Likelihood::amplitude},
                                         Case{192, 3, true, false, Likelihood::amplitude},
                                         Case{256, 1, false, false, Likelihood::amplitude},
                                         Case{256, 2, true, true, Likelihood::amplitude}),
                         [](auto const& info) {
                             return std::to_string(info.param.side) + "_" +
                                    std::to_string(info.param.modes);
                         });

TEST(FastProjectionCounts, CanBeBytesAndFloats) {
    compare<std::uint8_t>({64, 1, false, false, Likelihood::amplitude}, {-1, 1, 2, 0.5});
    compare<float>({64, 2, true, false, Likelihood::amplitude}, {-1, 1, 2, 0.5});
}

// A probe of each pattern's own.
TEST(FastProjectionCounts, CanBeOfProbesThatVary) {
    Case const c{64, 2, false, true, Likelihood::amplitude};
    Measured measured = measured_of<std::uint16_t>(c.side, c.bad);
    auto const vary = [&]<class Real>(State<Real> state) {
        state.opr_modes = state_of<Real>({64, 1, false, true, Likelihood::amplitude},
                                         measured.patterns.positions, 77)
                              .probe;
        state.opr_weights = {1, 0.1, 0.9, -0.2, 1.1, 0, 0.8, 0.3};
        return state;
    };
    auto const truth = vary(state_of<double>(c, measured.patterns.positions));
    auto const state = vary(state_of<float>(c, measured.patterns.positions));
    auto wanted = stored<double>(c, measured);
    auto waves = stored<float>(c, measured);
    std::vector<Errors> errors;
    Projection const dm{-1, 1, 2};
    project(*make_plain_step<double>(model_of(c), measured).value(), truth, dm, wanted, errors, 1);
    order_for_passes(measured, 1);
    project(*make_fast_step(model_of(c), measured, chosen_isa()).value(), state, dm, waves, errors,
            1);
    for (std::size_t i = 0; i < waves.size(); ++i)
        EXPECT_LT(apart(waves[i], wanted[i]), near_enough);
}

}  // namespace
}  // namespace sluice::ptycho
