// The fast step against the plain one in double, on every instruction set that runs here.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/step/fast_step.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "domain/ptychography/step/test_fast.h"

namespace sluice::ptycho {
namespace {

using namespace fast_test;

// What a pattern says beside its planes.
void expect_same_rest(Gradients<float> const& f, Gradients<double> const& w, Case const& c) {
    EXPECT_NEAR(f.errors.amplitude, w.errors.amplitude, 2e-5 * w.errors.amplitude);
    EXPECT_NEAR(f.errors.model, w.errors.model, 2e-5 * w.errors.model);
    EXPECT_NEAR(f.errors.difference, w.errors.difference, 2e-5 * w.errors.difference);
    EXPECT_NEAR(f.errors.loss, w.errors.loss, 1e-4 * std::abs(w.errors.loss));
    EXPECT_NEAR(f.errors.counts, w.errors.counts, 1e-9 * w.errors.counts);
    EXPECT_NEAR(f.object_peak, w.object_peak, 1e-5);
    for (std::size_t k = 0; k < w.slopes.size(); ++k)
        EXPECT_NEAR(f.slopes[k], w.slopes[k],
                    1e-4 * (std::abs(w.slopes[0]) + std::abs(w.slopes[k])));
    EXPECT_EQ(w.slopes[0] != 0, c.likelihood == Likelihood::poisson);
    if (c.sub_pixel) {
        double const length = std::hypot(w.position[0], w.position[1]);
        EXPECT_NEAR(f.position[0], w.position[0], 1e-3 * length);
        EXPECT_NEAR(f.position[1], w.position[1], 1e-3 * length);
    }
    double const shift = std::hypot(w.descan[0], w.descan[1]);
    EXPECT_NEAR(f.descan[0], w.descan[0], 1e-3 * shift);
    EXPECT_NEAR(f.descan[1], w.descan[1], 1e-3 * shift);
    EXPECT_NEAR(f.slice, w.slice, 1e-3 * std::abs(w.slice));
    EXPECT_NEAR(f.slice_reach, w.slice_reach, 1e-4 * w.slice_reach);
    double const tilt = std::hypot(w.tilt[0], w.tilt[1]);
    for (std::size_t i : {0U, 1U}) {
        EXPECT_NEAR(f.tilt[i], w.tilt[i], 1e-3 * tilt);
        EXPECT_NEAR(f.tilt_reach[i], w.tilt_reach[i], 1e-4 * w.tilt_reach[i]);
    }
}

class FastStepTest : public testing::TestWithParam<Case> {};

template <class T>
void compare(Case const& c) {
    Model const model = model_of(c);
    Measured measured = measured_of<T>(c);
    auto const positions = measured.patterns.positions;
    auto truth = state_of<double>(c, positions);
    auto state = state_of<float>(c, positions);
    add_background(c, truth);
    add_background(c, state);
    index const group[] = {3, 0, 2, 1};
    auto wanted = reserve(model, truth, 4);
    auto const plain = make_plain_step<double>(model, measured).value();
    plain->gradients(truth, group, wanted_of(c), wanted, 1);
    order(model, measured);
    for (Isa isa : compiled_isas()) {
        if (!runs_here(isa)) continue;
        SCOPED_TRACE(std::string(name_of(isa)));
        auto const fast = make_fast_step(model, measured, isa).value();
        auto found = reserve(model, state, 4);
        fast->gradients(state, group, wanted_of(c), found, 2);
        for (std::size_t i = 0; i < 4; ++i) {
            Gradients<float> const& f = found[i];
            Gradients<double> const& w = wanted[i];
            for (std::size_t s = 0; s < f.object.size(); ++s)
                EXPECT_LT(apart(f.object[s], w.object[s]), 3e-5);
            for (std::size_t k = 0; k < f.probe.size(); ++k)
                EXPECT_LT(apart(f.probe[k], w.probe[k]), 3e-5);
            expect_same_rest(f, w, c);
            for (std::size_t q = 0; q < w.background.size(); q += 61) {
                EXPECT_NEAR(f.background[q], w.background[q],
                            1e-3 * std::abs(w.background[q]) + 1e-4);
                EXPECT_NEAR(f.model[q], w.model[q], 1e-4 * w.model[q] + 1e-4);
            }
        }
    }
}

TEST_P(FastStepTest, GivesTheGradientsOfThePlainOne) {
    compare<std::uint16_t>(GetParam());
}

bool same_bits(Planar<float> const& a, Planar<float> const& b) {
    return std::memcmp(a.re(0), b.re(0), static_cast<std::size_t>(a.size()) * sizeof(float)) == 0;
}

// What was there before stays in the canvas's sums, and the probe's begin anew.
TEST_P(FastStepTest, AddsUpWhatSinglePatternsGiveInOneOrder) {
    Case const c = GetParam();
    Model const model = model_of(c);
    Measured measured = measured_of<std::uint16_t>(c);
    auto const truth = state_of<double>(c, measured.patterns.positions);
    auto const state = state_of<float>(c, measured.patterns.positions);
    index const group[] = {3, 0, 2, 1, 0, 3, 1};
    auto const plain = make_plain_step<double>(model, measured).value();
    auto rest = reserve(model, truth, 7);
    auto wanted = reserve_sums(model, truth);
    wanted.object[0].set(2, 3, 5);
    plain->add_gradients(truth, group, wanted_of(c), rest, wanted, 1);
    // Of the twin: the planes one by one.
    auto planes = reserve(model, truth, 7);
    plain->gradients(truth, group, wanted_of(c), planes, 1);
    std::complex<double> sum = 0;
    for (auto const& plane : planes) sum += plane.probe[0].at(c.side / 2, c.side / 2);
    EXPECT_LT(std::abs(sum - wanted.probe[0].at(c.side / 2, c.side / 2)), 1e-9 * std::abs(sum));
    order(model, measured);
    for (Isa isa : compiled_isas()) {
        if (!runs_here(isa)) continue;
        SCOPED_TRACE(std::string(name_of(isa)));
        auto const fast = make_fast_step(model, measured, isa).value();
        Sums<float> first;
        for (int threads : {1, 2, 3, 7}) {
            std::vector<Gradients<float>> found(7);
            auto sums = reserve_sums(model, state);
            sums.object[0].set(2, 3, 5);
            fast->add_gradients(state, group, wanted_of(c), found, sums, threads);
            for (std::size_t s = 0; s < sums.object.size(); ++s)
                EXPECT_LT(apart(sums.object[s], wanted.object[s]), 3e-5);
            for (std::size_t k = 0; k < sums.probe.size(); ++k)
                EXPECT_LT(apart(sums.probe[k], wanted.probe[k]), 3e-5);
            for (std::size_t i = 0; i < 7; ++i) expect_same_rest(found[i], rest[i], c);
            if (threads == 1) first = sums;
            for (std::size_t s = 0; s < sums.object.size(); ++s)
                EXPECT_TRUE(same_bits(sums.object[s], first.object[s]));
            for (std::size_t k = 0; k < sums.probe.size(); ++k)
                EXPECT_TRUE(same_bits(sums.probe[k], first.probe[k]));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, FastStepTest,
    testing::Values(Case{64, 1, false, false, Likelihood::amplitude},
                    Case{64, 3, true, true, Likelihood::poisson},
                    Case{64, 2, false, true, Likelihood::gaussian},
                    Case{128, 1, true, true, Likelihood::amplitude},
                    Case{128, 2, false, false, Likelihood::poisson},
                    Case{192, 1, false, true, Likelihood::gaussian},
                    Case{192, 2, true, false, Likelihood::amplitude},
                    Case{256, 1, false, false, Likelihood::poisson},
                    Case{256, 2, true, true, Likelihood::amplitude},
                    Case{64, 1, true, true, Likelihood::amplitude, true},
                    Case{128, 2, false, false, Likelihood::poisson, true},
                    Case{64, 1, false, true, Likelihood::amplitude, false, 2},
                    Case{64, 3, true, false, Likelihood::poisson, false, 3},
                    Case{64, 3, true, true, Likelihood::gaussian, true, 2},
                    Case{128, 1, true, false, Likelihood::amplitude, false, 3},
                    Case{128, 3, false, true, Likelihood::amplitude, false, 3},
                    Case{192, 1, true, true, Likelihood::gaussian, false, 2},
                    Case{192, 3, false, false, Likelihood::amplitude, false, 2},
                    Case{256, 1, true, true, Likelihood::amplitude, false, 3},
                    Case{256, 3, false, true, Likelihood::poisson, false, 2},
                    Case{64, 1, false, true, Likelihood::amplitude, false, 1, true},
                    Case{64, 3, true, false, Likelihood::poisson, false, 1, true},
                    Case{128, 2, false, true, Likelihood::gaussian, false, 1, true},
                    Case{192, 1, true, false, Likelihood::amplitude, false, 1, true},
                    Case{256, 1, true, true, Likelihood::amplitude, true, 1, true},
                    Case{64, 1, true, true, Likelihood::amplitude, true, 1, false, 24, 2},
                    Case{64, 2, false, false, Likelihood::poisson, false, 1, false, 21, 3},
                    Case{64, 1, false, true, Likelihood::gaussian, false, 2, true, 50},
                    Case{128, 1, true, true, Likelihood::poisson, false, 1, false, 64, 2},
                    Case{128, 3, true, false, Likelihood::amplitude, true, 1, false, 97},
                    Case{256, 1, false, true, Likelihood::amplitude, false, 1, false, 192},
                    Case{64, 2, false, true, Likelihood::amplitude, false, 3, true},
                    Case{128, 1, true, false, Likelihood::amplitude, false, 2, true}),
    [](auto const& info) {
        return std::to_string(info.param.side) + "_" + std::to_string(info.param.modes) + "_" +
               std::to_string(static_cast<int>(info.param.likelihood)) +
               (info.param.background ? "_background" : "") +
               (info.param.slices == 1 ? "" : "_slices_" + std::to_string(info.param.slices)) +
               (info.param.descan ? "_descan" : "") +
               (info.param.detector == 0 ? ""
                                         : "_detector_" + std::to_string(info.param.detector) +
                                               "_" + std::to_string(info.param.bin));
    });

TEST(FastStep, TakesBytesAndFloatsToo) {
    compare<std::uint8_t>({64, 1, false, true, Likelihood::amplitude});
    compare<float>({64, 1, true, false, Likelihood::amplitude});
    compare<std::uint8_t>({64, 1, true, false, Likelihood::amplitude, false, 1, false, 32, 2});
    compare<float>({64, 1, true, false, Likelihood::amplitude, false, 1, false, 32, 2});
    compare<std::uint8_t>({64, 1, true, true, Likelihood::poisson, false, 2});
    compare<float>({64, 1, false, false, Likelihood::gaussian, false, 2});
}

// A canvas of which lanes share some rows, and each has some alone.
template <class Real>
State<Real> state_of_far_windows(Case const& c) {
    auto state = state_of<Real>(c, {{0.0, 2}, {90.3, 4.2}, {37.4, 30.75}, {70.1, 0}});
    std::uint64_t at = 5;
    for (auto& slice : state.object) {
        slice = Planar<Real>(c.side + 100, c.side + 40);
        for (index r = 0; r < slice.rows(); ++r)
            for (index q = 0; q < slice.cols(); ++q)
                slice.set(r, q, std::polar(Real(0.7 + 0.3 * drawn(at)), Real(1.5 * drawn(at))));
    }
    return state;
}

TEST(FastStep, WindowsThatLieFarApartAddWhereTheyLie) {
    for (Case const c : {Case{64, 1, false, false, Likelihood::amplitude},
                         Case{64, 2, false, true, Likelihood::amplitude, false, 2}}) {
        Model const model = model_of(c);
        Measured measured = measured_of<std::uint16_t>(c.side, c.bad);
        auto const truth = state_of_far_windows<double>(c);
        auto const state = state_of_far_windows<float>(c);
        index const group[] = {1, 0, 2, 3, 0, 3, 1};
        auto rest = reserve(model, truth, 7);
        auto wanted = reserve_sums(model, truth);
        auto const plain = make_plain_step<double>(model, measured).value();
        // Twice, since the second sum is kept between the calls.
        for (int time = 0; time < 2; ++time)
            plain->add_gradients(truth, group, {}, rest, wanted, 1);
        order_for_passes(measured, 1);
        auto const fast = make_fast_step(model, measured, compiled_isas().front()).value();
        Sums<float> first;
        for (int threads : {1, 2, 3}) {
            std::vector<Gradients<float>> found(7);
            auto sums = reserve_sums(model, state);
            for (int time = 0; time < 2; ++time)
                fast->add_gradients(state, group, {}, found, sums, threads);
            if (threads == 1) first = sums;
            for (std::size_t s = 0; s < sums.object.size(); ++s) {
                EXPECT_LT(apart(sums.object[s], wanted.object[s]), 3e-5);
                EXPECT_TRUE(same_bits(sums.object[s], first.object[s]));
            }
            for (std::size_t i = 0; i < 7; ++i)
                EXPECT_NEAR(found[i].errors.model, rest[i].errors.model,
                            2e-5 * rest[i].errors.model);
        }
    }
}

// What keeps quotients of nothing finite is not counted: most pixels are dark.
TEST(FastStep, HasTheSameErrorsWhereCountsAreFew) {
    Case const c{64, 1, false, false, Likelihood::amplitude};
    Model const model = model_of(c);
    Measured measured = measured_of<std::uint8_t>(c.side, c.bad);
    auto& counts = std::get<std::vector<std::uint8_t>>(measured.patterns.counts);
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = i % 41 == 0;
    auto truth = state_of<double>(c, measured.patterns.positions);
    auto state = state_of<float>(c, measured.patterns.positions);
    for (index r = 0; r < c.side; ++r)
        for (index i = 0; i < 2 * truth.probe[0].half(); ++i) {
            truth.probe[0].re(r)[i] *= 0.02;
            state.probe[0].re(r)[i] *= 0.02f;
        }
    index const group[] = {2};
    auto wanted = reserve(model, truth, 1);
    make_plain_step<double>(model, measured).value()->gradients(truth, group, {}, wanted, 1);
    order_for_passes(measured, 1);
    double const right = wanted[0].errors.amplitude;
    for (Isa isa : compiled_isas()) {
        if (!runs_here(isa)) continue;
        auto found = reserve(model, state, 1);
        make_fast_step(model, measured, isa).value()->gradients(state, group, {}, found, 1);
        EXPECT_NEAR(found[0].errors.amplitude, right, 3e-6 * right) << name_of(isa);
    }
}

TEST(FastStep, TakesOtherSlicesWhileItRuns) {
    Case const c{64, 1, false, true, Likelihood::amplitude, false, 3};
    Measured measured = measured_of<std::uint16_t>(c);
    auto const state = state_of<float>(c, measured.patterns.positions);
    order_for_passes(measured, 1);
    Model model = model_of(c);
    auto const changed = make_fast_step(model, measured, compiled_isas().front()).value();
    auto out = reserve(model, state, 2);
    index const group[] = {1};
    auto const run = [&](PatternStep<float> const& step, Gradients<float>& to) {
        step.gradients(state, group, wanted_of(c), {&to, 1}, 1);
    };
    run(*changed, out[0]);
    model.slice_nm = 1.5;
    model.tilt_rad = {-0.01, 0.04};
    changed->set_slices(model.slice_nm, model.tilt_rad);
    EXPECT_EQ(changed->model().slice_nm, model.slice_nm);
    double const before = out[0].errors.loss;
    run(*changed, out[0]);
    EXPECT_NE(out[0].errors.loss, before);
    run(*make_fast_step(model, measured, compiled_isas().front()).value(), out[1]);
    for (std::size_t s = 0; s < out[0].object.size(); ++s)
        EXPECT_TRUE(same_bits(out[0].object[s], out[1].object[s]));
    EXPECT_EQ(out[0].tilt, out[1].tilt);
}

}  // namespace
}  // namespace sluice::ptycho
